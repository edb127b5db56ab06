#include "parity/trainer/plain_beam.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pdvc {
namespace {

struct Hypothesis {
  std::vector<int64_t> words;  // with the beginning, and the end where there is one
  double before = 0;           // log-probability of all but the last word
  double all = 0;

  bool has_ended() const { return words.size() > 1 && words.back() == 0; }
  double score() const { return all / static_cast<double>(words.size() - 1); }
};

// All sentences with one more word, the likeliest first.
std::vector<Hypothesis> continued(PdvcImpl& model, const ModelOutputs& outputs,
                                  const CaptionMemory& memory, int64_t query,
                                  const std::vector<Hypothesis>& beam) {
  std::vector<Hypothesis> all;
  for (const Hypothesis& sentence : beam) {
    const CaptionQueries asked = queries_at(outputs.layers.back(), torch::zeros({1}, torch::kLong),
                                            torch::full({1}, query, torch::kLong));
    const Tensor words = torch::tensor(sentence.words, torch::kLong).unsqueeze(0);
    const Tensor next = model.captioner().forward(memory, asked, words)[0][-1].contiguous();
    for (int64_t word = 0; word < next.size(0); ++word) {
      Hypothesis longer{sentence.words, sentence.all,
                        sentence.all + static_cast<double>(next.data_ptr<float>()[word])};
      longer.words.push_back(word);
      all.push_back(std::move(longer));
    }
  }
  std::ranges::stable_sort(all, std::ranges::greater(), &Hypothesis::all);
  return all;
}

// Whether a sentence that goes on is better so far, word for word, than all that have ended.
bool may_improve(const std::vector<Hypothesis>& beam, const std::vector<Hypothesis>& finished,
                 double& margin) {
  const auto best_of = [](const std::vector<Hypothesis>& all) {
    return std::ranges::max_element(all, {}, &Hypothesis::score)->score();
  };
  const double lead = best_of(beam) - best_of(finished);
  margin = std::min(margin, std::abs(lead));
  return lead > 0;
}

RecordedBeam recorded(const Hypothesis& best, double margin) {
  RecordedBeam result{.words = {best.words.begin() + 1, best.words.end()}, .margin = margin};
  result.log_probability = best.has_ended() ? best.before : best.all;
  if (best.has_ended()) result.words.pop_back();
  return result;
}

}  // namespace

RecordedBeam plain_beam(PdvcImpl& model, const ModelOutputs& outputs, const CaptionMemory& memory,
                        int64_t query) {
  const auto width = static_cast<size_t>(kRecordedBeam);
  const auto longest = static_cast<size_t>(model.settings().longest_caption);
  std::vector<Hypothesis> beam = {{.words = {0}}}, finished;
  double margin = std::numeric_limits<double>::max();
  while (!beam.empty() && (finished.size() < width || may_improve(beam, finished, margin))) {
    std::vector<Hypothesis> next = continued(model, outputs, memory, query, beam);
    if (next.size() > width) margin = std::min(margin, next[width - 1].all - next[width].all);
    next.resize(std::min(next.size(), width));
    beam.clear();
    for (const Hypothesis& sentence : next) {
      const bool done = sentence.has_ended() || sentence.words.size() > longest;
      (done ? finished : beam).push_back(sentence);
    }
  }
  std::ranges::stable_sort(finished, std::ranges::greater(), &Hypothesis::score);
  if (finished.size() > 1) margin = std::min(margin, finished[0].score() - finished[1].score());
  return recorded(finished.front(), margin);
}

}  // namespace pdvc
