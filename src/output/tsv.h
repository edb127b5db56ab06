// Captions as a table for spreadsheets and scripts.
#pragma once

#include <span>
#include <string>

#include "event/event.h"

namespace pdvc {

// A line of column names, then one line an event, fields separated by tabs: video, start, end,
// sentence, proposal_score, sentence_score, joint_score. Numbers have all their digits; an absent
// one is an empty field. Tabs and line breaks in text become spaces.
std::string tsv_text(std::span<const VideoEvents> videos);

}  // namespace pdvc
