#include "model/deformable_sampling.h"

#include <ATen/Parallel.h>

#include <cmath>

namespace pdvc {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

// What a place reads: two neighbours and their shares. A share of zero stands for a neighbour
// that is not there.
template <class T>
struct Reading {
  int64_t low, high;  // positions within the level
  T low_share, high_share;
  T low_slope, high_slope;  // change of the shares with the place
};

template <class T>
Reading<T> read_zero_padded(T u, int64_t length) {
  if (!(u > T(-1) && u < static_cast<T>(length))) return {0, 0, 0, 0, 0, 0};
  const auto low = static_cast<int64_t>(std::floor(u));
  const T share = u - static_cast<T>(low);
  const bool has_low = low >= 0, has_high = low + 1 < length;
  return {has_low ? low : 0,    has_high ? low + 1 : 0, has_low ? 1 - share : 0,
          has_high ? share : 0, has_low ? T(-1) : T(0), has_high ? T(1) : T(0)};
}

// u is clamped to [0, last]; beyond it nothing changes with the place.
template <class T>
Reading<T> read_border(T u, int64_t last) {
  const T slope = u > 0 && u < static_cast<T>(last) ? T(1) : T(0);
  const T clamped = std::isnan(u) ? T(0) : std::clamp(u, T(0), static_cast<T>(last));
  const auto low = std::min(static_cast<int64_t>(clamped), last);
  const int64_t high = std::min(low + 1, last);
  const T share = clamped - static_cast<T>(low);
  return {low, high, 1 - share, share, -slope, slope};
}

template <class T>
T dot(const T* a, const T* b, int64_t count) {
  T sum = 0;
  for (int64_t d = 0; d < count; ++d) sum += a[d] * b[d];
  return sum;
}

template <class T>
void add_scaled(T* out, const T* in, T factor, int64_t count) {
  for (int64_t d = 0; d < count; ++d) out[d] += factor * in[d];
}

struct Sizes {
  int64_t videos, positions, heads, width, queries, levels, points;

  Sizes(const Tensor& values, const Tensor& places)
      : videos(values.size(0)),
        positions(values.size(1)),
        heads(values.size(2)),
        width(values.size(3)),
        queries(places.size(-4)),
        levels(places.size(-2)),
        points(places.size(-1)) {}
  int64_t samples() const { return levels * points; }
  int64_t row() const { return heads * width; }  // numbers of one position
};

// Calls visit(sample index, reading, offset of the level) for the samples of one query and head.
template <class T, class Read, class Visit>
void for_each_sample(const Sizes& s, const Levels& levels, const T* places, Read&& read,
                     Visit&& visit) {
  for (int64_t l = 0; l < s.levels; ++l)
    for (int64_t k = 0; k < s.points; ++k) {
      const int64_t i = l * s.points + k;
      visit(i, read(places[i], l), levels.starts[static_cast<size_t>(l)]);
    }
}

template <class T>
void attend_forward(const Sizes& s, const Levels& levels, const T* values, const T* places,
                    const T* weights, T* out) {
  at::parallel_for(0, s.videos * s.queries, 1, [&](int64_t begin, int64_t end) {
    for (int64_t q = begin; q < end; ++q)
      for (int64_t h = 0; h < s.heads; ++h) {
        const T* head_values = values + (q / s.queries) * s.positions * s.row() + h * s.width;
        const int64_t first = (q * s.heads + h) * s.samples();
        T* target = out + (q * s.heads + h) * s.width;
        const auto read = [&](T p, int64_t l) {
          return read_zero_padded(p, levels.lengths[static_cast<size_t>(l)]);
        };
        for_each_sample<T>(s, levels, places + first, read,
                           [&](int64_t i, const Reading<T>& r, int64_t start) {
                             const T weight = weights[first + i];
                             add_scaled(target, head_values + (start + r.low) * s.row(),
                                        weight * r.low_share, s.width);
                             add_scaled(target, head_values + (start + r.high) * s.row(),
                                        weight * r.high_share, s.width);
                           });
      }
  });
}

// Videos and heads touch different values, so they can go in parallel without locks.
template <class T>
void attend_backward(const Sizes& s, const Levels& levels, const T* values, const T* places,
                     const T* weights, const T* grad_out, T* grad_values, T* grad_places,
                     T* grad_weights) {
  at::parallel_for(0, s.videos * s.heads, 1, [&](int64_t begin, int64_t end) {
    for (int64_t index = begin; index < end; ++index) {
      const int64_t n = index / s.heads, h = index % s.heads;
      const int64_t base = n * s.positions * s.row() + h * s.width;
      for (int64_t q = n * s.queries; q < (n + 1) * s.queries; ++q) {
        const int64_t first = (q * s.heads + h) * s.samples();
        const T* grad = grad_out + (q * s.heads + h) * s.width;
        const auto read = [&](T p, int64_t l) {
          return read_zero_padded(p, levels.lengths[static_cast<size_t>(l)]);
        };
        for_each_sample<T>(
            s, levels, places + first, read, [&](int64_t i, const Reading<T>& r, int64_t start) {
              const int64_t low = base + (start + r.low) * s.row(),
                            high = base + (start + r.high) * s.row();
              const T weight = weights[first + i];
              const T low_dot = dot(grad, values + low, s.width),
                      high_dot = dot(grad, values + high, s.width);
              grad_weights[first + i] = r.low_share * low_dot + r.high_share * high_dot;
              grad_places[first + i] = weight * (r.low_slope * low_dot + r.high_slope * high_dot);
              add_scaled(grad_values + low, grad, weight * r.low_share, s.width);
              add_scaled(grad_values + high, grad, weight * r.high_share, s.width);
            });
      }
    }
  });
}

class DeformableAttend : public Function<DeformableAttend> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& values, const Tensor& places,
                        const Tensor& weights, const std::vector<int64_t>& lengths) {
    const Tensor v = values.contiguous(), p = places.contiguous(), w = weights.contiguous();
    context->save_for_backward({v, p, w});
    context->saved_data["lengths"] = lengths;
    const Sizes sizes(v, p);
    Tensor out = torch::zeros({sizes.videos, sizes.queries, sizes.row()}, v.options());
    AT_DISPATCH_FLOATING_TYPES(v.scalar_type(), "deformable_attend", [&] {
      attend_forward<scalar_t>(sizes, Levels(lengths), v.data_ptr<scalar_t>(),
                               p.data_ptr<scalar_t>(), w.data_ptr<scalar_t>(),
                               out.data_ptr<scalar_t>());
    });
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list grads) {
    const auto saved = context->get_saved_variables();
    const Tensor &v = saved[0], &p = saved[1], &w = saved[2];
    const Levels levels(context->saved_data["lengths"].toIntVector());
    const Tensor grad = grads[0].contiguous();
    const Sizes sizes(v, p);
    Tensor grad_v = torch::zeros_like(v), grad_p = torch::empty_like(p),
           grad_w = torch::empty_like(w);
    AT_DISPATCH_FLOATING_TYPES(v.scalar_type(), "deformable_attend_backward", [&] {
      attend_backward<scalar_t>(sizes, levels, v.data_ptr<scalar_t>(), p.data_ptr<scalar_t>(),
                                w.data_ptr<scalar_t>(), grad.data_ptr<scalar_t>(),
                                grad_v.data_ptr<scalar_t>(), grad_p.data_ptr<scalar_t>(),
                                grad_w.data_ptr<scalar_t>());
    });
    return {grad_v, grad_p, grad_w, Tensor()};
  }
};

// Which video a caption belongs to, and where its levels end.
struct CaptionEnds {
  const int64_t* video;
  const int64_t* last;  // [N, L]
};

template <class T>
void border_forward(const Sizes& s, const Levels& levels, const T* values, const T* places,
                    CaptionEnds ends, T* out) {
  at::parallel_for(0, s.queries, 1, [&](int64_t begin, int64_t end) {
    for (int64_t c = begin; c < end; ++c)
      for (int64_t h = 0; h < s.heads; ++h) {
        const int64_t n = ends.video[c];
        const T* head_values = values + n * s.positions * s.row() + h * s.width;
        const int64_t first = (c * s.heads + h) * s.samples();
        const auto read = [&](T p, int64_t l) {
          return read_border(p, ends.last[n * s.levels + l]);
        };
        for_each_sample<T>(s, levels, places + first, read,
                           [&](int64_t i, const Reading<T>& r, int64_t start) {
                             T* target = out + (first + i) * s.width;
                             const T *low = head_values + (start + r.low) * s.row(),
                                     *high = head_values + (start + r.high) * s.row();
                             for (int64_t d = 0; d < s.width; ++d)
                               target[d] = r.low_share * low[d] + r.high_share * high[d];
                           });
      }
  });
}

// Captions of one video add to the same values: threads share the channels among themselves
// instead.
template <class T>
void border_backward(const Sizes& s, const Levels& levels, const T* values, const T* places,
                     CaptionEnds ends, const T* grad_out, T* grad_values, T* grad_places) {
  const auto read_at = [&](int64_t c) {
    return
        [&, c](T p, int64_t l) { return read_border(p, ends.last[ends.video[c] * s.levels + l]); };
  };
  at::parallel_for(0, s.queries, 1, [&](int64_t begin, int64_t end) {
    for (int64_t c = begin; c < end; ++c)
      for (int64_t h = 0; h < s.heads; ++h) {
        const int64_t base = ends.video[c] * s.positions * s.row() + h * s.width;
        const int64_t first = (c * s.heads + h) * s.samples();
        for_each_sample<T>(
            s, levels, places + first, read_at(c),
            [&](int64_t i, const Reading<T>& r, int64_t start) {
              const T* grad = grad_out + (first + i) * s.width;
              grad_places[first + i] =
                  r.low_slope * dot(grad, values + base + (start + r.low) * s.row(), s.width) +
                  r.high_slope * dot(grad, values + base + (start + r.high) * s.row(), s.width);
            });
      }
  });
  constexpr int64_t kBlock = 64;
  const int64_t blocks = (s.width + kBlock - 1) / kBlock;
  at::parallel_for(0, s.heads * blocks, 1, [&](int64_t begin, int64_t end) {
    for (int64_t index = begin; index < end; ++index) {
      const int64_t h = index / blocks, from = index % blocks * kBlock,
                    count = std::min(kBlock, s.width - from);
      for (int64_t c = 0; c < s.queries; ++c) {
        const int64_t base = ends.video[c] * s.positions * s.row() + h * s.width + from;
        const int64_t first = (c * s.heads + h) * s.samples();
        for_each_sample<T>(s, levels, places + first, read_at(c),
                           [&](int64_t i, const Reading<T>& r, int64_t start) {
                             const T* grad = grad_out + (first + i) * s.width + from;
                             add_scaled(grad_values + base + (start + r.low) * s.row(), grad,
                                        r.low_share, count);
                             add_scaled(grad_values + base + (start + r.high) * s.row(), grad,
                                        r.high_share, count);
                           });
      }
    }
  });
}

class BorderSamples : public Function<BorderSamples> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& values, const Tensor& places,
                        const Tensor& video, const Tensor& last,
                        const std::vector<int64_t>& lengths) {
    const Tensor v = values.contiguous(), p = places.contiguous();
    const Tensor which = video.contiguous(), final = last.contiguous();
    context->save_for_backward({v, p, which, final});
    context->saved_data["lengths"] = lengths;
    const Sizes sizes(v, p);
    Tensor out =
        torch::empty({sizes.queries, sizes.heads, sizes.samples(), sizes.width}, v.options());
    AT_DISPATCH_FLOATING_TYPES(v.scalar_type(), "border_samples", [&] {
      border_forward<scalar_t>(
          sizes, Levels(lengths), v.data_ptr<scalar_t>(), p.data_ptr<scalar_t>(),
          {which.data_ptr<int64_t>(), final.data_ptr<int64_t>()}, out.data_ptr<scalar_t>());
    });
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list grads) {
    const auto saved = context->get_saved_variables();
    const Tensor &v = saved[0], &p = saved[1], &which = saved[2], &final = saved[3];
    const Levels levels(context->saved_data["lengths"].toIntVector());
    const Tensor grad = grads[0].contiguous();
    const Sizes sizes(v, p);
    Tensor grad_v = torch::zeros_like(v), grad_p = torch::empty_like(p);
    AT_DISPATCH_FLOATING_TYPES(v.scalar_type(), "border_samples_backward", [&] {
      border_backward<scalar_t>(sizes, levels, v.data_ptr<scalar_t>(), p.data_ptr<scalar_t>(),
                                {which.data_ptr<int64_t>(), final.data_ptr<int64_t>()},
                                grad.data_ptr<scalar_t>(), grad_v.data_ptr<scalar_t>(),
                                grad_p.data_ptr<scalar_t>());
    });
    return {grad_v, grad_p, Tensor(), Tensor(), Tensor()};
  }
};

// Rows of one level [.., n, D] at whole positions [.., count], for any device.
Tensor rows_at(const Tensor& level, const Tensor& positions) {
  return level.gather(-2, positions.unsqueeze(-1).expand({-1, -1, -1, level.size(-1)}));
}

bool runs_natively(const Tensor& values) { return values.device().is_cpu(); }

}  // namespace

Tensor deformable_attend(const Tensor& values, const Levels& levels, const Tensor& places,
                         const Tensor& weights) {
  if (!runs_natively(values)) return composed_deformable_attend(values, levels, places, weights);
  return DeformableAttend::apply(values, places, weights, levels.lengths);
}

Tensor border_samples(const Tensor& values, const Levels& levels, const Tensor& places,
                      const Tensor& video, const Tensor& last) {
  if (!runs_natively(values)) return composed_border_samples(values, levels, places, video, last);
  return BorderSamples::apply(values, places, video, last, levels.lengths);
}

Tensor composed_deformable_attend(const Tensor& values, const Levels& levels, const Tensor& places,
                                  const Tensor& weights) {
  const Sizes s(values, places);
  const Tensor by_head = values.permute({0, 2, 1, 3});  // [N, H, S, D]
  Tensor sum = torch::zeros({s.videos, s.heads, s.queries, s.width}, values.options());
  for (int64_t l = 0; l < s.levels; ++l) {
    const int64_t length = levels.lengths[static_cast<size_t>(l)];
    const Tensor level = by_head.narrow(2, levels.starts[static_cast<size_t>(l)], length);
    const Tensor u = places.select(3, l).permute({0, 2, 1, 3}).flatten(2);  // [N, H, Q * K]
    const Tensor weight = weights.select(3, l).permute({0, 2, 1, 3}).flatten(2);
    const Tensor low = u.detach().floor();
    for (const int64_t step : {0, 1}) {
      const Tensor position = low + step;
      const Tensor exists = (position >= 0).logical_and(position < length);
      const Tensor share = step == 0 ? low + 1 - u : u - low;
      const Tensor factor = weight * torch::where(exists, share, torch::zeros_like(share));
      const Tensor rows = rows_at(level, position.clamp(0, length - 1).to(torch::kLong));
      sum = sum + (rows * factor.unsqueeze(-1))
                      .view({s.videos, s.heads, s.queries, s.points, s.width})
                      .sum(3);
    }
  }
  return sum.permute({0, 2, 1, 3}).flatten(2);
}

Tensor composed_border_samples(const Tensor& values, const Levels& levels, const Tensor& places,
                               const Tensor& video, const Tensor& last) {
  const Sizes s(values, places);
  const Tensor own = values.index_select(0, video).permute({0, 2, 1, 3});  // [P, H, S, D]
  std::vector<Tensor> samples;
  for (int64_t l = 0; l < s.levels; ++l) {
    const int64_t length = levels.lengths[static_cast<size_t>(l)];
    const Tensor level = own.narrow(2, levels.starts[static_cast<size_t>(l)], length);
    const Tensor end = last.index_select(0, video).select(1, l).view({-1, 1, 1}).to(values.dtype());
    const Tensor u = torch::minimum(places.select(2, l).clamp_min(0), end);
    const Tensor low = u.detach().floor();
    const Tensor high = torch::minimum(low + 1, end);
    const Tensor share = (u - low).unsqueeze(-1);
    samples.push_back(rows_at(level, low.to(torch::kLong)) * (1 - share) +
                      rows_at(level, high.to(torch::kLong)) * share);
  }
  return torch::cat(samples, 2);
}

}  // namespace pdvc
