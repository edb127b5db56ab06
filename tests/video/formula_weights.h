// Weights and frames that anyone can make: numbers from a hash of their name and place.
#pragma once

#include <cmath>
#include <map>
#include <set>
#include <string>

#include "support/formula_number.h"
#include "video/encoder.h"
#include "video/weights.h"

namespace pdvc {

class FormulaWeights : public WeightSource {
 public:
  // `given`: tensors that are there but not by rule.
  explicit FormulaWeights(std::map<std::string, std::vector<float>> given = {})
      : given_(std::move(given)) {}

  std::optional<Shape> shape_of(const std::string& name) const override {
    const auto at = given_.find(name);
    if (at == given_.end()) return std::nullopt;
    return Shape{static_cast<int64_t>(at->second.size())};
  }

  Array get(const std::string& name, const Shape& shape) const override {
    Array array(DType::f32, shape);
    if (const auto at = given_.find(name); at != given_.end()) {
      std::copy(at->second.begin(), at->second.end(), array.floats().begin());
      return array;
    }
    const uint32_t seed = name_hash(name);
    const Rule rule = rule_of(name, shape);
    uint64_t i = 0;
    for (float& x : array.floats())
      x = static_cast<float>(rule.least + rule.range * formula_number(seed, i++));
    return array;
  }

 private:
  struct Rule {
    double least, range;
  };
  static Rule rule_of(const std::string& name, const Shape& shape) {
    const auto ends = [&](const char* ending) { return name.ends_with(ending); };
    if (ends("running_var") || ends("/var")) return {0.5, 1};
    if (ends("running_mean") || ends("/mean")) return {-0.1, 0.2};
    if (shape.size() >= 2) {
      // Outputs stand first, but last in I3D's file.
      const int64_t outputs = ends("/kernel") ? shape.back() : shape.front();
      const double scale = std::sqrt(
          6.0 / (static_cast<double>(element_count(shape)) / static_cast<double>(outputs)));
      return {-scale, 2 * scale};
    }
    return ends("bias") ? Rule{-0.1, 0.2} : Rule{0.5, 1};
  }

  std::map<std::string, std::vector<float>> given_;
};

// The formula clip [frames, side, side, 3], each colour as value * scale + shift.
inline std::vector<ClipFramePointer> formula_clip(size_t frames, size_t side,
                                                  std::array<double, 3> scale,
                                                  std::array<double, 3> shift) {
  const uint32_t seed = name_hash("clip");
  const size_t plane = side * side;
  std::vector<ClipFramePointer> clip;
  for (size_t f = 0; f < frames; ++f) {
    auto frame = std::make_shared<ClipFrame>();
    frame->planes.resize(3 * plane);
    for (size_t i = 0; i < plane; ++i)
      for (size_t c = 0; c < 3; ++c) {
        const double value = std::floor(256 * formula_number(seed, (f * plane + i) * 3 + c));
        frame->planes[c * plane + i] = static_cast<float>(value * scale[c] + shift[c]);
      }
    clip.push_back(std::move(frame));
  }
  return clip;
}

}  // namespace pdvc
