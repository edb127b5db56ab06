// Dense layers: matrix products on oneDNN, with weights packed once.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/large_block.h"

namespace pdvc {

// What a layer multiplies in. Sums, biases and everything between layers stay f32.
enum class DensePrecision { f32, bf16, int8 };

// What one thread needs to run layers: prepared products and room for them, kept from call to call.
class DenseScratch {
 public:
  DenseScratch();
  ~DenseScratch();
  DenseScratch(DenseScratch&&) noexcept;
  DenseScratch& operator=(DenseScratch&&) noexcept;

 private:
  friend class Dense;
  struct Content;
  std::unique_ptr<Content> content_;
};

// y = x W^T + b, with max(0, y) if asked for. Unchanged after it is made: threads may share it,
// each with a scratch of its own. A product runs on the thread that asks for it.
class Dense {
 public:
  struct Options {
    DensePrecision precision = DensePrecision::f32;
    bool relu = false;
    int64_t typical_rows = 128;  // the packing favours this many rows at once
    BlockPool* room = nullptr;   // keeps the packed weights and outlives the layer; null: its own
  };

  Dense();
  // weight [outputs, inputs]; bias [outputs], or empty for none.
  Dense(std::span<const float> weight, std::span<const float> bias, int64_t inputs,
        Options options);
  ~Dense();
  Dense(Dense&&) noexcept;
  Dense& operator=(Dense&&) noexcept;

  int64_t inputs() const;
  int64_t outputs() const;
  // What it really multiplies in: f32 where the CPU would only emulate the precision asked for.
  DensePrecision precision() const;
  // Bytes of the packed weights.
  int64_t bytes() const;

  // x [rows, inputs] -> y [rows, outputs]. Both must have room for padded_rows(rows) rows: products
  // are prepared for some numbers of rows only, and what lies behind is computed with garbage.
  void run(const float* x, float* y, int64_t rows, DenseScratch& scratch) const;

 private:
  friend class DenseScratch;
  struct Content;
  std::unique_ptr<Content> content_;
};

// The least number of rows, at least `rows`, that products are prepared for.
int64_t padded_rows(int64_t rows);

}  // namespace pdvc
