// What one request at a time needs besides the model: threads, room for numbers, prepared products.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "base/team.h"
#include "kernels/dense.h"

namespace pdvc {

// Room that is handed out like a stack and kept for the next request. Contents are undefined.
class Arena {
 public:
  // `count` rows of `width` numbers, with room behind them for what padded_rows() adds.
  float* rows(int64_t count, int64_t width);

  // Gives back, at its end, everything handed out since its beginning.
  class Scope {
   public:
    explicit Scope(Arena& arena) : arena_(arena), block_(arena.block_), used_(arena.used_) {}
    ~Scope() {
      arena_.block_ = block_;
      arena_.used_ = used_;
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Arena& arena_;
    size_t block_, used_;
  };

 private:
  struct Free {
    void operator()(float* data) const;
  };
  struct Block {
    std::unique_ptr<float, Free> data;
    size_t size;
  };
  std::vector<Block> blocks_;
  size_t block_ = 0, used_ = 0;  // where the next room begins
};

// Belongs to one request at a time and may serve many, of any model, one after another.
class Workspace {
 public:
  explicit Workspace(int threads);

  Arena arena;
  Team team;

  DenseScratch& scratch(int thread) { return scratches_[static_cast<size_t>(thread)]; }
  // x [rows, inputs] -> y [rows, outputs], the rows shared among the team. Both have the room of
  // Arena::rows.
  void run(const Dense& layer, const float* x, float* y, int64_t rows);
  // body(first, last, thread) for parts of [0, count), shared among the team.
  template <class Body>
  void split(int64_t count, Body&& body) {
    const int64_t threads = team.size();
    team.run([&](int thread) {
      const int64_t first = count * thread / threads, last = count * (thread + 1) / threads;
      if (first < last) body(first, last, thread);
    });
  }

  // Rows of word gates that have been computed, by model and word: see runtime/recurrent_captioner.
  struct WordGates {
    int64_t model = -1;
    std::vector<std::unique_ptr<float[]>> rows;
  };
  WordGates word_gates;
  // Sine embeddings of levels by their number of positions and width.
  std::map<std::pair<int64_t, int64_t>, std::vector<float>> sines;

 private:
  std::vector<DenseScratch> scratches_;
};

}  // namespace pdvc
