#include "evaluation/meteor_align.h"

#include <algorithm>
#include <array>
#include <compare>
#include <cstdlib>
#include <functional>
#include <span>

namespace pdvc {
namespace {

constexpr size_t kBeam = 40;
constexpr int64_t kNone = -1;

int64_t distance_of(const MeteorMatch& match) {
  return std::abs(int64_t{match.start} - int64_t{match.test_start});
}

// What a match adds to the search's count of matched words. The original counts in whole numbers,
// so that half a word is lost.
int64_t weight_of(const MeteorMatch& match) {
  if (match.stage == MeteorStage::exact) return match.length + match.test_length;
  return match.length / 2 + match.test_length / 2;
}

// Matches that compete with no other, by position; they are in every alignment.
std::vector<const MeteorMatch*> fixed_matches(const MeteorCandidates& candidates) {
  std::vector<uint32_t> reference_count(candidates.reference_length());
  std::vector<uint32_t> test_count(candidates.test_length());
  for (const MeteorMatch& match : candidates.all()) {
    for (uint32_t i = 0; i < match.length; ++i) ++reference_count[match.start + i];
    for (uint32_t i = 0; i < match.test_length; ++i) ++test_count[match.test_start + i];
  }
  const auto is_alone = [](const std::vector<uint32_t>& count, uint32_t start, uint32_t length) {
    return std::ranges::all_of(std::span(count).subspan(start, length),
                               [](uint32_t matches) { return matches == 1; });
  };
  std::vector<const MeteorMatch*> fixed(candidates.reference_length());
  for (size_t position = 0; position < fixed.size(); ++position) {
    const auto here = candidates.at(position);
    if (here.size() == 1 && is_alone(reference_count, here[0].start, here[0].length) &&
        is_alone(test_count, here[0].test_start, here[0].test_length))
      fixed[position] = &here[0];
  }
  return fixed;
}

// What partial alignments are ordered by, in one number, smaller being better: matched words (the
// more the better), then closed chunks, then distance. Of two texts that are matched, one has at
// most 1000 words, so that chunks fit 10 bits and the sum of distances 40.
class Rank {
 public:
  void add_matched(int64_t words) { value_ -= words << 50; }
  void add_chunk() { value_ += int64_t{1} << 40; }
  void add_distance(int64_t words) { value_ += words; }
  int64_t chunks() const { return value_ >> 40 & 0x3ff; }

  auto operator<=>(const Rank&) const = default;

 private:
  int64_t value_ = 0;
};
static_assert(2 * kMostMatchedWords < 1 << 13);

// A set of words of the hypothesis.
template <size_t Blocks>
class WordSet {
 public:
  bool has_any(const MeteorMatch& match) const {
    for (size_t i = match.test_start; i < match.test_start + match.test_length; ++i)
      if (blocks_[i / 64] >> i % 64 & 1) return true;
    return false;
  }
  void add(const MeteorMatch& match) {
    for (size_t i = match.test_start; i < match.test_start + match.test_length; ++i)
      blocks_[i / 64] |= uint64_t{1} << i % 64;
  }

 private:
  std::array<uint64_t, Blocks> blocks_{};
};

// A way to go on from a state; it becomes a state only if it is among the best.
struct Step {
  Rank rank;
  uint32_t order = 0;   // as it came: the earlier of equals is the better
  uint32_t parent = 0;  // index of the state
  int64_t open_end = kNone;
  const MeteorMatch* match = nullptr;  // null: goes on without one

  bool operator<(const Step& other) const {
    return rank != other.rank ? rank < other.rank : order < other.order;
  }
};

template <size_t Blocks>
class Search {
 public:
  explicit Search(const MeteorCandidates& candidates)
      : candidates_(candidates), fixed_(fixed_matches(candidates)), beam_(1) {}

  MeteorAlignment run() {
    for (size_t position = 0; position < candidates_.reference_length(); ++position) {
      steps_.clear();
      for (uint32_t state = 0; state < beam_.size(); ++state) add_steps(state, position);
      keep_best_steps();
      take_steps();
    }
    for (State& state : beam_)
      if (state.open_end != kNone) state.rank.add_chunk();
    return alignment_of(*std::ranges::min_element(beam_, {}, &State::rank));
  }

 private:
  // An alignment of the positions so far.
  struct State {
    Rank rank;
    int64_t open_end = kNone;    // where in the hypothesis the open chunk ends
    int64_t last_match = kNone;  // in chain_
    size_t free_from = 0;        // reference words before are in use or passed
    WordSet<Blocks> used;        // words of the hypothesis
  };
  struct ChainLink {
    int64_t before = kNone;
    const MeteorMatch* match = nullptr;
  };

  // Goes on from a state as it is.
  Step& add_step(uint32_t parent) {
    const State& state = beam_[parent];
    return steps_.emplace_back(Step{.rank = state.rank,
                                    .order = static_cast<uint32_t>(steps_.size()),
                                    .parent = parent,
                                    .open_end = state.open_end});
  }

  // A match that does not go on where the open chunk ends closes it.
  Step& add_match(uint32_t parent, const MeteorMatch& match) {
    Step& step = add_step(parent);
    if (step.open_end != kNone && step.open_end != match.test_start) step.rank.add_chunk();
    step.open_end = match.test_start + match.test_length;
    step.match = &match;
    return step;
  }

  void add_steps(uint32_t parent, size_t position) {
    if (const MeteorMatch* match = fixed_[position]) {
      add_match(parent, *match).rank.add_distance(distance_of(*match));
    } else if (position < beam_[parent].free_from) {
      add_step(parent);
    } else {
      add_candidates(parent, position);
      Step& skip = add_step(parent);
      if (skip.open_end != kNone) skip.rank.add_chunk();
      skip.open_end = kNone;
    }
  }

  // The original adds a match's distance to the state it came from, not to the one it makes.
  void add_candidates(uint32_t parent, size_t position) {
    State& state = beam_[parent];
    for (const MeteorMatch& match : candidates_.at(position)) {
      if (state.used.has_any(match)) continue;
      add_match(parent, match).rank.add_matched(weight_of(match));
      state.rank.add_distance(distance_of(match));
    }
  }

  void keep_best_steps() {
    if (steps_.size() > kBeam) {
      std::ranges::nth_element(steps_, steps_.begin() + kBeam, std::less());
      steps_.resize(kBeam);
    }
    std::ranges::sort(steps_, std::less());
  }

  void take_steps() {
    next_beam_.clear();
    for (const Step& step : steps_) {
      State& state = next_beam_.emplace_back(beam_[step.parent]);
      state.rank = step.rank;
      state.open_end = step.open_end;
      if (!step.match) continue;
      state.free_from = step.match->start + step.match->length;
      state.used.add(*step.match);
      chain_.push_back({.before = state.last_match, .match = step.match});
      state.last_match = static_cast<int64_t>(chain_.size()) - 1;
    }
    std::swap(beam_, next_beam_);
  }

  MeteorAlignment alignment_of(const State& state) const {
    MeteorAlignment result{.matches = {}, .chunks = state.rank.chunks()};
    for (int64_t at = state.last_match; at != kNone; at = chain_[static_cast<size_t>(at)].before)
      result.matches.push_back(*chain_[static_cast<size_t>(at)].match);
    std::ranges::reverse(result.matches);
    return result;
  }

  const MeteorCandidates& candidates_;
  std::vector<const MeteorMatch*> fixed_;  // [position]
  std::vector<State> beam_, next_beam_;
  std::vector<Step> steps_;
  std::vector<ChainLink> chain_;  // all matches taken, each with the one before it
};

}  // namespace

MeteorAlignment align(const MeteorCandidates& candidates) {
  if (candidates.all().empty()) return {};
  if (candidates.test_length() <= 64) return Search<1>(candidates).run();
  return Search<(kMostMatchedWords + 63) / 64>(candidates).run();
}

}  // namespace pdvc
