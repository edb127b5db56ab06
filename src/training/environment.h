// The LibTorch at hand, and what it needs to run well.
#pragma once

#include <string>

namespace pdvc {

std::string torch_version();
std::string torch_devices();  // "cpu", or "cpu, cuda (2)"

// Starts this program again with OpenBLAS told which kernels to use, where it fell back to its
// slowest: the release in Debian does not know newer CPUs by name and then takes those of 2004, a
// fifth as fast. To be called first in main, with main's arguments; returns where nothing is to be
// done.
void prefer_fast_blas(char** words);

// Keeps freed memory for the next step. A step asks for the same large blocks as the last, and
// fetching each from the kernel anew costs a page fault per 4 kB.
void keep_freed_memory();

}  // namespace pdvc
