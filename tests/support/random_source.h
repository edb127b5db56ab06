// A model with random weights, made without a file and without Torch.
#pragma once

#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <string>

#include "data/model_schema.h"
#include "runtime/model_source.h"

namespace pdvc {

// Matrices that keep numbers about as large as they are, norms near one.
inline Array random_weight(const SchemaTensor& tensor, std::mt19937& random) {
  Array array(DType::f32, tensor.shape);
  const auto inputs = static_cast<float>(array.elements()) / static_cast<float>(tensor.shape[0]);
  const bool scales = tensor.shape.size() == 1 && tensor.name.ends_with(".weight");
  std::normal_distribution<float> normal;
  for (float& x : array.floats())
    x = scales ? 1 + 0.2f * normal(random) : 1.5f * normal(random) / std::sqrt(inputs);
  return array;
}

inline ModelSource random_source(const Settings& settings, const Vocabulary& vocabulary,
                                 unsigned seed) {
  std::mt19937 random(seed);
  auto weights = std::make_shared<std::map<std::string, Array>>();
  for (const SchemaTensor& tensor : schema_of(settings.model))
    if (!tensor.is_repeat()) weights->emplace(tensor.name, random_weight(tensor, random));
  ModelSource source;
  source.description.settings = settings;
  if (settings.model.has_captioner()) source.description.vocabulary = vocabulary;
  source.weights = [weights](const std::string& name) {
    const auto floats = weights->at(name).floats();
    return std::vector<float>(floats.begin(), floats.end());
  };
  source.give_back = [] {};
  return source;
}

// As many made-up words as the settings ask for.
inline Vocabulary made_up_words(const ModelSettings& settings) {
  std::vector<std::string> words;
  for (int64_t i = 1; i <= settings.vocabulary_size; ++i) words.push_back("w" + std::to_string(i));
  return Vocabulary(words);
}

}  // namespace pdvc
