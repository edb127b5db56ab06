#include "kernels/plain.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace pdvc::plain {
namespace {

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

double at(Between row, size_t i) {
  return (1 - static_cast<double>(row.share)) * row.low[i] +
         static_cast<double>(row.share) * row.high[i];
}

struct Moments {
  double mean, inverse_deviation;
};

// Of values(0) ... values(count - 1).
template <class Values>
Moments moments(size_t count, Values&& values) {
  double sum = 0, squares = 0;
  for (size_t i = 0; i < count; ++i) sum += values(i);
  const double mean = sum / static_cast<double>(count);
  for (size_t i = 0; i < count; ++i) squares += (values(i) - mean) * (values(i) - mean);
  return {mean, 1 / std::sqrt(squares / static_cast<double>(count) + 1e-5)};
}

}  // namespace

float dot(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
  return static_cast<float>(sum);
}

void add_scaled(float factor, std::span<const float> x, std::span<float> out) {
  for (size_t i = 0; i < x.size(); ++i) out[i] += factor * x[i];
}

void weighted_sum(std::span<const float* const> rows, std::span<const float> factors,
                  std::span<float> out) {
  for (size_t i = 0; i < out.size(); ++i) {
    double sum = 0;
    for (size_t r = 0; r < rows.size(); ++r) sum += static_cast<double>(factors[r]) * rows[r][i];
    out[i] = static_cast<float>(sum);
  }
}

void add(std::span<const float> a, std::span<const float> b, std::span<float> out) {
  for (size_t i = 0; i < a.size(); ++i) out[i] = a[i] + b[i];
}

void add_and_normalize(std::span<const float> x, std::span<const float> y, Affine affine,
                       std::span<float> out) {
  const auto sum = [&](size_t i) { return static_cast<double>(x[i]) + y[i]; };
  const Moments m = moments(x.size(), sum);
  for (size_t i = 0; i < x.size(); ++i)
    out[i] = static_cast<float>((sum(i) - m.mean) * m.inverse_deviation * affine.scale[i] +
                                affine.shift[i]);
}

void group_normalize(std::span<float> rows, int64_t channels, int64_t groups, Affine affine) {
  const auto all = static_cast<size_t>(channels), width = static_cast<size_t>(channels / groups);
  for (size_t g = 0; g < static_cast<size_t>(groups); ++g) {
    const auto index = [&](size_t i) { return i / width * all + g * width + i % width; };
    const size_t count = rows.size() / all * width;
    const Moments m = moments(count, [&](size_t i) { return rows[index(i)]; });
    for (size_t i = 0; i < count; ++i) {
      const size_t channel = index(i) % all;
      rows[index(i)] = static_cast<float>((rows[index(i)] - m.mean) * m.inverse_deviation *
                                              affine.scale[channel] +
                                          affine.shift[channel]);
    }
  }
}

void softmax(std::span<float> x) {
  const double most = *std::ranges::max_element(x);
  double sum = 0;
  for (const float v : x) sum += std::exp(v - most);
  for (float& v : x) v = static_cast<float>(std::exp(v - most) / sum);
}

void lstm_step(std::span<const float> gates, std::span<float> cell, std::span<float> hidden) {
  const size_t n = cell.size();
  for (size_t i = 0; i < n; ++i) {
    const double now = sigmoid(gates[n + i]) * cell[i] +
                       sigmoid(gates[i]) * std::tanh(static_cast<double>(gates[2 * n + i]));
    cell[i] = static_cast<float>(now);
    hidden[i] = static_cast<float>(sigmoid(gates[3 * n + i]) * std::tanh(now));
  }
}

float tanh_score(Between key, std::span<const float> query, std::span<const float> alpha) {
  double sum = 0;
  for (size_t i = 0; i < query.size(); ++i) sum += std::tanh(at(key, i) + query[i]) * alpha[i];
  return static_cast<float>(sum);
}

void add_between(float factor, Between row, std::span<float> out) {
  for (size_t i = 0; i < out.size(); ++i) out[i] += static_cast<float>(factor * at(row, i));
}

BestWord best_word(std::span<const float> scores) {
  const auto best = std::ranges::max_element(scores);
  double sum = 0;
  for (const float x : scores) sum += std::exp(static_cast<double>(x) - *best);
  return {*best, best - scores.begin(), static_cast<float>(sum)};
}

float quantize(std::span<const float> x, std::span<int8_t> out) {
  float most = 0;
  for (const float v : x) most = std::max(most, std::abs(v));
  for (size_t i = 0; i < x.size(); ++i)
    out[i] = most > 0 ? static_cast<int8_t>(std::nearbyint(x[i] * (127 / most))) : int8_t{0};
  return most / 127;
}

void dequantize(std::span<const int32_t> sums, float row_scale, Affine columns, bool relu,
                std::span<float> out) {
  for (size_t i = 0; i < sums.size(); ++i) {
    const double y = static_cast<double>(sums[i]) * row_scale * columns.scale[i] + columns.shift[i];
    out[i] = static_cast<float>(relu ? std::max(y, 0.0) : y);
  }
}

void to_bfloat16(std::span<const float> x, std::span<uint16_t> out) {
  for (size_t i = 0; i < x.size(); ++i) {
    const auto bits = std::bit_cast<uint32_t>(x[i]);
    const uint32_t kept = bits >> 16, dropped = bits & 0xffff;
    const bool up = dropped > 0x8000 || (dropped == 0x8000 && kept % 2 == 1);
    out[i] = static_cast<uint16_t>(kept + (up ? 1 : 0));
  }
}

void dense(std::span<const float> x, std::span<const float> weight, std::span<const float> bias,
           int64_t inputs, bool relu, std::span<float> out) {
  const auto in = static_cast<size_t>(inputs);
  const size_t outputs = weight.size() / in;
  for (size_t i = 0; i < out.size(); ++i) {
    const size_t row = i / outputs, column = i % outputs;
    const float y = dot(x.subspan(row * in, in), weight.subspan(column * in, in)) +
                    (bias.empty() ? 0 : bias[column]);
    out[i] = relu ? std::max(y, 0.0f) : y;
  }
}

void deformable_attend(std::span<const LevelRows> levels, std::span<const float> places,
                       std::span<const float> weights, std::span<float> out) {
  const size_t points = places.size() / levels.size();
  for (size_t c = 0; c < out.size(); ++c) {
    double sum = 0;
    for (size_t i = 0; i < places.size(); ++i) {
      const LevelRows& level = levels[i / points];
      // Every position counts by how near it is, up to one position away.
      for (int64_t j = 0; j < level.length; ++j) {
        const double share = 1 - std::abs(static_cast<double>(places[i]) - static_cast<double>(j));
        if (share > 0)
          sum += weights[i] * share * level.rows[j * level.stride + static_cast<int64_t>(c)];
      }
    }
    out[c] = static_cast<float>(sum);
  }
}

void caption_attend(std::span<const LevelRows> keys, std::span<const LevelRows> values,
                    std::span<const float> places, std::span<const float> query,
                    std::span<const float> alpha, std::span<float> out) {
  const size_t points = places.size() / keys.size();
  // Sample i of a channel of a level, with places outside moved to the border.
  const auto sample = [&](std::span<const LevelRows> levels, size_t i, size_t channel) {
    const LevelRows& level = levels[i / points];
    const double u = std::clamp<double>(places[i], 0, static_cast<double>(level.length - 1));
    const auto low = static_cast<int64_t>(std::floor(u)),
               high = std::min(low + 1, level.length - 1);
    const double share = u - std::floor(u);
    const auto at = [&](int64_t j) {
      return static_cast<double>(level.rows[j * level.stride + static_cast<int64_t>(channel)]);
    };
    return (1 - share) * at(low) + share * at(high);
  };
  std::vector<float> weights(places.size());
  for (size_t i = 0; i < places.size(); ++i) {
    double score = 0;
    for (size_t a = 0; a < query.size(); ++a)
      score += alpha[a] * std::tanh(sample(keys, i, a) + query[a]);
    weights[i] = static_cast<float>(score);
  }
  softmax(weights);
  for (size_t c = 0; c < out.size(); ++c) {
    double sum = 0;
    for (size_t i = 0; i < places.size(); ++i) sum += weights[i] * sample(values, i, c);
    out[c] = static_cast<float>(sum);
  }
}

std::vector<Scored> top_k(std::span<const float> scores, int64_t count) {
  std::vector<Scored> all;
  for (size_t i = 0; i < scores.size(); ++i) all.push_back({static_cast<int64_t>(i), scores[i]});
  std::ranges::sort(all, comes_before);
  all.resize(std::min(all.size(), static_cast<size_t>(count)));
  return all;
}

}  // namespace pdvc::plain
