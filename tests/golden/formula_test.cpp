// Every number of the original on the cases made by a rule.
#include "golden/formula.h"

#include <gmock/gmock.h>

#include "golden/compare.h"

namespace pdvc {
namespace {

std::vector<double> flat_numbers(const Json& nested) {
  if (nested.is_number()) return {nested.get<double>()};
  if (nested.is_boolean()) return {nested.get<bool>() ? 1.0 : 0.0};
  std::vector<double> result;
  for (const Json& item : nested)
    for (const double value : flat_numbers(item)) result.push_back(value);
  return result;
}

void expect_tensor(const Tensor& tensor, const Json& wanted, const std::string& what) {
  const Tensor flat = tensor.detach().to(torch::kDouble).flatten().contiguous();
  ASSERT_EQ(tensor.numel(), element_count(wanted["shape"].get<Shape>())) << what;
  const double* data = flat.data_ptr<double>();
  const auto compare = [&](const std::vector<double>& values, int64_t start) {
    for (size_t i = 0; i < values.size(); ++i)
      EXPECT_NEAR(data[start + static_cast<int64_t>(i)], values[i], kAbsolute)
          << what << " at " << start + static_cast<int64_t>(i);
  };
  if (wanted.contains("values")) {
    compare(flat_numbers(wanted["values"]), 0);
  } else {
    compare(flat_numbers(wanted["first"]), 0);
    compare(flat_numbers(wanted["last"]), flat.numel() - 12);
  }
  expect_relative(flat.norm().item<double>(), wanted["l2"].get<double>(), what + ", L2 norm");
  EXPECT_NEAR(flat.sum().item<double>(), wanted["sum"].get<double>(),
              1e-5 * wanted["abs"].get<double>() + 1e-3)
      << what << ", sum";
}

class Formula : public testing::TestWithParam<const char*> {};

}  // namespace

TEST_P(Formula, ActivationsAreTheOriginals) {
  FormulaCase golden(GetParam());
  torch::NoGradGuard no_grad;
  const Json& tensors = golden.numbers["tensors"];
  const GoldenExample example = golden.example(golden.numbers["video"]);
  expect_tensor(example.batch.features, tensors["input.features"], "features");
  expect_tensor(example.targets[0].boxes, tensors["input.boxes"], "boxes");
  const auto levels = golden.model->temporal_encoder()->levels(example.batch);
  for (size_t l = 0; l < levels.size(); ++l) {
    const std::string name = "level" + std::to_string(l);
    expect_tensor(levels[l].features, tensors[name + ".feature"], name + ".feature");
    expect_tensor(levels[l].positions.transpose(1, 2), tensors[name + ".position"],
                  name + ".position");
  }
  Memory memory = golden.model->temporal_encoder()->forward(example.batch);
  expect_tensor(TransformerImpl::memory_references(memory), tensors["encoder.reference"],
                "encoder.reference");
  golden.model->transformer()->mark_levels(memory);
  const auto encoded = golden.model->transformer()->encode(memory);
  for (size_t i = 0; i < encoded.size(); ++i) {
    const std::string name = "encoder.layer" + std::to_string(i);
    expect_tensor(encoded[i], tensors[name], name);
  }
  const ModelOutputs outputs = golden.model->forward(example.batch, golden.proposals(example));
  std::vector<Tensor> hidden;
  for (const LayerPredictions& layer : outputs.layers) hidden.push_back(layer.hidden);
  expect_tensor(torch::stack(hidden), tensors["decoder.hidden"], "decoder.hidden");
  expect_tensor(outputs.layers[0].reference, tensors["decoder.initial_reference"],
                "decoder.initial_reference");
  expect_tensor(outputs.layers.back().logits, tensors["output.pred_logits"], "logits");
  expect_tensor(outputs.layers.back().boxes, tensors["output.pred_boxes"], "boxes");
  expect_tensor(outputs.layers.back().counts, tensors["output.pred_count"], "counts");
}

TEST_P(Formula, CaptionsAreTheOriginals) {
  FormulaCase golden(GetParam());
  if (!golden.model->has_captioner()) return;  // its words are three zeros a query
  torch::NoGradGuard no_grad;
  const GoldenExample example = golden.example(golden.numbers["video"]);
  const ModelOutputs outputs = golden.model->forward(example.batch, golden.proposals(example));
  const Captions captions = golden.model->caption(outputs, outputs.layers.size() - 1);
  const Json& tensors = golden.numbers["tensors"];
  const auto words = flat_numbers(tensors["output.seq"]["values"]);
  const auto scores = flat_numbers(tensors["output.caption_logprobs"]["values"]);
  const Tensor own_words = captions.words.flatten(),
               own_scores = captions.log_probabilities.flatten();
  const int64_t length = captions.words.size(2), wanted_length = tensors["output.seq"]["shape"][2];
  for (int64_t q = 0; q < captions.words.size(1); ++q)
    for (int64_t w = 0; w < wanted_length; ++w) {
      const auto at = static_cast<size_t>(q * wanted_length + w);
      const int64_t word = w < length ? own_words[q * length + w].item<int64_t>() : 0;
      ASSERT_EQ(word, static_cast<int64_t>(words[at])) << "query " << q << " word " << w;
      EXPECT_NEAR(own_scores[q * length + w].item<double>(), scores[at], kAbsolute)
          << "query " << q << " word " << w;
      if (word == 0) break;
    }
}

TEST_P(Formula, LossesMatchingAndGradientsAreTheOriginals) {
  FormulaCase golden(GetParam());
  const GoldenExample example = golden.example(golden.numbers["video"]);
  const ModelOutputs outputs = golden.model->forward(example.batch, golden.proposals(example));
  const Losses losses = criterion_of(golden.settings)(*golden.model, outputs, example.targets,
                                                      normalizers_of(example.targets));
  expect_losses(losses, golden.numbers["train_losses"], golden.settings, "losses");
  EXPECT_EQ(losses.matched.at(0).rows, golden.numbers["matched"][0][0].get<std::vector<int64_t>>());
  EXPECT_EQ(losses.matched.at(0).columns,
            golden.numbers["matched"][0][1].get<std::vector<int64_t>>());
  if (carries_slip(golden.settings)) return;
  expect_relative(losses.total.item<double>(), golden.numbers["train_total"].get<double>(),
                  "total");
  losses.total.backward();
  expect_gradients(*golden.model, golden.numbers["gradients"], golden.settings.model);
}

TEST_P(Formula, FiveStepsFollowTheOriginalTrajectory) {
  FormulaCase golden(GetParam());
  if (carries_slip(golden.settings)) return;
  expect_trajectory(golden.model, golden.numbers, golden.settings,
                    [&](const std::string& video) { return golden.example(video); });
}

INSTANTIATE_TEST_SUITE_P(Cases, Formula,
                         testing::Values("light", "standard", "standard_gt", "localisation",
                                         "two_streams"),
                         [](const auto& each) { return std::string(each.param); });

}  // namespace pdvc
