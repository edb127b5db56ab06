#include "output/tsv.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "output/line_text.h"

namespace pdvc {
namespace {

std::string number(std::optional<double> value) {
  return value && std::isfinite(*value) ? fmt::format("{}", *value) : "";
}

}  // namespace

std::string tsv_text(std::span<const VideoEvents> videos) {
  std::string text = "video\tstart\tend\tsentence\tproposal_score\tsentence_score\tjoint_score\n";
  for (const VideoEvents& video : videos)
    for (const Event& event : video.events)
      text += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\n", one_line_name(video.video),
                          number(event.segment.start), number(event.segment.end),
                          one_line(event.sentence), number(event.proposal_score),
                          number(event.sentence_score), number(event.joint_score));
  return text;
}

}  // namespace pdvc
