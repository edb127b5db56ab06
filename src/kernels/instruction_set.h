// Which matrix library and which of the CPU's instructions the runtime uses.
//
// The environment variable PDVC_CPU = avx512, avx2 or baseline keeps oneDNN and our own kernels
// from using more than that: for tests of what other machines run.
#pragma once

#include <string>

namespace pdvc {

std::string onednn_version();  // "3.2.0"
std::string
instruction_set();  // what oneDNN uses on this machine: "AVX-512 with bfloat16 and int8 (VNNI)"

// Applies PDVC_CPU, once; throws when it holds something else. Called before the first product.
void settle_instruction_set();

// Whether bfloat16 products are faster than f32 ones: with tiles, or on CPUs whose vectors multiply
// it at twice the rate. Those made with tiles multiply it in vectors at f32's rate only, and lose
// by the conversion where a virtual machine hides the tiles.
bool multiplies_bfloat16_fast();

}  // namespace pdvc
