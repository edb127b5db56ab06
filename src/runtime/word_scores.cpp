#include "runtime/word_scores.h"

#include <algorithm>
#include <cmath>

#include "kernels/top_k.h"

namespace pdvc {
namespace {

// What one part of the vocabulary says of one row.
struct PartResult {
  float most = 0, sum = 0;   // the largest score, and the sum of exp(score - most)
  std::vector<Scored> best;  // words and scores
};

PartResult best_of(std::span<const float> scores, int64_t first_word, int64_t best) {
  const vector::BestWord likeliest = vector::best_word(scores);
  PartResult result{likeliest.score, likeliest.sum, {}};
  if (best == 1) {
    result.best = {{first_word + likeliest.index, likeliest.score}};
  } else {
    result.best = top_k(scores, best);
    for (Scored& word : result.best) word.index += first_word;
  }
  return result;
}

// Log of the sum of exp over all parts.
float log_total(std::span<const PartResult> parts) {
  float most = parts.front().most;
  for (const PartResult& part : parts) most = std::max(most, part.most);
  float sum = 0;
  for (const PartResult& part : parts) sum += part.sum * std::exp(part.most - most);
  return most + std::log(sum);
}

// The best of all parts, as log-probabilities, appended.
void merge(std::span<const PartResult> parts, int64_t best, std::vector<Candidate>& out) {
  const float total = log_total(parts);
  std::vector<Scored> all;
  for (const PartResult& part : parts) all.insert(all.end(), part.best.begin(), part.best.end());
  std::ranges::sort(all, comes_before);
  all.resize(std::min(all.size(), static_cast<size_t>(best)));
  for (const Scored& word : all) out.push_back({word.index, word.score - total});
}

}  // namespace

WordScores::WordScores(const LayerReader& reader, int64_t parts) {
  const std::string prefix = "caption_head.0.logit.";
  const Numbers weight = reader.numbers(prefix + "weight"), bias = reader.numbers(prefix + "bias");
  const size_t width = weight.size() / bias.size();
  const std::vector<Piece> pieces = pieces_of(static_cast<int64_t>(bias.size()), parts);
  // All parts are as wide as the widest, so that one prepared product serves them: words that are
  // not there get a score that no word has.
  constexpr float kNever = -1e30f;
  const auto widest = static_cast<size_t>(
      std::ranges::max(pieces, {}, [](const Piece& p) { return p.count; }).count);
  for (const Piece& piece : pieces) {
    const auto first = static_cast<size_t>(piece.first), count = static_cast<size_t>(piece.count);
    const auto rows = weight.values().subspan(first * width, count * width);
    std::vector<float> padded, padded_bias(widest, kNever);
    if (count < widest) {
      padded.assign(rows.begin(), rows.end());
      padded.resize(widest * width, 0.0f);
    }
    std::ranges::copy(bias.values().subspan(first, count), padded_bias.begin());
    parts_.push_back({reader.pack(prefix + "weight", count < widest ? padded : rows, padded_bias,
                                  static_cast<int64_t>(width), kQueryRows),
                      piece.first});
  }
}

void WordScores::choose(const float* states, int64_t rows, int64_t best, Workspace& workspace,
                        std::vector<Candidate>& candidates) const {
  const Arena::Scope scope(workspace.arena);
  std::vector<float*> scores;
  for (const Part& part : parts_)
    scores.push_back(workspace.arena.rows(rows, part.layer.outputs()));
  const size_t parts = parts_.size();
  std::vector<PartResult> results(static_cast<size_t>(rows) * parts);  // [row, part]
  workspace.team.run([&](int thread) {
    for (auto p = static_cast<size_t>(thread); p < parts;
         p += static_cast<size_t>(workspace.team.size())) {
      const Part& part = parts_[p];
      part.layer.run(states, scores[p], rows, workspace.scratch(thread));
      const auto words = static_cast<size_t>(part.layer.outputs());
      for (size_t r = 0; r < static_cast<size_t>(rows); ++r)
        results[r * parts + p] = best_of({scores[p] + r * words, words}, part.first, best);
    }
  });
  candidates.clear();
  for (size_t r = 0; r < static_cast<size_t>(rows); ++r)
    merge(std::span(results).subspan(r * parts, parts), best, candidates);
}

}  // namespace pdvc
