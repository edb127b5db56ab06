// The functions of kernels/vector.h and the dense layer as simple loops in double precision: what
// the fast ones are tested against.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/sampling.h"
#include "kernels/top_k.h"
#include "kernels/vector.h"

namespace pdvc::plain {

using vector::Affine;
using vector::BestWord;
using vector::Between;

float dot(std::span<const float> a, std::span<const float> b);
void add_scaled(float factor, std::span<const float> x, std::span<float> out);
void weighted_sum(std::span<const float* const> rows, std::span<const float> factors,
                  std::span<float> out);
void add(std::span<const float> a, std::span<const float> b, std::span<float> out);
void add_and_normalize(std::span<const float> x, std::span<const float> y, Affine affine,
                       std::span<float> out);
void group_normalize(std::span<float> rows, int64_t channels, int64_t groups, Affine affine);
void softmax(std::span<float> x);
void lstm_step(std::span<const float> gates, std::span<float> cell, std::span<float> hidden);
float tanh_score(Between key, std::span<const float> query, std::span<const float> alpha);
void add_between(float factor, Between row, std::span<float> out);
BestWord best_word(std::span<const float> scores);
float quantize(std::span<const float> x, std::span<int8_t> out);
void dequantize(std::span<const int32_t> sums, float row_scale, Affine columns, bool relu,
                std::span<float> out);
void to_bfloat16(std::span<const float> x, std::span<uint16_t> out);

// x [rows, in] times the transposed weight [out, in], plus the bias (may be empty).
void dense(std::span<const float> x, std::span<const float> weight, std::span<const float> bias,
           int64_t inputs, bool relu, std::span<float> out);

// See DeformableSampler and CaptionSampler.
void deformable_attend(std::span<const LevelRows> levels, std::span<const float> places,
                       std::span<const float> weights, std::span<float> out);
void caption_attend(std::span<const LevelRows> keys, std::span<const LevelRows> values,
                    std::span<const float> places, std::span<const float> query,
                    std::span<const float> alpha, std::span<float> out);

std::vector<Scored> top_k(std::span<const float> scores, int64_t count);

}  // namespace pdvc::plain
