// Events for tests, made on the spot.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "event/event.h"

namespace pdvc {

inline Event event_of(double start, double end, std::string sentence,
                      std::optional<double> joint_score = std::nullopt) {
  return {.segment = {start, end}, .sentence = std::move(sentence), .joint_score = joint_score};
}

}  // namespace pdvc
