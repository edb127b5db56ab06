#include "evaluation/meteor.h"

#include <cmath>

#include "evaluation/meteor_align.h"

namespace pdvc {
namespace {

// Tuned by METEOR's authors on human rankings of translations.
constexpr double kRecallShare = 0.85, kFragmentPower = 0.2, kFragmentWeight = 0.6,
                 kContentShare = 0.75;
constexpr std::array<double, kMeteorStages> kStageWeights = {1, 0.6, 0.8, 0.6};

double weighted(double content_words, double function_words) {
  return kContentShare * content_words + (1 - kContentShare) * function_words;
}

MeteorStatistics lengths_of(const PreparedText& reference, const PreparedText& test) {
  MeteorStatistics result;
  result.test_length = static_cast<int64_t>(test.length());
  result.reference_length = static_cast<int64_t>(reference.length());
  result.test_function_words = static_cast<int64_t>(test.function_words());
  result.reference_function_words = static_cast<int64_t>(reference.function_words());
  return result;
}

void count_words(std::span<const MeteorWord> words, int64_t& content, int64_t& function) {
  for (const MeteorWord& word : words) ++(word.is_function ? function : content);
}

double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

double fragmentation(const MeteorStatistics& s) {
  if (s.is_complete_in_one_chunk()) return 0;
  return share(static_cast<double>(s.chunks),
               static_cast<double>(s.test_matches + s.reference_matches) / 2);
}

}  // namespace

std::array<int64_t, 23> MeteorStatistics::numbers() const {
  std::array<int64_t, 23> result{};
  auto out = result.begin();
  for (const int64_t n :
       {test_length, reference_length, test_function_words, reference_function_words})
    *out++ = n;
  for (const Matched& m : matched)
    for (const int64_t n :
         {m.test_content, m.reference_content, m.test_function, m.reference_function})
      *out++ = n;
  for (const int64_t n : {chunks, test_matches, reference_matches}) *out++ = n;
  return result;
}

bool MeteorStatistics::is_complete_in_one_chunk() const {
  return chunks == 1 && test_matches == test_length && reference_matches == reference_length;
}

double meteor_score(const MeteorStatistics& s) {
  double test = 0, reference = 0;
  for (size_t stage = 0; stage < kMeteorStages; ++stage) {
    const MeteorStatistics::Matched& m = s.matched[stage];
    test += kStageWeights[stage] *
            weighted(static_cast<double>(m.test_content), static_cast<double>(m.test_function));
    reference += kStageWeights[stage] * weighted(static_cast<double>(m.reference_content),
                                                 static_cast<double>(m.reference_function));
  }
  const auto length = [](int64_t words, int64_t function_words) {
    return weighted(static_cast<double>(words - function_words),
                    static_cast<double>(function_words));
  };
  const double precision = share(test, length(s.test_length, s.test_function_words));
  const double recall = share(reference, length(s.reference_length, s.reference_function_words));
  if (precision <= 0 || recall <= 0) return 0;
  const double mean = 1 / ((1 - kRecallShare) / precision + kRecallShare / recall);
  return mean * (1 - kFragmentWeight * std::pow(fragmentation(s), kFragmentPower));
}

void add_to_set(MeteorStatistics& set, const MeteorStatistics& pair) {
  set.test_length += pair.test_length;
  set.reference_length += pair.reference_length;
  set.test_function_words += pair.test_function_words;
  set.reference_function_words += pair.reference_function_words;
  for (size_t stage = 0; stage < kMeteorStages; ++stage) {
    MeteorStatistics::Matched& sum = set.matched[stage];
    const MeteorStatistics::Matched& m = pair.matched[stage];
    sum.test_content += m.test_content;
    sum.reference_content += m.reference_content;
    sum.test_function += m.test_function;
    sum.reference_function += m.reference_function;
  }
  set.chunks += pair.is_complete_in_one_chunk() ? 0 : pair.chunks;
  set.test_matches += pair.test_matches;
  set.reference_matches += pair.reference_matches;
}

MeteorStatistics MeteorScorer::statistics(const PreparedText& reference,
                                          const PreparedText& hypothesis) const {
  MeteorStatistics result = lengths_of(reference, hypothesis);
  const MeteorAlignment alignment = align(MeteorCandidates(reference, hypothesis, data_));
  for (const MeteorMatch& match : alignment.matches) {
    MeteorStatistics::Matched& m = result.matched[static_cast<size_t>(match.stage)];
    count_words(hypothesis.words().subspan(match.test_start, match.test_length), m.test_content,
                m.test_function);
    count_words(reference.words().subspan(match.start, match.length), m.reference_content,
                m.reference_function);
    result.test_matches += match.test_length;
    result.reference_matches += match.length;
  }
  result.chunks = alignment.chunks;
  return result;
}

MeteorStatistics MeteorScorer::best_statistics(std::span<const PreparedText> references,
                                               const PreparedText& hypothesis) const {
  MeteorStatistics best;
  double best_score = -1;
  for (const PreparedText& reference : references) {
    const MeteorStatistics one = statistics(reference, hypothesis);
    const double score = meteor_score(one);
    if (score <= best_score) continue;
    best = one;
    best_score = score;
  }
  return best;
}

}  // namespace pdvc
