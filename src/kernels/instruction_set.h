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

}  // namespace pdvc
