// Which matrix library and which of the CPU's instructions the runtime uses.
#pragma once

#include <string>

namespace pdvc {

std::string onednn_version();  // "3.2.0"
std::string
instruction_set();  // what oneDNN uses on this machine: "AVX-512 with bfloat16 and int8 (VNNI)"

}  // namespace pdvc
