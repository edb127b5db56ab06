#include "kernels/instruction_set.h"

#include <cpuid.h>
#include <fmt/format.h>
#include <hwy/highway.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <oneapi/dnnl/dnnl.hpp>
#include <string_view>

#include "base/error.h"

namespace pdvc {
namespace {

// Tiles can be used when the CPU describes them and the kernel lets this process have them. Some
// virtual machines say they have AMX but hide the description; oneDNN 3.2 then sets its tiles up
// wrongly and dies of an illegal instruction.
bool has_tiles() {
  constexpr unsigned kTileInformation = 0x1d;
  constexpr long kRequestPermission = 0x1023, kTileData = 18;
  unsigned most_palettes = 0, unused = 0;
  return __get_cpuid_count(kTileInformation, 0, &most_palettes, &unused, &unused, &unused) != 0 &&
         most_palettes > 0 && syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

bool is_made_with_tiles() {
  constexpr unsigned kExtendedFeatures = 7, kTileBit = 1U << 24;
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(kExtendedFeatures, 0, &a, &b, &c, &d) != 0 && (d & kTileBit) != 0;
}

void limit(dnnl::cpu_isa most, int64_t too_new) {
  dnnl::set_max_cpu_isa(most);
  hwy::DisableTargets(too_new);
}

void apply_limit() {
  const char* text = std::getenv("PDVC_CPU");
  const std::string_view wanted = text == nullptr ? "avx512" : text;
  if (wanted == "avx512")
    limit(has_tiles() ? dnnl::cpu_isa::avx512_core_amx : dnnl::cpu_isa::avx512_core_bf16, 0);
  else if (wanted == "avx2")
    limit(dnnl::cpu_isa::avx2, HWY_AVX3 | HWY_AVX3_DL);
  else if (wanted == "baseline")
    limit(dnnl::cpu_isa::sse41, ~int64_t{HWY_STATIC_TARGET});
  else
    fail("PDVC_CPU: unknown instruction set \"", wanted, "\" (expected avx512, avx2 or baseline)");
}

}  // namespace

void settle_instruction_set() {
  static const bool settled = (apply_limit(), true);
  static_cast<void>(settled);
}

bool multiplies_bfloat16_fast() {
  constexpr unsigned kBfloat16 = 0x80;  // oneDNN's bit for AVX-512 with bfloat16
  settle_instruction_set();
  static const bool fast =
      (static_cast<unsigned>(dnnl::get_effective_cpu_isa()) & kBfloat16) != 0 &&
      (has_tiles() || !is_made_with_tiles());
  return fast;
}

std::string onednn_version() {
  const dnnl_version_t* version = dnnl_version();
  return fmt::format("{}.{}.{}", version->major, version->minor, version->patch);
}

// By number: oneDNN 2 lacks some of the names; a set that neither knows is shown as its number.
std::string instruction_set() {
  settle_instruction_set();
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
