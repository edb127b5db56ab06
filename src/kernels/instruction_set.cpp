#include "kernels/instruction_set.h"

#include <fmt/format.h>

#include <oneapi/dnnl/dnnl.hpp>

namespace pdvc {

std::string onednn_version() {
  const dnnl_version_t* version = dnnl_version();
  return fmt::format("{}.{}.{}", version->major, version->minor, version->patch);
}

// By number: oneDNN 2 lacks some of the names; a set that neither knows is shown as its number.
std::string instruction_set() {
  switch (static_cast<unsigned>(dnnl::get_effective_cpu_isa())) {
    case 0x1:
      return "SSE4.1";
    case 0x3:
      return "AVX";
    case 0x7:
      return "AVX2";
    case 0xf:
      return "AVX2 with int8 (VNNI)";
    case 0x1f:
      return "AVX2 with bfloat16 and int8 (VNNI 2)";
    case 0x27:
      return "AVX-512";
    case 0x67:
      return "AVX-512 with int8 (VNNI)";
    case 0xe7:
      return "AVX-512 with bfloat16 and int8 (VNNI)";
    case 0x1ef:
      return "AVX-512 with float16, bfloat16 and int8 (VNNI)";
    case 0xfef:
      return "AVX-512 with AMX tiles";
    case 0x1fef:
      return "AVX-512 with AMX tiles and float16";
    default:
      return fmt::format("set {:#x}", static_cast<unsigned>(dnnl::get_effective_cpu_isa()));
  }
}

}  // namespace pdvc
