#include "kernels/onednn.h"

#include "kernels/instruction_set.h"

// Of the OpenMP library that oneDNN runs on. Its header comes with GCC only.
extern "C" {
int omp_get_max_threads();
void omp_set_num_threads(int threads);
}

namespace pdvc {

dnnl::engine& onednn_cpu() {
  static dnnl::engine engine = (settle_instruction_set(), dnnl::engine(dnnl::engine::kind::cpu, 0));
  return engine;
}

OpenMpThreads::OpenMpThreads(int threads) : before_(omp_get_max_threads()) {
  omp_set_num_threads(threads);
}
OpenMpThreads::~OpenMpThreads() { omp_set_num_threads(before_); }

}  // namespace pdvc
