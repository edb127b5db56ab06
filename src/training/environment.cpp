#include "training/environment.h"

#include <torch/torch.h>
#include <torch/version.h>

namespace pdvc {

std::string torch_version() { return TORCH_VERSION; }

std::string torch_devices() {
  std::string devices = "cpu";
  if (torch::cuda::is_available())
    devices += ", cuda (" + std::to_string(torch::cuda::device_count()) + ")";
  return devices;
}

}  // namespace pdvc
