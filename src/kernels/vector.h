// The arithmetic between matrix products: each function is compiled for several instruction sets,
// and the CPU's best is chosen at run time (see instruction_set.h). kernels/plain.h has the same
// functions as simple loops, for tests.
#pragma once

#include <cstdint>
#include <span>

namespace pdvc::vector {

float dot(std::span<const float> a, std::span<const float> b);
// out += factor * x
void add_scaled(float factor, std::span<const float> x, std::span<float> out);
// out = the sum of factors[i] * rows[i], each row as long as out.
void weighted_sum(std::span<const float* const> rows, std::span<const float> factors,
                  std::span<float> out);
// out = a + b
void add(std::span<const float> a, std::span<const float> b, std::span<float> out);

// A norm's learnt scale and shift.
struct Affine {
  std::span<const float> scale, shift;
};

// out = layer norm of x + y, over the whole span.
void add_and_normalize(std::span<const float> x, std::span<const float> y, Affine affine,
                       std::span<float> out);

// Group norm over rows [rows, channels] of one level of one video, in place: mean and variance of
// each group of neighbouring channels over all rows.
void group_normalize(std::span<float> rows, int64_t channels, int64_t groups, Affine affine);

// exp(x) / sum of exp(x), in place.
void softmax(std::span<float> x);

// One step of an LSTM for some of its units. Gates hold the units' input, forget, cell and output
// gates one after another [4, units]; `cell` is updated, `hidden` is the result.
void lstm_step(std::span<const float> gates, std::span<float> cell, std::span<float> hidden);

// Two rows and a place between them: (1 - share) * low + share * high.
struct Between {
  const float* low;
  const float* high;
  float share;
};

// The sum over a of alpha[a] * tanh(key[a] + query[a]).
float tanh_score(Between key, std::span<const float> query, std::span<const float> alpha);
// out += factor * row
void add_between(float factor, Between row, std::span<float> out);

// What is needed to choose a word and to know its probability: log p = best - log(sum) when `sum`
// counts all words.
struct BestWord {
  float score = 0;    // the largest
  int64_t index = 0;  // its first place
  float sum = 0;      // of exp(x - score)
};
BestWord best_word(std::span<const float> scores);

// Rows as whole numbers from -127 to 127: out = x / scale, rounded to the nearest; returns the
// scale.
float quantize(std::span<const float> x, std::span<int8_t> out);
// Back: out = sums * row_scale * column_scales + shift, and with `relu` nothing below 0.
void dequantize(std::span<const int32_t> sums, float row_scale, Affine columns, bool relu,
                std::span<float> out);
// To the upper half of a float, rounded to the nearest even.
void to_bfloat16(std::span<const float> x, std::span<uint16_t> out);

}  // namespace pdvc::vector
