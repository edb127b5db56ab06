// Batches of one epoch, made ahead of their use.
#pragma once

#include <deque>
#include <functional>
#include <future>
#include <vector>

#include "training/examples.h"

namespace pdvc {

// Makes batches on threads of its own and hands them out in order. Never more than a few are ready
// and waiting, so that memory is bounded.
class Loader {
 public:
  using Make = std::function<ExampleBatch(size_t batch)>;

  // `make` is called once for each of 0 ... count - 1, from up to `threads` threads.
  Loader(size_t count, size_t threads, Make make);
  // Waits for what is under way.
  ~Loader() = default;

  // The next batch; rethrows what went wrong while it was made.
  ExampleBatch next();

 private:
  void fill();

  size_t count_, ahead_;
  Make make_;
  size_t started_ = 0;
  std::deque<std::future<ExampleBatch>> waiting_;
};

}  // namespace pdvc
