// From what a model says of every query to the events it gives out: count, score, select.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "event/event.h"

namespace pdvc {

struct RankingRule {
  double weight = 0.3;  // of the sentence score: 0.3 for light models, 1.0 for standard ones
  double gamma = 2;     // how much longer sentences are favoured
};

// White-space separated words of a sentence.
int64_t word_count(std::string_view sentence);

// c = c_loc + weight * s / (M^gamma + 1e-5), of an event that has both scores.
double joint_score(const Event& event, RankingRule rule);

// What the counter's scores for 0, 1, 2 ... events mean: the most likely number, at least one.
int64_t predicted_event_count(std::span<const float> counter_logits);

// Scores all events and keeps the `count` best, by start and then end. Of equal scores the first
// stays.
std::vector<Event> rank_events(std::vector<Event> events, int64_t count, RankingRule rule);

}  // namespace pdvc
