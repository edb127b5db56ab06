// A model with random weights, for benchmarks: products do not care what they multiply.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <random>

#include "data/model_schema.h"
#include "runtime/model_source.h"

namespace pdvc {

inline Array random_weights(const SchemaTensor& tensor, std::mt19937& generator) {
  Array array(DType::f32, tensor.shape);
  const bool norm = tensor.shape.size() == 1 && tensor.name.ends_with(".weight");
  const auto inputs = static_cast<float>(tensor.shape.size() < 2 ? 1 : tensor.shape[1]);
  std::uniform_real_distribution<float> uniform(-1 / std::sqrt(inputs), 1 / std::sqrt(inputs));
  for (float& x : array.floats())
    x = norm ? 1 : tensor.shape.size() == 1 ? 0.1f * uniform(generator) : uniform(generator);
  return array;
}

// `adjust` may change a weight, by its stored name.
inline ModelSource random_source(
    const ModelSettings& settings,
    const std::function<void(const std::string&, std::span<float>)>& adjust = {}) {
  auto tensors = std::make_shared<std::map<std::string, Array>>();
  std::mt19937 generator(1);
  for (const SchemaTensor& tensor : schema_of(settings))
    if (!tensor.is_repeat()) {
      Array array = random_weights(tensor, generator);
      if (adjust) adjust(tensor.stored_as, array.floats());
      tensors->emplace(tensor.stored_as, std::move(array));
    }
  ModelSource source;
  source.description.settings.model = settings;
  std::vector<std::string> words;
  for (int64_t i = 1; i <= settings.vocabulary_size; ++i) words.push_back("w" + std::to_string(i));
  source.description.vocabulary = Vocabulary(words);
  source.weights = [tensors](const std::string& name) {
    const auto floats = tensors->at(name).floats();
    return std::vector<float>(floats.begin(), floats.end());
  };
  source.give_back = [] {};
  return source;
}

}  // namespace pdvc
