#include "data/ranking.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "text/unicode.h"

namespace pdvc {

int64_t word_count(std::string_view sentence) {
  int64_t count = 0;
  bool inside = false;
  while (!sentence.empty()) {
    const bool space = is_white_space(next_code_point(sentence));
    if (!space && !inside) ++count;
    inside = !space;
  }
  return count;
}

double joint_score(const Event& event, RankingRule rule) {
  const double words = static_cast<double>(word_count(event.sentence));
  return event.proposal_score.value_or(0) +
         rule.weight * event.sentence_score.value_or(0) / (std::pow(words, rule.gamma) + 1e-5);
}

int64_t predicted_event_count(std::span<const float> counter_logits) {
  const auto best = std::ranges::max_element(counter_logits);
  return std::max<int64_t>(1, best - counter_logits.begin());
}

std::vector<Event> rank_events(std::vector<Event> events, int64_t count, RankingRule rule) {
  for (Event& event : events) event.joint_score = joint_score(event, rule);
  std::ranges::stable_sort(events, std::ranges::greater{},
                           [](const Event& e) { return *e.joint_score; });
  if (static_cast<int64_t>(events.size()) > count)
    events.resize(static_cast<size_t>(std::max<int64_t>(count, 0)));
  std::ranges::stable_sort(
      events, {}, [](const Event& e) { return std::pair(e.segment.start, e.segment.end); });
  return events;
}

}  // namespace pdvc
