// Dense video captioning: what happens in a video, when, in sentences.
//
//   const pdvc::Model model = pdvc::Model::load("pdvc.safetensors");
//   for (const pdvc::Caption& caption : model.caption({values, rows, width}, seconds))
//     std::cout << caption.start << " to " << caption.end << ": " << caption.sentence << '\n';
//
// The one public header: C++17 and the standard library. Everything below throws pdvc::Exception
// and, when memory runs out, std::bad_alloc; nothing prints.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#define PDVC_PUBLIC __attribute__((visibility("default")))

namespace pdvc {
inline namespace v0 {  // in the symbols, not in programs: changes when the binary interface does

// Bad input or a failed operation, said in one line: "FILE: what is wrong (what was expected)".
class PDVC_PUBLIC Exception : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  Exception(const Exception&) = default;
  Exception& operator=(const Exception&) = default;
  ~Exception() override;
};

// What a model multiplies in. A CPU that would only emulate a precision gets f32.
enum class Precision { stored, f32, bf16, int8 };  // stored: what the model file's weights are in

struct ModelOptions {
  Precision precision = Precision::stored;
  int threads = 0;  // that one call may use; 0: all cores. Best 1 where many threads call at once
};

// Looks at the features of a video: one row of `width` numbers after another, in order of time. Any
// number of rows will do. Values that are not finite count as 0.
struct Features {
  const float* values = nullptr;
  std::size_t rows = 0;
  std::size_t width = 0;  // what Model::feature_width() says; of all streams side by side
};

// From `start` to `end`, in seconds.
struct TimeSpan {
  double start = 0;
  double end = 0;
};

struct Video {
  Features features;
  double duration = 0;  // seconds
  // When given, these are captioned instead of what the model finds.
  std::optional<std::vector<TimeSpan>> proposals = std::nullopt;
};

struct CaptionOptions {
  bool all_queries = false;                          // everything found, unranked
  std::optional<int> count = std::nullopt;           // how many events; none: the model counts
  std::optional<double> rank_weight = std::nullopt;  // of the sentence; none: the model's setting
  std::optional<double> rank_gamma = std::nullopt;   // favours longer sentences; none: 2
  int beam = 1;                                      // sentences kept in the search; 1: greedy
  std::optional<int> max_words = std::nullopt;       // of a sentence; none: the model's setting
};

// An event: when, what, and how sure the model is.
struct Caption {
  double start = 0;  // seconds
  double end = 0;
  std::string sentence;                              // empty from a model that only finds events
  double proposal_score = 0;                         // that there is an event: 0 to 1
  double sentence_score = 0;                         // log-probability of the sentence's words
  std::optional<double> joint_score = std::nullopt;  // of both; none where events are not ranked
};

// A loaded model. Any number of threads may use one at once: each call takes a workspace that an
// earlier call has left, or makes one. Copies share the weights and the workspaces.
class PDVC_PUBLIC Model {
 public:
  // A model file, as `pdvc convert` and training write it.
  static Model load(const std::filesystem::path& path, const ModelOptions& options = {});

  std::size_t feature_width() const;  // of a row of features
  bool writes_sentences() const;      // or only finds events
  bool needs_proposals() const;       // cannot find events by itself
  // How far apart rows are in the features the model was trained with, where that is known.
  std::optional<double> seconds_per_row() const;

  // The best events in order of time; all queries by falling proposal score; proposals in the order
  // given.
  std::vector<Caption> caption(const Features& features, double duration,
                               const CaptionOptions& options = {}) const;
  std::vector<Caption> caption(const Video& video, const CaptionOptions& options = {}) const;
  // Several videos, quicker together than one by one. One that is wrong fails the call.
  std::vector<std::vector<Caption>> caption_all(const std::vector<Video>& videos,
                                                const CaptionOptions& options = {}) const;

 private:
  struct Content;
  explicit Model(std::shared_ptr<const Content> content);
  std::shared_ptr<const Content> content_;
};

PDVC_PUBLIC std::string library_version();  // "0.1.0"

}  // namespace v0
}  // namespace pdvc
