#include "runtime/selection.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "data/ranking.h"

namespace pdvc {
namespace {

std::vector<Event> by_proposal_score(std::vector<Event> events) {
  std::ranges::stable_sort(events, std::ranges::greater{},
                           [](const Event& event) { return event.proposal_score.value_or(0); });
  return events;
}

RankingRule rule_of(const ModelSettings& settings, const SelectionOptions& options) {
  RankingRule rule;
  rule.weight = options.rank_weight.value_or(settings.rank_weight);
  rule.gamma = options.rank_gamma.value_or(rule.gamma);
  return rule;
}

}  // namespace

VideoEvents select_events(std::string video, double duration, const VideoPredictions& predictions,
                          const ModelSettings& settings, const SelectionOptions& options) {
  VideoEvents result{.video = std::move(video),
                     .duration = duration,
                     .predicted_count = predicted_event_count(predictions.count_scores)};
  result.events = options.all_queries ? by_proposal_score(predictions.queries)
                                      : rank_events(predictions.queries,
                                                    options.count.value_or(*result.predicted_count),
                                                    rule_of(settings, options));
  return result;
}

}  // namespace pdvc
