// What everything that runs on oneDNN shares. Only for this folder's .cpp files.
#pragma once

#include <cstddef>
#include <oneapi/dnnl/dnnl.hpp>

namespace pdvc {

dnnl::engine& onednn_cpu();

// How many threads oneDNN's primitives are made for and run on, by the calling thread, as long as
// it lives. Primitives must be run under the number that they were made under.
class OpenMpThreads {
 public:
  explicit OpenMpThreads(int threads);
  ~OpenMpThreads();
  OpenMpThreads(const OpenMpThreads&) = delete;
  OpenMpThreads& operator=(const OpenMpThreads&) = delete;

 private:
  int before_;
};

}  // namespace pdvc
