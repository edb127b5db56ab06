#include "runtime/search.h"

#include <algorithm>
#include <optional>

namespace pdvc {
namespace {

// The sentences of one caption.
struct Beam {
  std::vector<Sentence> going;
  std::optional<Sentence> best;  // of those that have ended
  double best_score = 0;
  int64_t ended = 0;

  // A sentence that goes on and is better so far, word for word, than all that have ended may end
  // better too.
  bool may_improve() const {
    return std::ranges::any_of(going, [&](const Sentence& sentence) {
      return sentence.log_probability / static_cast<double>(sentence.words.size()) > best_score;
    });
  }

  void end(Sentence sentence, double score) {
    ++ended;
    if (best && best_score >= score) return;
    best = std::move(sentence);
    best_score = score;
  }
};

// A sentence going on with one more word.
struct Continuation {
  size_t from;  // which of the beam's sentences
  Candidate next;
  double log_probability;
};

std::vector<Continuation> likeliest(const Beam& beam, std::span<const Candidate> candidates,
                                    size_t each, size_t keep) {
  std::vector<Continuation> all;
  for (size_t i = 0; i < beam.going.size(); ++i)
    for (const Candidate& next : candidates.subspan(i * each, each))
      all.push_back({i, next, beam.going[i].log_probability + next.log_probability});
  std::ranges::stable_sort(all, std::ranges::greater(), &Continuation::log_probability);
  all.resize(std::min(all.size(), keep));
  return all;
}

// One word further. Appends to `from` the rows, counted from `first_row`, that go on.
void extend(Beam& beam, std::span<const Candidate> candidates, size_t each, size_t width,
            bool last_word, int64_t first_row, std::vector<int64_t>& from) {
  std::vector<Sentence> going;
  std::vector<int64_t> rows;
  for (const Continuation& c : likeliest(beam, candidates, each, width)) {
    Sentence sentence = beam.going[c.from];
    if (c.next.word == 0) {
      const auto length = static_cast<double>(sentence.words.size() + 1);
      beam.end(std::move(sentence), c.log_probability / length);
      continue;
    }
    sentence.words.push_back(c.next.word);
    sentence.log_probability = c.log_probability;
    if (last_word) {
      const auto length = static_cast<double>(sentence.words.size());
      beam.end(std::move(sentence), c.log_probability / length);
      continue;
    }
    going.push_back(std::move(sentence));
    rows.push_back(first_row + static_cast<int64_t>(c.from));
  }
  beam.going = std::move(going);
  if (beam.ended >= static_cast<int64_t>(width) && !beam.may_improve()) beam.going.clear();
  if (!beam.going.empty()) from.insert(from.end(), rows.begin(), rows.end());
}

bool is_unchanged(std::span<const int64_t> from, size_t rows) {
  if (from.size() != rows) return false;
  for (size_t i = 0; i < rows; ++i)
    if (from[i] != static_cast<int64_t>(i)) return false;
  return true;
}

}  // namespace

std::vector<Sentence> find_sentences(Decoding& decoding, int64_t captions,
                                     const SearchOptions& options) {
  std::vector<Beam> beams(static_cast<size_t>(captions), Beam{.going = {Sentence()}});
  std::vector<int64_t> words(static_cast<size_t>(captions), 0);
  std::vector<Candidate> candidates;
  for (int64_t step = 0; step < options.longest && !words.empty(); ++step) {
    decoding.advance(words, options.beam, candidates);
    const size_t each = candidates.size() / words.size();
    std::vector<int64_t> from;
    int64_t row = 0;
    for (Beam& beam : beams) {
      const size_t rows = beam.going.size();
      if (rows == 0) continue;
      extend(beam, std::span(candidates).subspan(static_cast<size_t>(row) * each, rows * each),
             each, static_cast<size_t>(options.beam), step + 1 == options.longest, row, from);
      row += static_cast<int64_t>(rows);
    }
    if (!is_unchanged(from, words.size())) decoding.keep(from);
    words.clear();
    for (const Beam& beam : beams)
      for (const Sentence& sentence : beam.going) words.push_back(sentence.words.back());
  }
  std::vector<Sentence> sentences;
  for (Beam& beam : beams) sentences.push_back(beam.best ? std::move(*beam.best) : Sentence());
  return sentences;
}

}  // namespace pdvc
