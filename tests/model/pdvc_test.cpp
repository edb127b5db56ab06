#include "model/pdvc.h"

#include <gtest/gtest.h>

#include "criterion/losses.h"
#include "data/model_schema.h"
#include "model/weights.h"
#include "support/files.h"
#include "support/models.h"

namespace pdvc {
namespace {

ModelSettings variant(CaptionerKind captioner,
                      TransformerKind transformer = TransformerKind::deformable) {
  ModelSettings settings = small_settings(captioner).model;
  settings.transformer = transformer;
  settings.transformer_dropout = settings.caption_dropout = 0;
  settings.levels = settings.caption_levels = 3;
  settings.frames = 9;
  return settings;
}

std::vector<ModelSettings> all_variants() {
  std::vector<ModelSettings> result;
  for (const TransformerKind transformer : {TransformerKind::deformable, TransformerKind::ordinary})
    for (const CaptionerKind captioner :
         {CaptionerKind::none, CaptionerKind::light, CaptionerKind::standard, CaptionerKind::soft,
          CaptionerKind::transformer})
      for (const bool proposals : {false, true}) {
        ModelSettings settings = variant(captioner, transformer);
        settings.query_source = proposals ? QuerySource::gt_proposals : QuerySource::queries;
        settings.refine_boxes = !proposals;
        if (captioner == CaptionerKind::standard) settings.caption_heads = 2;
        result.push_back(settings);
      }
  ModelSettings weak = variant(CaptionerKind::light);
  weak.supervision = Supervision::captions;
  result.push_back(weak);
  return result;
}

struct Video {
  Tensor features;
  float duration;
  VideoTargets targets;
};

Video random_video(int64_t frames, int64_t events, int64_t width) {
  Video video{torch::randn({frames, width}),
              static_cast<float>(frames) * 3,
              {.video = "v" + std::to_string(frames)}};
  video.targets.boxes = torch::stack({torch::rand({events}), torch::rand({events}) * 0.5 + 0.1}, 1);
  for (int64_t i = 0; i < events; ++i) {
    std::vector<int64_t> caption = {0};
    for (int64_t w = 0; w < 2 + i; ++w) caption.push_back(1 + (w + i) % 5);
    caption.push_back(0);
    video.targets.captions.push_back(caption);
  }
  return video;
}

struct Input {
  VideoBatch batch;
  Proposals proposals;
  Targets targets;
};

Input batch_of(const std::vector<Video>& videos) {
  int64_t frames = 0, events = 0;
  for (const Video& video : videos) {
    frames = std::max(frames, video.features.size(0));
    events = std::max(events, video.targets.boxes.size(0));
  }
  const auto count = static_cast<int64_t>(videos.size());
  Input input;
  input.batch = {torch::zeros({count, frames, videos[0].features.size(1)}),
                 torch::zeros({count, frames}, torch::kBool), torch::empty({count})};
  input.proposals = {torch::full({count, events, 2}, 0.5),
                     torch::zeros({count, events}, torch::kBool)};
  for (int64_t i = 0; i < count; ++i) {
    const Video& video = videos[static_cast<size_t>(i)];
    input.batch.features[i].narrow(0, 0, video.features.size(0)).copy_(video.features);
    input.batch.mask[i].narrow(0, 0, video.features.size(0)).fill_(true);
    input.batch.durations[i] = video.duration;
    input.proposals.boxes[i].narrow(0, 0, video.targets.boxes.size(0)).copy_(video.targets.boxes);
    input.proposals.mask[i].narrow(0, 0, video.targets.boxes.size(0)).fill_(true);
    input.targets.push_back(video.targets);
  }
  return input;
}

std::string describe(const ModelSettings& s) {
  return std::string(names_of(s.captioner)[static_cast<size_t>(s.captioner)]) + " " +
         std::string(names_of(s.transformer)[static_cast<size_t>(s.transformer)]) + " " +
         std::string(names_of(s.query_source)[static_cast<size_t>(s.query_source)]);
}

// Random weights everywhere, so that nothing hides behind zeros.
Pdvc random_model(const ModelSettings& settings) {
  Pdvc model(settings);
  torch::NoGradGuard no_grad;
  for (auto& parameter : model->parameters()) parameter.copy_(torch::randn_like(parameter) * 0.2);
  model->eval();
  return model;
}

}  // namespace

TEST(Model, HasThePublishedParametersOfEveryVariant) {
  for (const ModelSettings& settings : all_variants()) {
    std::map<std::string, Shape> wanted, own;
    for (const SchemaTensor& tensor : schema_of(settings))
      if (!tensor.is_repeat()) wanted[tensor.name] = tensor.shape;
    for (const auto& parameter : Pdvc(settings)->named_parameters())
      own[parameter.key()] = parameter.value().sizes().vec();
    EXPECT_EQ(own, wanted) << describe(settings);
  }
}

// The heart of exact padding: company changes nothing.
TEST(Model, GivesAVideoInABatchWhatItGetsAlone) {
  torch::manual_seed(5);
  const std::vector<Video> videos = {random_video(9, 2, 6), random_video(4, 3, 6),
                                     random_video(7, 1, 6)};
  torch::NoGradGuard no_grad;
  for (const ModelSettings& settings : all_variants()) {
    Pdvc model = random_model(settings);
    const Input together = batch_of(videos);
    const ModelOutputs outputs = model->forward(together.batch, together.proposals);
    const size_t last = outputs.layers.size() - 1;
    for (size_t v = 0; v < videos.size(); ++v) {
      const Input alone = batch_of({videos[v]});
      const ModelOutputs own = model->forward(alone.batch, alone.proposals);
      const int64_t queries = own.layers[0].logits.size(1);
      const auto n = static_cast<int64_t>(v);
      for (size_t i = 0; i < own.layers.size(); ++i) {
        const auto near = [&](const Tensor& a, const Tensor& b) {
          return torch::allclose(a, b, 1e-4, 1e-5);
        };
        EXPECT_TRUE(
            near(outputs.layers[i].logits[n].narrow(0, 0, queries), own.layers[i].logits[0]))
            << describe(settings);
        EXPECT_TRUE(near(outputs.layers[i].boxes[n].narrow(0, 0, queries), own.layers[i].boxes[0]))
            << describe(settings);
        EXPECT_TRUE(near(outputs.layers[i].counts[n], own.layers[i].counts[0]))
            << describe(settings);
      }
      if (!model->has_captioner()) continue;
      const Captions all = model->caption(outputs, last), mine = model->caption(own, last);
      const int64_t words = mine.words.size(2);
      EXPECT_TRUE(all.words[n].narrow(0, 0, queries).narrow(1, 0, words).equal(mine.words[0]))
          << describe(settings);
    }
  }
}

TEST(Model, LooksAtGivenSegmentsInEveryLayerEvenIfItRefinesBoxes) {
  torch::manual_seed(12);
  ModelSettings settings = variant(CaptionerKind::light);
  settings.query_source = QuerySource::gt_proposals;
  settings.refine_boxes = true;
  settings.decoder_layers = 3;
  Pdvc model = random_model(settings);
  torch::NoGradGuard no_grad;
  const Input input = batch_of({random_video(9, 2, 6)});
  for (const LayerPredictions& layer : model->forward(input.batch, input.proposals).layers) {
    EXPECT_TRUE(layer.reference.equal(input.proposals.boxes));
    EXPECT_TRUE(layer.boxes.equal(input.proposals.boxes));
  }
}

TEST(Model, SumsTheLossesAndGradientsOfItsVideos) {
  torch::manual_seed(6);
  const std::vector<Video> videos = {random_video(9, 2, 6), random_video(4, 3, 6)};
  for (const ModelSettings& settings : all_variants()) {
    Pdvc model = random_model(settings);
    Settings defaults;
    const Criterion criterion(defaults.matching, defaults.losses, published_count_shares());
    const Input together = batch_of(videos);
    const Normalizers all = normalizers_of(together.targets);
    const Losses joint = criterion(*model, model->forward(together.batch, together.proposals),
                                   together.targets, all);
    joint.total.backward();
    std::map<std::string, Tensor> gradients;
    for (auto& parameter : model->named_parameters())
      if (parameter.value().grad().defined())
        gradients[parameter.key()] = parameter.value().grad().clone();
    model->zero_grad();
    Tensor sum;
    for (const Video& video : videos) {
      const Input alone = batch_of({video});
      const Losses own =
          criterion(*model, model->forward(alone.batch, alone.proposals), alone.targets, all);
      sum = sum.defined() ? sum + own.total : own.total;
    }
    sum.backward();
    EXPECT_NEAR(joint.total.item<double>(), sum.item<double>(), 2e-4 * std::abs(sum.item<double>()))
        << describe(settings);
    for (auto& parameter : model->named_parameters()) {
      if (!gradients.contains(parameter.key())) continue;
      const double difference =
          (gradients[parameter.key()] - parameter.value().grad()).norm().item<double>();
      EXPECT_LE(difference, 2e-3 * gradients[parameter.key()].norm().item<double>() + 1e-4)
          << describe(settings) << " " << parameter.key();
    }
  }
}

TEST(Model, IsBitEqualInTwoRunsWithOneThread) {
  torch::set_num_threads(1);
  const auto run = [] {
    torch::manual_seed(7);
    Pdvc model(variant(CaptionerKind::standard));
    const Input input = batch_of({random_video(9, 2, 6)});
    Settings defaults;
    const Losses losses = Criterion(defaults.matching, defaults.losses, {})(
        *model, model->forward(input.batch), input.targets, normalizers_of(input.targets));
    losses.total.backward();
    return model->named_parameters()["transformer.level_embed"].grad().clone();
  };
  EXPECT_TRUE(run().equal(run()));
}

TEST(Criterion, NamesTheLossAndTheVideoThatAreNotFinite) {
  Losses losses;
  losses.layers.push_back(
      {torch::tensor(1.0), torch::tensor(1.0), torch::tensor(NAN), torch::tensor(1.0), Tensor()});
  losses.total = torch::tensor(NAN);
  const Targets targets = {{.video = "v_a"}, {.video = "v_b"}};
  EXPECT_EQ(error_of([&] { check_finite(losses, targets); }),
            "v_a, v_b: the giou loss of decoder layer 0 is not finite");
}

// With captions alone, what teaches a query where to look is the sentence it must say.
TEST(CaptionSupervision, MovesSegmentsByWhatCanBeSaidOfThem) {
  torch::manual_seed(9);
  ModelSettings settings = variant(CaptionerKind::light);
  settings.supervision = Supervision::captions;
  Pdvc model = random_model(settings);
  const Input input = batch_of({random_video(9, 2, 6)});
  const ModelOutputs outputs = model->forward(input.batch);
  EXPECT_TRUE(outputs.layers.back().boxes.equal(outputs.layers.back().reference));
  const MatchingSettings matching{.class_cost = 0.5, .giou_cost = 0, .caption_cost = 1};
  const LossSettings only_captions{.box = 0, .giou = 0, .label = 0, .count = 0, .caption = 1};
  const Losses losses = Criterion(matching, only_captions, {})(*model, outputs, input.targets,
                                                               normalizers_of(input.targets));
  losses.total.backward();
  for (const char* name : {"transformer.reference_points.weight", "bbox_head.0.layers.0.weight"})
    EXPECT_GT(model->named_parameters()[name].grad().norm().item<double>(), 0) << name;
}

TEST(CaptionSupervision, MatchesTheQueryThatSaysTheCaptionBest) {
  torch::manual_seed(10);
  ModelSettings settings = variant(CaptionerKind::light);
  settings.supervision = Supervision::captions;
  Pdvc model = random_model(settings);
  torch::NoGradGuard no_grad;
  const Input input = batch_of({random_video(9, 1, 6)});
  const ModelOutputs outputs = model->forward(input.batch);
  const CaptionMemory memory = model->captioner().read(outputs.memory);
  const std::vector<int64_t>& caption = input.targets[0].captions[0];
  // The likelihood of the caption under each query, one query and one word at a time.
  int64_t best = -1;
  double most = -INFINITY;
  for (int64_t q = 0; q < settings.queries; ++q) {
    const CaptionQueries asked = queries_at(outputs.layers.back(), torch::zeros({1}, torch::kLong),
                                            torch::full({1}, q, torch::kLong));
    const Tensor log_p = model->captioner().forward(
        memory, asked, torch::tensor(caption, torch::kLong).unsqueeze(0));
    double sum = 0;
    for (size_t w = 1; w + 1 < caption.size(); ++w)
      sum += log_p[0][static_cast<int64_t>(w) - 1][caption[w]].item<double>();
    if (sum > most) {
      most = sum;
      best = q;
    }
  }
  const MatchingSettings by_caption{.class_cost = 0, .giou_cost = 0, .caption_cost = 1};
  const Losses losses =
      Criterion(by_caption, {}, {})(*model, outputs, input.targets, normalizers_of(input.targets));
  EXPECT_EQ(losses.matched.at(0).rows, std::vector<int64_t>{best});
}

TEST(Criterion, ManagesAVideoWithoutEvents) {
  torch::manual_seed(8);
  for (const CaptionerKind captioner : {CaptionerKind::light, CaptionerKind::standard}) {
    Pdvc model(variant(captioner));
    const Input input = batch_of({random_video(9, 0, 6)});
    Settings defaults;
    const Losses losses = Criterion(defaults.matching, defaults.losses, {})(
        *model, model->forward(input.batch), input.targets, normalizers_of(input.targets));
    losses.total.backward();
    EXPECT_NO_THROW(check_finite(losses, input.targets));
    EXPECT_TRUE(losses.matched.at(0).rows.empty());
  }
}

TEST(Criterion, ComputesCountSharesFromATrainingSet) {
  EXPECT_EQ(count_shares({1, 1, 3, 99}, 4), (std::vector<double>{0, 0.5, 0, 0.25, 0.25}));
}

TEST(Weights, AreLoadedFromAModelFile) {
  const TemporaryFolder folder;
  RecordingLog log;
  const ModelSettings settings = small_settings(CaptionerKind::light).model;
  std::deque<Array> arrays;
  std::vector<NamedView> stored;
  for (const NamedView& tensor : small_weights(settings, arrays)) {
    const auto schema = schema_of(settings);
    const auto at = std::ranges::find(schema, tensor.name, &SchemaTensor::name);
    if (!at->is_repeat()) stored.push_back(tensor);
  }
  write_model_file(folder / "a.safetensors",
                   {small_settings(CaptionerKind::light), small_vocabulary(), std::nullopt, ""},
                   stored);
  Pdvc model(settings);
  load_weights(*model, ModelFile(folder / "a.safetensors", log));
  for (const NamedView& tensor : stored)
    EXPECT_TRUE(model->named_parameters()[tensor.name].equal(to_torch(tensor.view))) << tensor.name;
}

}  // namespace pdvc
