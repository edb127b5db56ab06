// How golden numbers are compared: the tolerances that are honest for float32 and another order of
// summation.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "criterion/losses.h"
#include "golden/formula.h"
#include "training/adam.h"

namespace pdvc {

constexpr double kAbsolute = 1e-4;  // activations, boxes, logits, log-probabilities
constexpr double kRelative = 2e-4;  // losses and gradient norms

inline void expect_relative(double value, double wanted, const std::string& what) {
  EXPECT_NEAR(value, wanted, kRelative * std::abs(wanted) + 1e-6) << what;
}

inline Criterion criterion_of(const Settings& settings) {
  return {settings.matching, settings.losses, published_count_shares()};
}

// In the localisation case the original trained through its evaluation path, whose layer-0 box
// carries a slip.
inline bool carries_slip(const Settings& settings) {
  return settings.model.captioner == CaptionerKind::none;
}

inline void expect_losses(const Losses& losses, const Json& wanted, const Settings& settings,
                          const std::string& what) {
  for (size_t i = 0; i < losses.layers.size(); ++i) {
    const bool last = i + 1 == losses.layers.size();
    if (!last && carries_slip(settings)) continue;
    const LayerLosses& layer = losses.layers[i];
    for (const auto& [name, loss] : {std::pair{"loss_ce", layer.label},
                                     {"loss_bbox", layer.box},
                                     {"loss_giou", layer.giou},
                                     {"loss_counter", layer.count},
                                     {"loss_caption", layer.caption}}) {
      const std::string key = last ? name : std::string(name) + "_" + std::to_string(i);
      if (wanted.contains(key))
        expect_relative(loss.item<double>(), wanted[key].get<double>(), what + ": " + key);
    }
  }
}

// Every gradient that the original had, by the first name of its parameter.
inline void expect_gradients(PdvcImpl& model, const Json& wanted, const ModelSettings& settings) {
  size_t compared = 0;
  for (const auto& parameter : model.named_parameters()) {
    const std::string name = first_name(parameter.key(), settings);
    if (!wanted.contains(name) || wanted[name].is_null()) continue;
    ASSERT_TRUE(parameter.value().grad().defined()) << name;
    expect_relative(parameter.value().grad().norm().item<double>(), wanted[name][2].get<double>(),
                    "gradient of " + name);
    ++compared;
  }
  EXPECT_EQ(compared, wanted.size());
}

// Five steps of Adam, one video each, starting from the model's weights.
inline void expect_trajectory(
    Pdvc& model, const Json& numbers, const Settings& settings,
    const std::function<GoldenExample(const std::string&)>& example_of_video) {
  Adam optimizer(model->parameters(), {.learning_rate = settings.training.learning_rate,
                                       .weight_decay = settings.training.weight_decay});
  const Criterion criterion = criterion_of(settings);
  const bool given = settings.model.query_source == QuerySource::gt_proposals;
  for (const Json& step : numbers["trajectory"]) {
    const std::string video = step["video"];
    const GoldenExample example = example_of_video(video);
    optimizer.zero_gradients();
    const ModelOutputs outputs =
        model->forward(example.batch, given ? std::optional(example.proposals) : std::nullopt);
    const Losses losses =
        criterion(*model, outputs, example.targets, normalizers_of(example.targets));
    losses.total.backward();
    const double norm = optimizer.step(settings.training.gradient_clip);
    expect_relative(losses.total.item<double>(), step["total"].get<double>(), video + ": total");
    expect_relative(norm, step["grad_norm"].get<double>(), video + ": gradient norm");
    expect_losses(losses, step["losses"], settings, video);
  }
  // Softmax does not see alpha_net's bias: its gradient is rounding, and Adam makes a whole step of
  // any gradient.
  const double random_walk = 5 * settings.training.learning_rate;
  for (const auto& parameter : model->named_parameters()) {
    const Json& wanted = numbers["trajectory_params"][first_name(parameter.key(), settings.model)];
    const Tensor value = parameter.value().detach().to(torch::kDouble);
    const double sum = value.abs().sum().item<double>(), goal = wanted[1].get<double>();
    if (parameter.key().ends_with("alpha_net.bias")) {
      EXPECT_NEAR(sum, goal, random_walk);
    } else {
      expect_relative(sum, goal, parameter.key() + " after five steps");
    }
  }
}

}  // namespace pdvc
