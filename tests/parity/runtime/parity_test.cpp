// The runtime against what the trainer's half recorded (see parity/recording.h): the same weights
// and features must give the same captions. PDVC_PARITY names the folder of recordings; of its
// models every PDVC_PARITY_STEP-th is taken.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <set>
#include <sstream>

#include "base/json.h"
#include "data/resample.h"
#include "parity/recording.h"
#include "runtime/engine.h"
#include "support/files.h"

namespace pdvc {
namespace {

namespace fs = std::filesystem;

constexpr double kTolerance = 1e-4;
// Two words whose log-probabilities are this near are one choice to f32.
constexpr double kTie = 1e-5;

std::vector<fs::path> recorded_models() {
  const char* folder = std::getenv("PDVC_PARITY");
  if (folder == nullptr) return {};
  std::vector<fs::path> all, taken;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".safetensors") all.push_back(entry.path());
  std::ranges::sort(all);
  const char* step = std::getenv("PDVC_PARITY_STEP");
  for (size_t i = 0; i < all.size(); i += step == nullptr ? 1 : std::stoul(step))
    taken.push_back(all[i]);
  return taken;
}

// A model's videos, ready for the engine, and what is wanted of them.
class Recording {
 public:
  Recording(const fs::path& model, const ModelSettings& settings)
      : wanted_(parse_json(contents_of(recording_beside(model)), model.string())
                    .get<std::vector<RecordedVideo>>()) {
    for (const RecordedVideo& video : wanted_) {
      std::vector<Array> streams;
      streams.emplace_back(DType::f32, Shape{video.rows, settings.feature_width});
      std::ranges::copy(video.features, streams[0].floats().begin());
      features_.push_back(
          joined_streams(streams, settings.resample ? settings.frames : 0, "video"));
      VideoInput input{.features = features_.back().floats(), .duration = video.duration};
      for (const auto& [start, end] : video.proposals) input.proposals.push_back({start, end});
      inputs_.push_back(std::move(input));
    }
  }

  std::span<const RecordedVideo> wanted() const { return wanted_; }
  std::span<const VideoInput> inputs() const { return inputs_; }

 private:
  std::vector<RecordedVideo> wanted_;
  std::deque<Array> features_;
  std::vector<VideoInput> inputs_;
};

// The ids of a sentence of numbered words: "w3 w1." is 3, 1.
std::vector<int64_t> ids_of(const std::string& sentence) {
  std::vector<int64_t> ids;
  std::istringstream text(sentence);
  for (std::string word; text >> word;) ids.push_back(std::stoll(word.substr(1)));
  return ids;
}

double sum_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

struct Tally {
  int64_t sentences = 0, ties = 0;

  // A choice between words that f32 cannot tell apart may fall the other way, but not often.
  void expect_few_ties() const {
    EXPECT_GT(sentences, 0);
    EXPECT_LE(ties * 1000, sentences);
  }
};

// Whether the first word that differs is as good as the one wanted.
bool is_tie(const std::vector<int64_t>& own, const RecordedSentence& wanted) {
  const auto at = static_cast<size_t>(std::ranges::mismatch(own, wanted.words).in1 - own.begin());
  const int64_t word = at < own.size() ? own[at] : 0;
  return at < wanted.margins.size() && wanted.margins[at] < kTie && wanted.runners_up[at] == word;
}

void expect_sentence(const Event& own, const RecordedSentence& wanted, Tally& tally) {
  ++tally.sentences;
  const std::vector<int64_t> ids = ids_of(own.sentence);
  if (ids != wanted.words && is_tie(ids, wanted)) {
    ++tally.ties;
    return;
  }
  EXPECT_EQ(ids, wanted.words);
  const auto words = static_cast<double>(wanted.words.size());
  EXPECT_NEAR(own.sentence_score.value(), sum_of(wanted.log_probabilities),
              kTolerance * std::max(1.0, words));
}

void expect_place(const Event& own, const RecordedQuery& wanted, double duration) {
  const auto seconds = [&](double share) { return std::clamp(share, 0.0, 1.0) * duration; };
  EXPECT_NEAR(own.segment.start, seconds(wanted.centre - wanted.length / 2), kTolerance * duration);
  EXPECT_NEAR(own.segment.end, seconds(wanted.centre + wanted.length / 2), kTolerance * duration);
  // Nowhere does the score rise faster than a quarter of the logit.
  EXPECT_NEAR(own.proposal_score.value(), 1 / (1 + std::exp(-wanted.logit)), kTolerance / 4);
}

void expect_video(const VideoPredictions& own, const RecordedVideo& wanted, Tally& tally) {
  ASSERT_EQ(own.count_scores.size(), wanted.counts.size());
  for (size_t i = 0; i < wanted.counts.size(); ++i)
    EXPECT_NEAR(own.count_scores[i], wanted.counts[i], kTolerance);
  ASSERT_EQ(own.queries.size(), wanted.queries.size());
  for (size_t q = 0; q < wanted.queries.size(); ++q) {
    SCOPED_TRACE("query " + std::to_string(q));
    expect_place(own.queries[q], wanted.queries[q], wanted.duration);
    if (wanted.queries[q].sentence.empty()) {  // it only finds events
      EXPECT_EQ(own.queries[q].sentence, "");
      EXPECT_EQ(own.queries[q].sentence_score, 0);
    }
    for (const RecordedSentence& sentence : wanted.queries[q].sentence)
      expect_sentence(own.queries[q], sentence, tally);
  }
}

// Into how many parts a model is cut, and how many threads work on it.
struct Threads {
  int engine, workspace;
};

class Parity : public testing::TestWithParam<Threads> {
 protected:
  // Calls test(engine, recording, workspace) for each model.
  template <class Test>
  void for_each_model(Test&& test) {
    const std::vector<fs::path> models = recorded_models();
    if (models.empty()) GTEST_SKIP() << "needs PDVC_PARITY, a folder of recordings";
    RecordingLog log;
    Workspace workspace(GetParam().workspace);  // one for all: models must leave nothing behind
    for (const fs::path& model : models) {
      SCOPED_TRACE(model.filename().string());
      const Engine engine(open_model(model, "", "", log), {.threads = GetParam().engine});
      const Recording recording(model, engine.description().settings.model);
      test(engine, recording, workspace);
    }
  }
};

bool takes_proposals(const Engine& engine) {
  return engine.description().settings.model.query_source == QuerySource::gt_proposals;
}

SearchOptions search_of(const Engine& engine, int64_t beam) {
  return {.beam = beam, .longest = engine.description().settings.model.longest_caption};
}

TEST_P(Parity, TheRuntimeSaysWhatTheTrainerSaysAloneAndInABatch) {
  Tally tally;
  for_each_model([&](const Engine& engine, const Recording& recording, Workspace& workspace) {
    const auto predict = [&](std::span<const VideoInput> videos) {
      return engine.predict(videos, takes_proposals(engine), search_of(engine, 1), workspace);
    };
    const auto together = predict(recording.inputs());
    for (size_t v = 0; v < together.size(); ++v) {
      SCOPED_TRACE("video " + std::to_string(v));
      expect_video(together[v], recording.wanted()[v], tally);
      expect_video(predict(recording.inputs().subspan(v, 1)).at(0), recording.wanted()[v], tally);
    }
  });
  tally.expect_few_ties();
}

void expect_beam(const Event& own, const RecordedBeam& wanted, Tally& tally) {
  ++tally.sentences;
  const std::vector<int64_t> ids = ids_of(own.sentence);
  if (ids != wanted.words && wanted.margin < kTie) {
    ++tally.ties;
    return;
  }
  EXPECT_EQ(ids, wanted.words);
  EXPECT_NEAR(own.sentence_score.value(), wanted.log_probability,
              kTolerance * std::max<double>(1, static_cast<double>(wanted.words.size())));
}

TEST_P(Parity, BeamsFindWhatAPlainSearchFinds) {
  Tally tally;
  for_each_model([&](const Engine& engine, const Recording& recording, Workspace& workspace) {
    const auto own = engine.predict(recording.inputs(), takes_proposals(engine),
                                    search_of(engine, kRecordedBeam), workspace);
    for (size_t v = 0; v < own.size(); ++v)
      for (size_t q = 0; q < own[v].queries.size(); ++q)
        for (const RecordedBeam& beam : recording.wanted()[v].queries.at(q).beam)
          expect_beam(own[v].queries[q], beam, tally);
  });
  tally.expect_few_ties();
}

INSTANTIATE_TEST_SUITE_P(Threads, Parity,
                         testing::Values(Threads{1, 1}, Threads{2, 2}, Threads{3, 3}, Threads{3, 1},
                                         Threads{1, 2}),
                         [](const auto& each) {
                           return std::to_string(each.param.engine) + "Parts" +
                                  std::to_string(each.param.workspace) + "Threads";
                         });

// Were all sentences alike, the comparisons above would say little.
TEST(ParityRecordings, DifferInWordsLengthsAndEnds) {
  const std::vector<fs::path> models = recorded_models();
  if (models.empty()) GTEST_SKIP() << "needs PDVC_PARITY, a folder of recordings";
  std::set<std::vector<int64_t>> different;
  std::set<size_t> lengths;
  int64_t sentences = 0, ended = 0, beams = 0, better = 0;
  for (const fs::path& model : models) {
    const Json json = parse_json(contents_of(recording_beside(model)), model.string());
    for (const RecordedVideo& video : json.get<std::vector<RecordedVideo>>())
      for (const RecordedQuery& query : video.queries) {
        for (const RecordedSentence& sentence : query.sentence) {
          ++sentences;
          ended += sentence.margins.size() > sentence.words.size();
          different.insert(sentence.words);
          lengths.insert(sentence.words.size());
        }
        for (const RecordedBeam& beam : query.beam) {
          ++beams;
          better += beam.words != query.sentence.at(0).words;
        }
      }
  }
  EXPECT_GT(std::ssize(different), sentences / 3);
  EXPECT_GT(lengths.size(), 12u);
  EXPECT_GT(ended, sentences / 10);
  EXPECT_LT(ended, sentences * 9 / 10);
  EXPECT_GT(better, beams / 10);
}

}  // namespace
}  // namespace pdvc
