#include "training/loader.h"

#include <algorithm>

namespace pdvc {

Loader::Loader(size_t count, size_t threads, Make make)
    : count_(count), ahead_(std::max<size_t>(threads, 1) + 1), make_(std::move(make)) {
  fill();
}

ExampleBatch Loader::next() {
  ExampleBatch batch = waiting_.front().get();
  waiting_.pop_front();
  fill();
  return batch;
}

void Loader::fill() {
  for (; waiting_.size() < ahead_ && started_ < count_; ++started_)
    waiting_.push_back(
        std::async(std::launch::async, [this, batch = started_] { return make_(batch); }));
}

}  // namespace pdvc
