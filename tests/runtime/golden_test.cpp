// The trained golden models through the runtime: the original's words, times and scores.
#include <gtest/gtest.h>

#include <deque>
#include <map>

#include "data/annotations.h"
#include "data/features.h"
#include "data/predictions.h"
#include "data/ranking.h"
#include "data/resample.h"
#include "runtime/engine.h"
#include "support/files.h"

namespace pdvc {
namespace {

// Eight videos and what the original said of them.
class GoldenVideos {
 public:
  GoldenVideos(const std::string& name, const ModelSettings& settings)
      : predictions_(read_predictions(shared_file("golden/" + name + "/predictions.json"))) {
    RecordingLog log;
    std::map<std::string, VideoEvents> annotated;
    for (VideoEvents& video :
         read_annotations(shared_file("golden/toy/val.json"), kTrainingData, log))
      annotated[video.video] = video;
    for (const VideoEvents& video : predictions_.videos) {
      std::vector<Array> streams;
      streams.push_back(
          read_feature_file(shared_file("golden/toy/features/" + video.video + ".npy"), log));
      features_.push_back(joined_streams(streams, settings.frames, video.video));
      VideoInput input{.features = features_.back().floats(), .duration = *video.duration};
      for (const Event& event : annotated.at(video.video).events)
        input.proposals.push_back(event.segment);
      inputs_.push_back(std::move(input));
    }
  }

  const std::vector<VideoEvents>& wanted() const { return predictions_.videos; }
  std::span<const VideoInput> inputs() const { return inputs_; }

 private:
  Predictions predictions_;
  std::deque<Array> features_;
  std::vector<VideoInput> inputs_;
};

Engine golden_engine(const std::string& weights, const EngineOptions& options) {
  RecordingLog log;
  return {open_model(shared_file("golden/" + weights + "/model.pth"),
                     shared_file("golden/" + weights + "/options.json"),
                     shared_file("data/anet/vocabulary_activitynet.json"), log),
          options};
}

void expect_event(const Event& own, const Event& wanted, const std::string& video) {
  EXPECT_EQ(own.sentence, wanted.sentence) << video;
  EXPECT_NEAR(own.segment.start, wanted.segment.start, 1e-3) << video;
  EXPECT_NEAR(own.segment.end, wanted.segment.end, 1e-3) << video;
  EXPECT_NEAR(*own.proposal_score, *wanted.proposal_score, 1e-4) << video;
  if (!wanted.sentence.empty()) {
    EXPECT_NEAR(*own.sentence_score, *wanted.sentence_score, 1e-4) << video;
  }
}

void expect_queries(const VideoPredictions& own, const VideoEvents& wanted) {
  ASSERT_EQ(own.queries.size(), wanted.events.size()) << wanted.video;
  for (const Event& event : wanted.events)
    expect_event(own.queries.at(static_cast<size_t>(event.query.value())), event, wanted.video);
}

struct Case {
  const char *name, *weights;
  bool proposals;
};
class GoldenRuntime : public testing::TestWithParam<Case> {};
class GoldenRanking : public GoldenRuntime {};  // of models that find their events themselves

TEST_P(GoldenRuntime, SaysWhatTheOriginalSaidAloneAndInABatch) {
  PDVC_NEEDS_SHARED("golden/anet_c3d_pdvc/model.pth");
  for (const int threads : {1, 2, 3}) {
    const Engine engine = golden_engine(GetParam().weights, {.threads = threads});
    const GoldenVideos videos(GetParam().name, engine.description().settings.model);
    Workspace workspace(threads);
    const auto together = engine.predict(videos.inputs(), GetParam().proposals, {}, workspace);
    for (size_t v = 0; v < together.size(); ++v) {
      expect_queries(together[v], videos.wanted()[v]);
      expect_queries(
          engine.predict(videos.inputs().subspan(v, 1), GetParam().proposals, {}, workspace)[0],
          videos.wanted()[v]);
    }
  }
}

TEST_P(GoldenRanking, ChoosesTheEventsTheOriginalChose) {
  PDVC_NEEDS_SHARED("golden/anet_c3d_pdvc/model.pth");
  const Engine engine = golden_engine(GetParam().weights, {});
  const ModelSettings& settings = engine.description().settings.model;
  const GoldenVideos videos(GetParam().name, settings);
  const Predictions ranked = read_predictions(
      shared_file(std::string("golden/") + GetParam().name + "/predictions_reranked.json"));
  Workspace workspace(2);
  const auto predictions = engine.predict(videos.inputs(), false, {}, workspace);
  for (size_t v = 0; v < predictions.size(); ++v) {
    const auto wanted =
        std::ranges::find(ranked.videos, videos.wanted()[v].video, &VideoEvents::video);
    ASSERT_NE(wanted, ranked.videos.end());
    const int64_t count = predicted_event_count(predictions[v].count_scores);
    EXPECT_EQ(count, wanted->predicted_count);
    const std::vector<Event> events =
        rank_events(predictions[v].queries, count, {.weight = settings.rank_weight});
    ASSERT_EQ(events.size(), wanted->events.size()) << wanted->video;
    for (size_t i = 0; i < events.size(); ++i) {
      expect_event(events[i], wanted->events[i], wanted->video);
      EXPECT_EQ(events[i].query, wanted->events[i].query);
    }
  }
}

constexpr Case kStandard{"anet_c3d_pdvc", "anet_c3d_pdvc", false},
    kLight{"anet_c3d_pdvcl", "anet_c3d_pdvcl", false},
    kGiven{"anet_c3d_pdvc_gt", "anet_c3d_pdvc", true};

std::string name_of(const testing::TestParamInfo<Case>& each) { return each.param.name; }

INSTANTIATE_TEST_SUITE_P(Models, GoldenRuntime, testing::Values(kStandard, kLight, kGiven),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Models, GoldenRanking, testing::Values(kStandard, kLight), name_of);

}  // namespace
}  // namespace pdvc
