// The public interface: what it takes and refuses, and that it says what the engine says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

#include "data/resample.h"
#include "pdvc/pdvc.h"
#include "runtime/engine.h"
#include "runtime/selection.h"
#include "support/files.h"
#include "support/models.h"

namespace pdvc {
namespace {

using testing::HasSubstr;

constexpr size_t kWidth = 6;  // of small_settings()

// Random features of a few videos, each of another length.
std::vector<float> made_up_features(unsigned seed, size_t rows) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> value(-2, 2);
  std::vector<float> values(rows * kWidth);
  std::ranges::generate(values, [&] { return value(random); });
  return values;
}

Features looking_at(const std::vector<float>& values) {
  return {values.data(), values.size() / kWidth, kWidth};
}

class InterfaceTest : public testing::Test {
 protected:
  std::filesystem::path write(const Settings& settings) const {
    write_small_model(folder_ / "model.safetensors", settings);
    return folder_ / "model.safetensors";
  }
  Model load(CaptionerKind captioner = CaptionerKind::standard) const {
    return Model::load(write(small_settings(captioner)), one_thread());
  }
  static ModelOptions one_thread() { return {Precision::f32, 1}; }

  TemporaryFolder folder_;
};

std::string exception_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Exception& exception) {
    return exception.what();
  }
  ADD_FAILURE() << "no Exception was thrown";
  return "";
}

void expect_same(const std::vector<Caption>& own, const std::vector<Caption>& wanted) {
  ASSERT_EQ(own.size(), wanted.size());
  for (size_t i = 0; i < own.size(); ++i) {
    EXPECT_NEAR(own[i].start, wanted[i].start, 1e-3);
    EXPECT_NEAR(own[i].end, wanted[i].end, 1e-3);
    EXPECT_EQ(own[i].sentence, wanted[i].sentence);
    EXPECT_NEAR(own[i].proposal_score, wanted[i].proposal_score, 1e-5);
    EXPECT_NEAR(own[i].sentence_score, wanted[i].sentence_score, 1e-4);
    EXPECT_EQ(own[i].joint_score.has_value(), wanted[i].joint_score.has_value());
  }
}

// What the engine says by itself.
VideoPredictions engine_says(const std::filesystem::path& path, const std::vector<float>& values,
                             double duration, std::vector<Segment> proposals,
                             const SearchOptions& search) {
  RecordingLog log;
  const Engine engine(open_model(path, {}, {}, log), {});
  Array features(DType::f32, {static_cast<int64_t>(values.size() / kWidth), kWidth});
  std::ranges::copy(values, features.floats().begin());
  const Array rows = resampled(features, engine.description().settings.model.frames);
  const bool own = !proposals.empty();
  const VideoInput input{rows.floats(), duration, std::move(proposals)};
  Workspace workspace(1);
  return engine.predict(std::span(&input, 1), own, search, workspace).front();
}

void expect_events(const std::vector<Caption>& own, const std::vector<Event>& wanted) {
  ASSERT_EQ(own.size(), wanted.size());
  for (size_t i = 0; i < own.size(); ++i) {
    EXPECT_EQ(own[i].start, wanted[i].segment.start);
    EXPECT_EQ(own[i].end, wanted[i].segment.end);
    EXPECT_EQ(own[i].sentence, wanted[i].sentence);
    EXPECT_EQ(own[i].proposal_score, wanted[i].proposal_score);
    EXPECT_EQ(own[i].sentence_score, wanted[i].sentence_score);
    EXPECT_EQ(own[i].joint_score, wanted[i].joint_score);
  }
}

TEST_F(InterfaceTest, SaysWhatTheEngineSays) {
  const Settings settings = small_settings(CaptionerKind::standard);
  const auto path = write(settings);
  const auto values = made_up_features(1, 37);
  const VideoPredictions predictions = engine_says(path, values, 60, {}, {});
  ASSERT_FALSE(predictions.queries.front().sentence.empty());
  expect_events(Model::load(path, one_thread()).caption(looking_at(values), 60),
                select_events("", 60, predictions, settings.model, {}).events);
}

TEST_F(InterfaceTest, PassesItsOptionsOn) {
  const Settings settings = small_settings(CaptionerKind::standard);
  const auto path = write(settings);
  const auto values = made_up_features(1, 37);
  const Model model = Model::load(path, one_thread());
  const VideoPredictions predictions = engine_says(path, values, 60, {}, {.beam = 3, .longest = 4});
  ASSERT_NE(predictions.queries.front().sentence,
            engine_says(path, values, 60, {}, {.longest = 4}).queries.front().sentence);
  CaptionOptions options;
  options.beam = 3;
  options.max_words = 4;
  options.count = 2;
  options.rank_weight = 0.7;
  options.rank_gamma = 0.5;
  const SelectionOptions selection{.count = 2, .rank_weight = 0.7, .rank_gamma = 0.5};
  expect_events(model.caption(looking_at(values), 60, options),
                select_events("", 60, predictions, settings.model, selection).events);
  options.all_queries = true;
  expect_events(model.caption(looking_at(values), 60, options),
                select_events("", 60, predictions, settings.model, {.all_queries = true}).events);
}

TEST_F(InterfaceTest, CaptionsProposalsInTheOrderGiven) {
  const auto path = write(small_settings(CaptionerKind::light));
  const auto values = made_up_features(2, 20);
  const std::vector<Segment> proposals{{30, 40}, {0, 20}, {5, 60}, {10, 10}};
  Video video{looking_at(values), 60};
  video.proposals.emplace();
  for (const Segment& segment : proposals) video.proposals->push_back({segment.start, segment.end});
  expect_events(Model::load(path, one_thread()).caption(video),
                engine_says(path, values, 60, proposals, {}).queries);
}

TEST_F(InterfaceTest, GivesAVideoAmongOthersWhatItGetsAlone) {
  const Model model = load();
  std::vector<std::vector<float>> values;
  std::vector<Video> videos;
  for (unsigned i = 0; i < 11; ++i) {
    values.push_back(made_up_features(i, 5 + 30 * i));
    videos.push_back({looking_at(values.back()), 10.0 + i});
  }
  videos[3].proposals = {{0, 5}, {2, 9}};
  videos[5].proposals.emplace();
  const auto together = model.caption_all(videos);
  ASSERT_EQ(together.size(), videos.size());
  for (size_t i = 0; i < videos.size(); ++i) expect_same(together[i], model.caption(videos[i]));
  EXPECT_EQ(together[3].size(), 2);
  EXPECT_TRUE(together[5].empty());
  EXPECT_TRUE(model.caption_all({}).empty());
}

TEST_F(InterfaceTest, ServesManyThreadsAtOnce) {
  const Model model = Model::load(write(small_settings(CaptionerKind::light)), {Precision::f32, 2});
  const auto values = made_up_features(1, 50);
  const auto wanted = model.caption(looking_at(values), 60);
  ASSERT_FALSE(wanted.empty());
  std::vector<std::vector<Caption>> said(8);
  std::vector<std::thread> threads;
  for (auto& own : said)
    threads.emplace_back([&own, &values, model] {  // a copy shares the weights
      for (int i = 0; i < 5; ++i) own = model.caption(looking_at(values), 60);
    });
  for (std::thread& thread : threads) thread.join();
  for (const auto& own : said) expect_same(own, wanted);
}

TEST_F(InterfaceTest, CaptionsOneRow) {
  const auto values = made_up_features(1, 1);
  Settings settings = small_settings(CaptionerKind::light);
  EXPECT_FALSE(Model::load(write(settings)).caption(looking_at(values), 60).empty());
  settings.model.resample = false;
  EXPECT_FALSE(Model::load(write(settings)).caption(looking_at(values), 60).empty());
}

TEST_F(InterfaceTest, TakesWhatIsNotFiniteAsZero) {
  const Model model = load();
  auto values = made_up_features(1, 30);
  for (const size_t at : {0u, 7u, 100u}) values[at] = 0;
  const auto wanted = model.caption(looking_at(values), 60);
  values[0] = std::numeric_limits<float>::quiet_NaN();
  values[7] = std::numeric_limits<float>::infinity();
  values[100] = -std::numeric_limits<float>::infinity();
  expect_same(model.caption(looking_at(values), 60), wanted);
}

TEST_F(InterfaceTest, FindsEventsWithoutSentences) {
  const Model model = load(CaptionerKind::none);
  EXPECT_FALSE(model.writes_sentences());
  const auto values = made_up_features(1, 30);
  const auto captions = model.caption(looking_at(values), 60);
  ASSERT_FALSE(captions.empty());
  EXPECT_EQ(captions[0].sentence, "");
  EXPECT_GT(captions[0].proposal_score, 0);
}

TEST_F(InterfaceTest, ComputesInAnyPrecision) {
  const auto path = write(small_settings(CaptionerKind::light));
  const auto values = made_up_features(1, 30);
  CaptionOptions all;
  all.all_queries = true;
  const size_t queries = Model::load(path).caption(looking_at(values), 60, all).size();
  for (const Precision precision : {Precision::f32, Precision::bf16, Precision::int8})
    EXPECT_EQ(Model::load(path, {precision, 1}).caption(looking_at(values), 60, all).size(),
              queries);
}

TEST_F(InterfaceTest, TellsWhatAModelTakes) {
  Settings settings = small_settings(CaptionerKind::light);
  const Model model = Model::load(write(settings));
  EXPECT_EQ(model.feature_width(), kWidth);
  EXPECT_TRUE(model.writes_sentences());
  EXPECT_FALSE(model.needs_proposals());
  EXPECT_DOUBLE_EQ(model.seconds_per_row().value(), 16.0 / 15);
  settings.model.query_source = QuerySource::gt_proposals;
  EXPECT_TRUE(Model::load(write(settings)).needs_proposals());
  EXPECT_THAT(library_version(), testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
}

TEST_F(InterfaceTest, RefusesWhatIsNoModel) {
  EXPECT_THAT(exception_of([&] { Model::load(folder_ / "absent"); }), HasSubstr("absent: "));
  const auto text = folder_.write("text", "this is no model");
  EXPECT_THAT(exception_of([&] { Model::load(text); }), HasSubstr("text: "));
  EXPECT_THAT(exception_of([&] { Model::load(folder_.path()); }),
              HasSubstr(folder_.path().string()));
}

TEST_F(InterfaceTest, RefusesWrongModelOptions) {
  const auto path = write(small_settings(CaptionerKind::light));
  EXPECT_THAT(exception_of([&] {
                Model::load(path, {Precision::f32, -1});
              }),
              HasSubstr("threads is -1"));
  EXPECT_THAT(exception_of([&] {
                Model::load(path, {static_cast<Precision>(9), 1});
              }),
              HasSubstr("precision is 9"));
}

TEST_F(InterfaceTest, RefusesWrongFeatures) {
  const Model model = load();
  const auto values = made_up_features(1, 30);
  const auto refusal = [&](const Features& features) {
    return exception_of([&] { model.caption(features, 60); });
  };
  EXPECT_EQ(refusal({values.data(), 10, 5}), "video: features are 5 wide (the model expects 6)");
  EXPECT_THAT(refusal({values.data(), 0, 6}), HasSubstr("no rows"));
  EXPECT_THAT(refusal({nullptr, 10, 6}), HasSubstr("null pointer"));
  EXPECT_THAT(refusal({values.data(), std::numeric_limits<size_t>::max() / 6, 6}),
              HasSubstr("cannot have"));
}

TEST_F(InterfaceTest, RefusesADurationThatIsNone) {
  const Model model = load();
  const auto values = made_up_features(1, 30);
  for (const double duration : {0.0, -1.0, std::nan(""), HUGE_VAL})
    EXPECT_THAT(exception_of([&] { model.caption(looking_at(values), duration); }),
                HasSubstr("its duration is "));
}

TEST_F(InterfaceTest, RefusesProposalsThatAreNoTimes) {
  const Model model = load();
  const auto values = made_up_features(1, 30);
  for (const TimeSpan span : {TimeSpan{5, 4}, TimeSpan{-1, 4}, TimeSpan{0, std::nan("")}}) {
    Video video{looking_at(values), 60};
    video.proposals = {{0, 1}, span};
    EXPECT_THAT(exception_of([&] { model.caption(video); }), HasSubstr("a proposal goes from "));
  }
}

TEST_F(InterfaceTest, AsksForProposalsWhereTheModelNeedsThem) {
  Settings settings = small_settings(CaptionerKind::light);
  settings.model.query_source = QuerySource::gt_proposals;
  const Model model = Model::load(write(settings));
  const auto values = made_up_features(1, 30);
  EXPECT_THAT(exception_of([&] { model.caption(looking_at(values), 60); }),
              HasSubstr("has no proposals"));
}

TEST_F(InterfaceTest, NamesTheWrongVideoAmongSeveral) {
  const Model model = load();
  const auto values = made_up_features(1, 30);
  EXPECT_THAT(exception_of([&] {
                model.caption_all({{looking_at(values), 60}, {looking_at(values), 0}});
              }),
              HasSubstr("video 1: "));
}

TEST_F(InterfaceTest, RefusesWrongCaptionOptions) {
  const Model model = load();
  const auto values = made_up_features(1, 30);
  const auto refusal = [&](auto member, auto value) {
    CaptionOptions options;
    options.*member = value;
    return exception_of([&] { model.caption(looking_at(values), 60, options); });
  };
  EXPECT_THAT(refusal(&CaptionOptions::beam, 0), HasSubstr("beam is 0"));
  EXPECT_THAT(refusal(&CaptionOptions::beam, 65), HasSubstr("beam is 65"));
  EXPECT_THAT(refusal(&CaptionOptions::count, 0), HasSubstr("count is 0"));
  EXPECT_THAT(refusal(&CaptionOptions::max_words, 0), HasSubstr("max_words is 0"));
  EXPECT_THAT(refusal(&CaptionOptions::rank_weight, HUGE_VAL), HasSubstr("rank_weight is inf"));
  EXPECT_THAT(refusal(&CaptionOptions::rank_gamma, std::nan("")), HasSubstr("rank_gamma is "));
}

}  // namespace
}  // namespace pdvc
