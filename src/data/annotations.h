// Annotation files in the format of ActivityNet Captions.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/json.h"
#include "base/log.h"
#include "event/event.h"

namespace pdvc {

// What to do with an event that ends before it starts.
enum class ReversedTimes { leave_out, refuse };
// Whether every event must have a sentence; proposals need none.
enum class Sentences { required, optional };

// What to do with an event that ends after its video.
enum class LateEnds { cut, keep };

struct AnnotationRules {
  ReversedTimes reversed = ReversedTimes::leave_out;
  Sentences sentences = Sentences::required;
  LateEnds late_ends = LateEnds::cut;
};

constexpr AnnotationRules kTrainingData = {};
constexpr AnnotationRules kProposals = {ReversedTimes::refuse, Sentences::optional};
// Scores are made from the times as they are written.
constexpr AnnotationRules kReferences = {ReversedTimes::refuse, Sentences::required,
                                         LateEnds::keep};

// {video: {"duration": seconds, "timestamps": [[start, end], ...], "sentences": [...]}}, in file
// order. Ends beyond the duration are cut (unless the rules keep them), silently up to 0.05 s, else
// with one warning for the file; negative times are refused.
std::vector<VideoEvents> read_annotations(const std::filesystem::path& path, AnnotationRules rules,
                                          Log& log);
std::vector<VideoEvents> parse_annotations(std::string_view text, const std::string& name,
                                           AnnotationRules rules, Log& log);

// The whole file, one video a line. Every video must have a duration.
std::string annotations_text(std::span<const VideoEvents> videos);

// A list of video names, or an object whose keys are the names.
std::unordered_set<std::string> read_video_list(const std::filesystem::path& path);

// A segment out of JSON [start, end] in seconds. Throws unless both are numbers, finite and not
// negative.
Segment parse_segment(const Json& value, const std::string& place);

std::vector<std::string> names_of_videos(const std::vector<VideoEvents>& videos);

}  // namespace pdvc
