// Where training starts: the initial values that the specification names.
#include <gtest/gtest.h>

#include <cmath>

#include "model/pdvc.h"
#include "support/models.h"

namespace pdvc {
namespace {

Pdvc fresh(CaptionerKind captioner) {
  torch::manual_seed(11);
  ModelSettings settings = small_settings(captioner).model;
  settings.hidden = 64;
  settings.queries = 50;
  settings.vocabulary_size = 300;
  return Pdvc(settings);
}

Tensor parameter(Pdvc& model, const std::string& name) {
  return model->named_parameters()[name].detach();
}

void expect_uniform(const Tensor& tensor, double bound, const std::string& name) {
  EXPECT_LE(tensor.abs().max().item<double>(), bound * 1.0001) << name;
  EXPECT_NEAR(tensor.std().item<double>(), bound / std::sqrt(3.0), 0.1 * bound) << name;
}

void expect_xavier(const Tensor& matrix, const std::string& name) {
  const double fan = static_cast<double>(matrix.numel()) / static_cast<double>(matrix.size(0)) +
                     static_cast<double>(matrix.numel()) / static_cast<double>(matrix.size(1));
  expect_uniform(matrix, std::sqrt(6 / fan), name);
}

}  // namespace

TEST(InitialValues, AreXavierInTheTransformersMatrices) {
  Pdvc model = fresh(CaptionerKind::standard);
  for (const char* name : {"transformer.encoder.layers.0.linear1.weight",
                           "transformer.decoder.layers.1.self_attn.in_proj_weight",
                           "transformer.decoder.layers.0.cross_attn.value_proj.weight",
                           "transformer.pos_trans.weight", "base_encoder.input_proj.1.0.weight",
                           "caption_head.0.core.deformable_att.value_proj.weight"})
    expect_xavier(parameter(model, name), name);
}

TEST(InitialValues, AreZeroWhereTheyShouldBe) {
  Pdvc model = fresh(CaptionerKind::standard);
  for (const char* name :
       {"transformer.encoder.layers.0.self_attn.sampling_offsets.weight",
        "transformer.encoder.layers.0.self_attn.attention_weights.weight",
        "transformer.encoder.layers.0.self_attn.attention_weights.bias",
        "transformer.encoder.layers.0.self_attn.value_proj.bias",
        "transformer.decoder.layers.0.self_attn.in_proj_bias",
        "transformer.decoder.layers.0.self_attn.out_proj.bias", "transformer.reference_points.bias",
        "base_encoder.input_proj.0.0.bias", "caption_head.0.logit.bias",
        "bbox_head.0.layers.2.weight", "bbox_head.1.layers.2.bias",
        "caption_head.0.core.deformable_att.sampling_offsets.weight"})
    EXPECT_EQ(parameter(model, name).abs().max().item<double>(), 0) << name;
}

TEST(InitialValues, StartHeadsWithFewEventsOfModestLength) {
  Pdvc model = fresh(CaptionerKind::light);
  EXPECT_NEAR(parameter(model, "class_head.1.bias").item<double>(), -std::log(99.0), 1e-6);
  EXPECT_TRUE(parameter(model, "bbox_head.0.layers.2.bias").equal(torch::tensor({0.0f, -2.0f})));
}

TEST(InitialValues, SpreadSamplingPointsToTheSideOfTheirHead) {
  Pdvc model = fresh(CaptionerKind::standard);
  // Two heads look right and left: cos(0) = 1, cos(pi) = -1; points step by one.
  const Tensor grid =
      parameter(model, "transformer.encoder.layers.0.self_attn.sampling_offsets.bias")
          .view({2, 2, 4});
  EXPECT_TRUE(torch::allclose(grid[0][1], torch::tensor({1.0f, 2.0f, 3.0f, 4.0f})));
  EXPECT_TRUE(torch::allclose(grid[1][0], torch::tensor({-1.0f, -2.0f, -3.0f, -4.0f})));
  const Tensor caption =
      parameter(model, "caption_head.0.core.deformable_att.sampling_offsets.bias").view({2, 4});
  EXPECT_TRUE(torch::allclose(caption[0], torch::tensor({-1.5f, -0.5f, 0.5f, 1.5f})));
}

TEST(InitialValues, AreUniformInWordsAndRecurrence) {
  Pdvc model = fresh(CaptionerKind::light);
  expect_uniform(parameter(model, "caption_head.0.embed.weight"), 0.1, "embed");
  expect_uniform(parameter(model, "caption_head.0.logit.weight"), 0.1, "logit");
  expect_uniform(parameter(model, "caption_head.0.core.rnn.weight_ih_l0"), 1 / std::sqrt(8.0),
                 "rnn");
}

TEST(InitialValues, AreNormalInEmbeddings) {
  Pdvc model = fresh(CaptionerKind::light);
  EXPECT_NEAR(parameter(model, "query_embed.weight").std().item<double>(), 1, 0.05);
  EXPECT_NEAR(parameter(model, "query_embed.weight").mean().item<double>(), 0, 0.05);
}

}  // namespace pdvc
