// The LibTorch at hand: its version and its devices.
#pragma once

#include <string>

namespace pdvc {

std::string torch_version();
std::string torch_devices();  // "cpu", or "cpu, cuda (2)"

}  // namespace pdvc
