#include "text/scanner.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "text/pattern.h"

namespace pdvc {
namespace {

using CharacterClasses = std::array<uint8_t, 128>;
using States = std::vector<uint16_t>;  // sorted, each once

struct HashStates {
  size_t operator()(const States& states) const {
    return std::hash<std::string_view>()(
        {reinterpret_cast<const char*>(states.data()), states.size() * sizeof(states[0])});
  }
};

// A machine that is in many states at once (Thompson): states that wait for a character, states
// that split without one, and states that accept.
class Nondeterministic {
 public:
  explicit Nondeterministic(const std::vector<std::string>& patterns) {
    start_ = add({});
    for (size_t rule = 0; rule < patterns.size(); ++rule) {
      const uint16_t accept = add({});
      states_[accept].rule = static_cast<int>(rule);
      const uint16_t first = before(parse_pattern(patterns[rule]), accept);
      states_[start_].free.push_back(first);
    }
    classes_ = equal_characters();
    class_count_ = *std::ranges::max_element(classes_) + size_t{1};
    for (size_t state = 0; state < states_.size(); ++state) {
      reached_.push_back(reached_from(static_cast<uint16_t>(state)));
      awaited_.push_back(classes_in(states_[state].set));
    }
  }

  const CharacterClasses& classes() const { return classes_; }
  size_t class_count() const { return class_count_; }

  const States& start() const { return reached_[start_]; }

  // Where each class of characters leads; good until the next call, which uses the same room.
  const std::vector<States>& after(const States& from) {
    after_.resize(class_count_);
    for (States& states : after_) states.clear();
    seen_.resize(class_count_ * states_.size(), 0);
    ++round_;
    for (const uint16_t state : from)
      for (const uint8_t c : awaited_[state]) {
        uint32_t* const seen = &seen_[c * states_.size()];
        for (const uint16_t to : reached_[states_[state].next])
          if (std::exchange(seen[to], round_) != round_) after_[c].push_back(to);
      }
    for (States& states : after_) std::ranges::sort(states);
    return after_;
  }

  int accepted(const States& states) const {
    int best = Scanner::kNoRule;
    for (const uint16_t state : states) {
      const int rule = states_[state].rule;
      if (rule >= 0 && (best < 0 || rule < best)) best = rule;
    }
    return best;
  }

 private:
  struct State {
    CharacterSet set = {};
    uint16_t next = 0;  // after a character of the set
    States free = {};   // without a character
    int rule = Scanner::kNoRule;
  };

  uint16_t add(State state) {
    check(states_.size() < 65535, "the patterns are too long");
    states_.push_back(std::move(state));
    return static_cast<uint16_t>(states_.size() - 1);
  }

  // The state from which the pattern leads to `end`.
  uint16_t before(const Pattern& pattern, uint16_t end) {
    switch (pattern.kind) {
      case Pattern::Kind::set:
        return add({.set = pattern.set, .next = end});
      case Pattern::Kind::sequence:
        for (auto part = pattern.parts.rbegin(); part != pattern.parts.rend(); ++part)
          end = before(*part, end);
        return end;
      case Pattern::Kind::choice: {
        State split;
        for (const Pattern& part : pattern.parts) split.free.push_back(before(part, end));
        return add(std::move(split));
      }
      case Pattern::Kind::repeat:
        break;
    }
    return before_repeat(pattern, end);
  }

  uint16_t before_repeat(const Pattern& pattern, uint16_t end) {
    const Pattern& part = pattern.parts[0];
    if (pattern.most == Pattern::kUnlimited) {
      const uint16_t loop = add({.free = {end}});
      const uint16_t again = before(part, loop);
      states_[loop].free.push_back(again);
      end = loop;
    }
    const uint16_t last = end;
    for (int i = pattern.least; i < pattern.most; ++i)
      end = add({.free = {last, before(part, end)}});
    for (int i = 0; i < pattern.least; ++i) end = before(part, end);
    return end;
  }

  // What is reached from a state without a character; only states that wait or accept are kept.
  States reached_from(uint16_t start) const {
    States result, open = {start};
    std::vector<bool> seen(states_.size());
    while (!open.empty()) {
      const uint16_t state = open.back();
      open.pop_back();
      if (seen[state]) continue;
      seen[state] = true;
      if (states_[state].set.any() || states_[state].rule >= 0) result.push_back(state);
      open.insert(open.end(), states_[state].free.begin(), states_[state].free.end());
    }
    std::ranges::sort(result);
    return result;
  }

  // Characters that are in the same sets get the same number.
  CharacterClasses equal_characters() const {
    std::unordered_set<CharacterSet> sets;
    for (const State& state : states_) sets.insert(state.set);
    CharacterClasses result{};
    for (const CharacterSet& set : sets) {
      std::map<std::pair<uint8_t, bool>, uint8_t> numbers;
      for (size_t c = 0; c < result.size(); ++c) {
        const auto fresh = static_cast<uint8_t>(numbers.size());
        result[c] = numbers.try_emplace({result[c], set.test(c)}, fresh).first->second;
      }
    }
    return result;
  }

  std::vector<uint8_t> classes_in(const CharacterSet& set) const {
    std::vector<uint8_t> result;
    for (size_t c = 0; c < classes_.size(); ++c)
      if (set.test(c)) result.push_back(classes_[c]);
    std::ranges::sort(result);
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
  }

  std::vector<State> states_;
  uint16_t start_ = 0;
  CharacterClasses classes_{};
  size_t class_count_ = 0;
  std::vector<States> after_;
  std::vector<uint32_t> seen_;  // [class, state] the last round that reached it
  uint32_t round_ = 0;
  std::vector<States> reached_;                // [state] without a character
  std::vector<std::vector<uint8_t>> awaited_;  // [state] classes of its set
};

}  // namespace

Scanner::Scanner(const std::vector<std::string>& patterns) {
  Nondeterministic machine(patterns);
  class_of_ = machine.classes();
  class_count_ = machine.class_count();
  std::unordered_map<States, uint16_t, HashStates> numbers = {{{}, kStuck},
                                                              {machine.start(), kStart}};
  std::vector<States> open = {{}, machine.start()};
  for (size_t state = 0; state < open.size(); ++state) {
    accepted_.push_back(static_cast<int16_t>(machine.accepted(open[state])));
    for (const States& to : machine.after(open[state])) {
      const auto [at, is_new] = numbers.try_emplace(to, static_cast<uint16_t>(open.size()));
      transitions_.push_back(at->second);
      if (is_new) open.push_back(to);
    }
    check(open.size() < 65000, "the patterns need too many states");
  }
}

Scanner::Match Scanner::Pass::match_at(size_t from) {
  // Noting every 64th place keeps the notes small and the time still linear.
  constexpr size_t kStride = 64;
  Match best;
  std::vector<uint64_t> unsettled;
  uint16_t state = kStart;
  for (size_t at = from; at < text_.size(); ++at) {
    state = scanner_.next(state, static_cast<unsigned char>(text_[at]));
    if (state == kStuck) break;
    if (const int rule = scanner_.accepted_[state]; rule >= 0) {
      best = {.rule = rule, .length = at + 1 - from};
      unsettled.clear();
    } else if (at % kStride == 0) {
      const uint64_t place = at << 16 | state;
      if (dead_ends_.contains(place)) break;
      unsettled.push_back(place);
    }
  }
  if (!unsettled.empty()) dead_ends_.insert(unsettled.begin(), unsettled.end());
  return best;
}

}  // namespace pdvc
