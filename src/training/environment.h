// The LibTorch at hand: its version, its devices, how many threads it uses.
#pragma once

#include <string>

namespace pdvc {

std::string torch_version();
std::string torch_devices();  // "cpu", or "cpu, cuda (2)"

// Debian's Torch starts with one thread.
void use_threads(int threads);

}  // namespace pdvc
