// The trained golden models: published names, real sentences, eight videos each. They need
// ../shared.
#include <gmock/gmock.h>

#include "data/conversion.h"
#include "data/features.h"
#include "data/predictions.h"
#include "data/ranking.h"
#include "golden/compare.h"

namespace pdvc {
namespace {

// One trained model with its corpus and its numbers.
class TrainedCase {
 public:
  TrainedCase(const std::string& name, const std::string& weights,
              const std::vector<std::string>& overrides = {})
      : settings(load_settings(
            shared_file("golden/" + (name.ends_with("batch") ? weights : name) + "/options.json"),
            overrides, log.log)),
        vocabulary(Vocabulary::read(shared_file("data/anet/vocabulary_activitynet.json"))),
        model(settings.model),
        numbers(parse_json(contents_of(shared_file("golden/" + name + "/numbers.json")), name)),
        tensors(shared_file("golden/" + name + "/tensors.safetensors")) {
    load(shared_file("golden/" + weights + "/model.pth"));
    for (const char* split : {"train.json", "val.json"})
      for (VideoEvents& video : read_annotations(shared_file(std::string("golden/toy/") + split),
                                                 kTrainingData, log.log))
        videos[video.video] = video;
    model->eval();
  }

  GoldenExample example(const std::string& video) {
    std::vector<Array> streams;
    streams.push_back(
        read_feature_file(shared_file("golden/toy/features/" + video + ".npy"), log.log));
    return example_of(videos.at(video), joined_streams(streams, settings.model.frames, video),
                      vocabulary, settings.model.longest_caption);
  }
  std::optional<Proposals> proposals(const GoldenExample& example) const {
    if (settings.model.query_source == QuerySource::queries) return std::nullopt;
    return example.proposals;
  }
  Tensor tensor(const std::string& name) const { return to_torch(tensors.tensors().at(name)); }

  RecordingLog log;
  Settings settings;
  Vocabulary vocabulary;
  Pdvc model;
  Json numbers;
  Safetensors tensors;
  std::map<std::string, VideoEvents> videos;

 private:
  // Without box refinement there is one set of heads: the last layer's of the file.
  void load(const std::filesystem::path& path) {
    const Checkpoint checkpoint(path);
    std::vector<NamedView> weights;
    for (const auto& parameter : model->named_parameters()) {
      std::string name = parameter.key();
      for (const char* head : {"class_head.0.", "count_head.0.", "bbox_head.0."})
        if (!settings.model.refine_boxes && name.starts_with(head))
          name[std::string(head).size() - 2] = '1';
      weights.push_back({parameter.key(), *checkpoint.find_tensor("model/" + name)});
    }
    load_weights(*model, weights);
  }
};

void expect_near(const Tensor& tensor, const Tensor& wanted, const std::string& what) {
  ASSERT_EQ(tensor.numel(), wanted.numel()) << what;
  EXPECT_LE((tensor.detach().flatten() - wanted.flatten()).abs().max().item<double>(), kAbsolute)
      << what;
}

// Words are equal up to each caption's end, and so are their log-probabilities.
void expect_captions(const Captions& captions, const Tensor& words, const Tensor& scores) {
  for (int64_t v = 0; v < words.size(0); ++v)
    for (int64_t q = 0; q < words.size(1); ++q)
      for (int64_t w = 0; w < words.size(2); ++w) {
        const int64_t wanted = words[v][q][w].item<int64_t>();
        const int64_t word =
            w < captions.words.size(2) ? captions.words[v][q][w].item<int64_t>() : 0;
        ASSERT_EQ(word, wanted) << "video " << v << " query " << q << " word " << w;
        if (w < captions.words.size(2)) {
          EXPECT_NEAR(captions.log_probabilities[v][q][w].item<double>(),
                      scores[v][q][w].item<double>(), kAbsolute);
        }
        if (wanted == 0) break;
      }
}

// All queries of one video as a prediction file has them, by falling proposal score.
std::vector<Event> events_of(TrainedCase& golden, const GoldenExample& example, double duration) {
  const ModelOutputs outputs = golden.model->forward(example.batch, golden.proposals(example));
  const LayerPredictions& last = outputs.layers.back();
  const Captions captions = golden.model->caption(outputs, outputs.layers.size() - 1);
  std::vector<Event> events;
  for (int64_t q = 0; q < last.logits.size(1); ++q) {
    const Tensor words = captions.words[0][q].contiguous();
    const std::vector<int64_t> ids(words.data_ptr<int64_t>(),
                                   words.data_ptr<int64_t>() + words.numel());
    const Tensor spoken = (words != 0).to(torch::kFloat);
    const Tensor ends = box_ends(last.boxes[0][q]).clamp(0, 1) * duration;
    events.push_back(
        {.segment = {ends[0].item<double>(), ends[1].item<double>()},
         .sentence = ids_to_caption(ids, golden.vocabulary),
         .proposal_score = last.logits[0][q].sigmoid().item<double>(),
         .sentence_score = (captions.log_probabilities[0][q] * spoken).sum().item<double>(),
         .query = q});
  }
  return events;
}

struct Names {
  const char *name, *weights;
};
class Trained : public testing::TestWithParam<Names> {};

#define PDVC_TRAINED_CASE(golden)                      \
  PDVC_NEEDS_SHARED("golden/anet_c3d_pdvc/model.pth"); \
  TrainedCase golden(GetParam().name, GetParam().weights)

}  // namespace

TEST_P(Trained, ActivationsAndCaptionsAreTheOriginals) {
  PDVC_TRAINED_CASE(golden);
  torch::NoGradGuard no_grad;
  const GoldenExample example = golden.example(golden.tensors.metadata().at("video"));
  expect_near(example.batch.features, golden.tensor("input.features"), "features");
  const ModelOutputs outputs = golden.model->forward(example.batch, golden.proposals(example));
  expect_near(outputs.memory.features, golden.tensor("encoder.layer1"), "memory");
  std::vector<Tensor> hidden;
  for (const LayerPredictions& layer : outputs.layers) hidden.push_back(layer.hidden);
  expect_near(torch::stack(hidden), golden.tensor("decoder.hidden"), "hidden");
  expect_near(outputs.layers.back().logits, golden.tensor("output.pred_logits"), "logits");
  expect_near(outputs.layers.back().boxes, golden.tensor("output.pred_boxes"), "boxes");
  expect_near(outputs.layers.back().counts, golden.tensor("output.pred_count"), "counts");
  expect_captions(golden.model->caption(outputs, outputs.layers.size() - 1),
                  golden.tensor("output.seq"), golden.tensor("output.caption_logprobs"));
}

TEST_P(Trained, LossesMatchingAndGradientsAreTheOriginals) {
  PDVC_TRAINED_CASE(golden);
  const GoldenExample example = golden.example(golden.tensors.metadata().at("video"));
  const ModelOutputs outputs = golden.model->forward(example.batch, golden.proposals(example));
  const Losses losses = criterion_of(golden.settings)(*golden.model, outputs, example.targets,
                                                      normalizers_of(example.targets));
  expect_losses(losses, golden.numbers["train_losses"], golden.settings, "losses");
  expect_relative(losses.total.item<double>(), golden.numbers["train_total"].get<double>(),
                  "total");
  EXPECT_EQ(losses.matched.at(0).rows, golden.numbers["matched"][0][0].get<std::vector<int64_t>>());
  EXPECT_EQ(losses.matched.at(0).columns,
            golden.numbers["matched"][0][1].get<std::vector<int64_t>>());
  losses.total.backward();
  expect_gradients(*golden.model, golden.numbers["gradients"], golden.settings.model);
}

TEST_P(Trained, FiveStepsFollowTheOriginalTrajectory) {
  PDVC_TRAINED_CASE(golden);
  expect_trajectory(golden.model, golden.numbers, golden.settings,
                    [&](const std::string& video) { return golden.example(video); });
}

TEST_P(Trained, PredictsWhatTheOriginalPredicted) {
  PDVC_TRAINED_CASE(golden);
  torch::NoGradGuard no_grad;
  const Predictions wanted =
      read_predictions(shared_file(std::string("golden/") + GetParam().name + "/predictions.json"));
  for (const VideoEvents& video : wanted.videos) {
    const std::vector<Event> events =
        events_of(golden, golden.example(video.video), *video.duration);
    ASSERT_EQ(events.size(), video.events.size()) << video.video;
    for (const Event& event : video.events) {
      const Event& own = events.at(static_cast<size_t>(event.query.value()));
      EXPECT_EQ(own.sentence, event.sentence) << video.video;
      EXPECT_NEAR(own.segment.start, event.segment.start, 1e-3) << video.video;
      EXPECT_NEAR(own.segment.end, event.segment.end, 1e-3) << video.video;
      EXPECT_NEAR(*own.proposal_score, *event.proposal_score, kAbsolute) << video.video;
      if (!event.sentence.empty()) {
        EXPECT_NEAR(*own.sentence_score, *event.sentence_score, 1e-3) << video.video;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Trained,
                         testing::Values(Names{"anet_c3d_pdvc", "anet_c3d_pdvc"},
                                         Names{"anet_c3d_pdvcl", "anet_c3d_pdvcl"},
                                         Names{"anet_c3d_pdvc_gt", "anet_c3d_pdvc"}),
                         [](const auto& each) { return std::string(each.param.name); });

// Three videos of different length as the original padded them.
TEST(PublishedPadding, GivesTheNumbersOfTheOriginalsBatch) {
  PDVC_NEEDS_SHARED("golden/anet_c3d_pdvcl_padded_batch/numbers.json");
  TrainedCase golden("anet_c3d_pdvcl_padded_batch", "anet_c3d_pdvcl", {"padding=published"});
  const VideoBatch batch{golden.tensor("input.features"), golden.tensor("input.mask"),
                         golden.tensor("input.duration")};
  Targets targets;
  for (const std::string& video : golden.numbers["videos"].get<std::vector<std::string>>())
    targets.push_back(targets_of(golden.videos.at(video), golden.vocabulary,
                                 golden.settings.model.longest_caption));
  const ModelOutputs outputs = golden.model->forward(batch);
  expect_near(outputs.layers.back().logits, golden.tensor("output.pred_logits"), "logits");
  expect_near(outputs.layers.back().boxes, golden.tensor("output.pred_boxes"), "boxes");
  expect_near(outputs.layers.back().counts, golden.tensor("output.pred_count"), "counts");
  {
    torch::NoGradGuard no_grad;
    expect_captions(golden.model->caption(outputs, 1), golden.tensor("output.seq"),
                    golden.tensor("output.caption_logprobs"));
  }
  const Losses losses =
      criterion_of(golden.settings)(*golden.model, outputs, targets, normalizers_of(targets));
  expect_losses(losses, golden.numbers["train_losses"], golden.settings, "losses");
  expect_relative(losses.total.item<double>(), golden.numbers["train_total"].get<double>(),
                  "total");
  for (size_t v = 0; v < targets.size(); ++v) {
    EXPECT_EQ(losses.matched[v].rows, golden.numbers["matched"][v][0].get<std::vector<int64_t>>());
    EXPECT_EQ(losses.matched[v].columns,
              golden.numbers["matched"][v][1].get<std::vector<int64_t>>());
  }
  losses.total.backward();
  expect_gradients(*golden.model, golden.numbers["gradients"], golden.settings.model);
}

}  // namespace pdvc
