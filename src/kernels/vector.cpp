#include "kernels/vector.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/vector.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, which includes this file once for each instruction set.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pdvc::vector::HWY_NAMESPACE {

float dot(const float* a, const float* b, size_t n) {
  const Floats d;
  const size_t lanes = hn::Lanes(d);
  Vector first = hn::Zero(d), second = hn::Zero(d);  // two sums hide the latency of one
  size_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    first = hn::MulAdd(hn::LoadU(d, a + i), hn::LoadU(d, b + i), first);
    second = hn::MulAdd(hn::LoadU(d, a + i + lanes), hn::LoadU(d, b + i + lanes), second);
  }
  float sum = total(hn::Add(first, second));
  for (; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

void add_scaled(float factor, const float* x, float* out, size_t n) {
  const Floats d;
  const Vector f = hn::Set(d, factor);
  over(
      n,
      [&](size_t i) {
        hn::StoreU(hn::MulAdd(f, hn::LoadU(d, x + i), hn::LoadU(d, out + i)), d, out + i);
      },
      [&](size_t i) { out[i] += factor * x[i]; });
}

// Four vectors of the result at a time stay in registers while all rows are added to them.
void weighted_sum(const float* const* rows, const float* factors, size_t count, float* out,
                  size_t n) {
  const Floats d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    Vector a = hn::Zero(d), b = a, c = a, e = a;
    for (size_t r = 0; r < count; ++r) {
      const Vector f = hn::Set(d, factors[r]);
      const float* row = rows[r] + i;
      a = hn::MulAdd(f, hn::LoadU(d, row), a);
      b = hn::MulAdd(f, hn::LoadU(d, row + lanes), b);
      c = hn::MulAdd(f, hn::LoadU(d, row + 2 * lanes), c);
      e = hn::MulAdd(f, hn::LoadU(d, row + 3 * lanes), e);
    }
    hn::StoreU(a, d, out + i);
    hn::StoreU(b, d, out + i + lanes);
    hn::StoreU(c, d, out + i + 2 * lanes);
    hn::StoreU(e, d, out + i + 3 * lanes);
  }
  for (; i + lanes <= n; i += lanes) {
    Vector a = hn::Zero(d);
    for (size_t r = 0; r < count; ++r)
      a = hn::MulAdd(hn::Set(d, factors[r]), hn::LoadU(d, rows[r] + i), a);
    hn::StoreU(a, d, out + i);
  }
  for (; i < n; ++i) {
    out[i] = 0;
    for (size_t r = 0; r < count; ++r) out[i] += factors[r] * rows[r][i];
  }
}

void add(const float* a, const float* b, float* out, size_t n) {
  const Floats d;
  over(
      n,
      [&](size_t i) { hn::StoreU(hn::Add(hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d, out + i); },
      [&](size_t i) { out[i] = a[i] + b[i]; });
}

void add_and_normalize(const float* x, const float* y, const float* scale, const float* shift,
                       float* out, size_t n) {
  const Floats d;
  Vector sums = hn::Zero(d);
  float rest = 0;
  over(
      n,
      [&](size_t i) {
        const Vector v = hn::Add(hn::LoadU(d, x + i), hn::LoadU(d, y + i));
        hn::StoreU(v, d, out + i);
        sums = hn::Add(sums, v);
      },
      [&](size_t i) { rest += out[i] = x[i] + y[i]; });
  const float mean = (total(sums) + rest) / static_cast<float>(n);
  const Vector means = hn::Set(d, mean);
  sums = hn::Zero(d);
  rest = 0;
  over(
      n,
      [&](size_t i) {
        const Vector v = hn::Sub(hn::LoadU(d, out + i), means);
        sums = hn::MulAdd(v, v, sums);
      },
      [&](size_t i) { rest += (out[i] - mean) * (out[i] - mean); });
  const float inverse = 1 / std::sqrt((total(sums) + rest) / static_cast<float>(n) + 1e-5f);
  const Vector inverses = hn::Set(d, inverse);
  over(
      n,
      [&](size_t i) {
        const Vector v = hn::Mul(hn::Sub(hn::LoadU(d, out + i), means), inverses);
        hn::StoreU(hn::MulAdd(v, hn::LoadU(d, scale + i), hn::LoadU(d, shift + i)), d, out + i);
      },
      [&](size_t i) { out[i] = (out[i] - mean) * inverse * scale[i] + shift[i]; });
}

void group_normalize(float* rows, size_t count, size_t channels, size_t groups, const float* scale,
                     const float* shift) {
  const Floats d;
  const size_t width = channels / groups;
  const float numbers = static_cast<float>(count * width);
  for (size_t g = 0; g < groups; ++g) {
    float* first = rows + g * width;
    const float *scales = scale + g * width, *shifts = shift + g * width;
    Vector sums = hn::Zero(d);
    float rest = 0;
    for (size_t r = 0; r < count; ++r) {
      const float* x = first + r * channels;
      over(
          width, [&](size_t i) { sums = hn::Add(sums, hn::LoadU(d, x + i)); },
          [&](size_t i) { rest += x[i]; });
    }
    const float mean = (total(sums) + rest) / numbers;
    const Vector means = hn::Set(d, mean);
    sums = hn::Zero(d);
    rest = 0;
    for (size_t r = 0; r < count; ++r) {
      const float* x = first + r * channels;
      over(
          width,
          [&](size_t i) {
            const Vector away = hn::Sub(hn::LoadU(d, x + i), means);
            sums = hn::MulAdd(away, away, sums);
          },
          [&](size_t i) { rest += (x[i] - mean) * (x[i] - mean); });
    }
    const float inverse = 1 / std::sqrt((total(sums) + rest) / numbers + 1e-5f);
    const Vector inverses = hn::Set(d, inverse);
    for (size_t r = 0; r < count; ++r) {
      float* x = first + r * channels;
      over(
          width,
          [&](size_t i) {
            const Vector v = hn::Mul(hn::Sub(hn::LoadU(d, x + i), means), inverses);
            hn::StoreU(hn::MulAdd(v, hn::LoadU(d, scales + i), hn::LoadU(d, shifts + i)), d, x + i);
          },
          [&](size_t i) { x[i] = (x[i] - mean) * inverse * scales[i] + shifts[i]; });
    }
  }
}

// The largest of x, at least `least`.
HWY_INLINE float largest(const float* x, size_t n, float least) {
  const Floats d;
  Vector most = hn::Set(d, least);
  float rest = least;
  over(
      n, [&](size_t i) { most = hn::Max(most, hn::LoadU(d, x + i)); },
      [&](size_t i) { rest = x[i] > rest ? x[i] : rest; });
  const float best = hn::GetLane(hn::MaxOfLanes(d, most));
  return best > rest ? best : rest;
}

void softmax(float* x, size_t n) {
  const Floats d;
  const float most = largest(x, n, -INFINITY);
  const Vector mosts = hn::Set(d, most);
  Vector sums = hn::Zero(d);
  float sum = 0;
  over(
      n,
      [&](size_t i) {
        const Vector e = hn::Exp(d, hn::Sub(hn::LoadU(d, x + i), mosts));
        hn::StoreU(e, d, x + i);
        sums = hn::Add(sums, e);
      },
      [&](size_t i) { sum += x[i] = std::exp(x[i] - most); });
  const float factor = 1 / (sum + total(sums));
  const Vector factors = hn::Set(d, factor);
  over(
      n, [&](size_t i) { hn::StoreU(hn::Mul(hn::LoadU(d, x + i), factors), d, x + i); },
      [&](size_t i) { x[i] *= factor; });
}

HWY_INLINE Vector sigmoid(Vector x) {
  const Floats d;
  const Vector one = hn::Set(d, 1.0f), most = hn::Set(d, 80.0f);  // Highway's exp ends at 104
  return hn::Div(one, hn::Add(one, hn::Exp(d, hn::Min(hn::Neg(x), most))));
}

// 1 - 2 / (exp(2x) + 1): within 1e-7, at half the cost of Highway's, which is exact near 0 too.
HWY_INLINE Vector tanh(Vector x) {
  const Floats d;
  const Vector one = hn::Set(d, 1.0f), two = hn::Set(d, 2.0f), most = hn::Set(d, 80.0f);
  const Vector e = hn::Exp(d, hn::Min(hn::Add(x, x), most));
  return hn::Sub(one, hn::Div(two, hn::Add(e, one)));
}

HWY_INLINE float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

void lstm_step(const float* gates, float* cell, float* hidden, size_t n) {
  const Floats d;
  const float *in = gates, *forget = gates + n, *candidate = gates + 2 * n, *out = gates + 3 * n;
  over(
      n,
      [&](size_t i) {
        const Vector kept = hn::Mul(sigmoid(hn::LoadU(d, forget + i)), hn::LoadU(d, cell + i));
        const Vector now =
            hn::MulAdd(sigmoid(hn::LoadU(d, in + i)), tanh(hn::LoadU(d, candidate + i)), kept);
        hn::StoreU(now, d, cell + i);
        hn::StoreU(hn::Mul(sigmoid(hn::LoadU(d, out + i)), tanh(now)), d, hidden + i);
      },
      [&](size_t i) {
        cell[i] = sigmoid(forget[i]) * cell[i] + sigmoid(in[i]) * std::tanh(candidate[i]);
        hidden[i] = sigmoid(out[i]) * std::tanh(cell[i]);
      });
}

float tanh_score(Between key, const float* query, const float* alpha, size_t n) {
  const Floats d;
  const Vector share = hn::Set(d, key.share);
  Vector sums = hn::Zero(d);
  float rest = 0;
  over(
      n,
      [&](size_t i) {
        const Vector low = hn::LoadU(d, key.low + i);
        const Vector at = hn::MulAdd(share, hn::Sub(hn::LoadU(d, key.high + i), low), low);
        const Vector open = tanh(hn::Add(at, hn::LoadU(d, query + i)));
        sums = hn::MulAdd(open, hn::LoadU(d, alpha + i), sums);
      },
      [&](size_t i) {
        const float at = key.low[i] + key.share * (key.high[i] - key.low[i]);
        rest += std::tanh(at + query[i]) * alpha[i];
      });
  return total(sums) + rest;
}

void add_between(float factor, Between row, float* out, size_t n) {
  const Floats d;
  const float low_factor = factor * (1 - row.share), high_factor = factor * row.share;
  const Vector lows = hn::Set(d, low_factor), highs = hn::Set(d, high_factor);
  over(
      n,
      [&](size_t i) {
        const Vector sum = hn::MulAdd(lows, hn::LoadU(d, row.low + i), hn::LoadU(d, out + i));
        hn::StoreU(hn::MulAdd(highs, hn::LoadU(d, row.high + i), sum), d, out + i);
      },
      [&](size_t i) { out[i] += low_factor * row.low[i] + high_factor * row.high[i]; });
}

BestWord best_word(const float* x, size_t n) {
  const Floats d;
  BestWord best{.score = largest(x, n, -INFINITY)};
  while (x[best.index] != best.score && best.index + 1 < static_cast<int64_t>(n)) ++best.index;
  const Vector mosts = hn::Set(d, best.score);
  constexpr size_t kBlock = 512;  // a long sum of floats loses what a sum of sums keeps
  double sum = 0;
  for (size_t first = 0; first < n; first += kBlock) {
    Vector sums = hn::Zero(d);
    float rest = 0;
    over(
        std::min(kBlock, n - first),
        [&](size_t i) {
          sums = hn::Add(sums, hn::Exp(d, hn::Sub(hn::LoadU(d, x + first + i), mosts)));
        },
        [&](size_t i) { rest += std::exp(x[first + i] - best.score); });
    sum += total(sums) + rest;
  }
  best.sum = static_cast<float>(sum);
  return best;
}

}  // namespace pdvc::vector::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pdvc::vector {

HWY_EXPORT(dot);
HWY_EXPORT(add_scaled);
HWY_EXPORT(weighted_sum);
HWY_EXPORT(add);
HWY_EXPORT(add_and_normalize);
HWY_EXPORT(group_normalize);
HWY_EXPORT(softmax);
HWY_EXPORT(lstm_step);
HWY_EXPORT(tanh_score);
HWY_EXPORT(add_between);
HWY_EXPORT(best_word);

float dot(std::span<const float> a, std::span<const float> b) {
  return HWY_DYNAMIC_DISPATCH(dot)(a.data(), b.data(), a.size());
}

void add_scaled(float factor, std::span<const float> x, std::span<float> out) {
  HWY_DYNAMIC_DISPATCH(add_scaled)(factor, x.data(), out.data(), x.size());
}

void weighted_sum(std::span<const float* const> rows, std::span<const float> factors,
                  std::span<float> out) {
  HWY_DYNAMIC_DISPATCH(weighted_sum)
  (rows.data(), factors.data(), rows.size(), out.data(), out.size());
}

void add(std::span<const float> a, std::span<const float> b, std::span<float> out) {
  HWY_DYNAMIC_DISPATCH(add)(a.data(), b.data(), out.data(), a.size());
}

void add_and_normalize(std::span<const float> x, std::span<const float> y, Affine affine,
                       std::span<float> out) {
  HWY_DYNAMIC_DISPATCH(add_and_normalize)
  (x.data(), y.data(), affine.scale.data(), affine.shift.data(), out.data(), x.size());
}

void group_normalize(std::span<float> rows, int64_t channels, int64_t groups, Affine affine) {
  const auto width = static_cast<size_t>(channels);
  HWY_DYNAMIC_DISPATCH(group_normalize)
  (rows.data(), rows.size() / width, width, static_cast<size_t>(groups), affine.scale.data(),
   affine.shift.data());
}

void softmax(std::span<float> x) { HWY_DYNAMIC_DISPATCH(softmax)(x.data(), x.size()); }

void lstm_step(std::span<const float> gates, std::span<float> cell, std::span<float> hidden) {
  HWY_DYNAMIC_DISPATCH(lstm_step)(gates.data(), cell.data(), hidden.data(), cell.size());
}

float tanh_score(Between key, std::span<const float> query, std::span<const float> alpha) {
  return HWY_DYNAMIC_DISPATCH(tanh_score)(key, query.data(), alpha.data(), query.size());
}

void add_between(float factor, Between row, std::span<float> out) {
  HWY_DYNAMIC_DISPATCH(add_between)(factor, row, out.data(), out.size());
}

BestWord best_word(std::span<const float> scores) {
  return HWY_DYNAMIC_DISPATCH(best_word)(scores.data(), scores.size());
}

}  // namespace pdvc::vector
#endif  // HWY_ONCE
