#include "training/environment.h"

#include <dlfcn.h>
#include <malloc.h>
#include <torch/torch.h>
#include <torch/version.h>
#include <unistd.h>

#include <cstdlib>

namespace pdvc {
namespace {

constexpr const char* kCoreType = "OPENBLAS_CORETYPE";

// The name of the kernels OpenBLAS has chosen; empty for another BLAS.
std::string blas_kernels() {
  using CoreName = char*();
  auto* name = reinterpret_cast<CoreName*>(dlsym(RTLD_DEFAULT, "openblas_get_corename"));
  return name == nullptr ? "" : name();
}

const char* best_blas_kernels() {
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
    return "SkylakeX";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
  return nullptr;
}

}  // namespace

std::string torch_version() { return TORCH_VERSION; }

std::string torch_devices() {
  std::string devices = "cpu";
  if (torch::cuda::is_available())
    devices += ", cuda (" + std::to_string(torch::cuda::device_count()) + ")";
  return devices;
}

void prefer_fast_blas(char** words) {
  const char* best = best_blas_kernels();
  if (best == nullptr || std::getenv(kCoreType) != nullptr || blas_kernels() != "Prescott") return;
  setenv(kCoreType, best, /*replace=*/1);
  execv("/proc/self/exe", words);  // where it fails, slow kernels compute the same
}

void keep_freed_memory() {
  constexpr int kLarge = 1 << 30;
  mallopt(M_MMAP_THRESHOLD, kLarge);
  mallopt(M_TRIM_THRESHOLD, kLarge);
}

}  // namespace pdvc
