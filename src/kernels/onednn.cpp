#include "kernels/onednn.h"

#include "kernels/instruction_set.h"

// Of the OpenMP library that oneDNN runs on. Its header comes with GCC only.
extern "C" {
int omp_get_max_threads();
void omp_set_num_threads(int threads);
}

namespace pdvc {

namespace {

dnnl::engine make_engine() {
  settle_instruction_set();
  // Has oneDNN make its cache of products now. The first of several threads would do as well, but
  // ThreadSanitizer does not see what guards it there.
  dnnl::get_primitive_cache_capacity();
  return {dnnl::engine::kind::cpu, 0};
}

}  // namespace

dnnl::engine& onednn_cpu() {
  static dnnl::engine engine = make_engine();
  return engine;
}

OpenMpThreads::OpenMpThreads(int threads) : before_(omp_get_max_threads()) {
  omp_set_num_threads(threads);
}
OpenMpThreads::~OpenMpThreads() { omp_set_num_threads(before_); }

}  // namespace pdvc
