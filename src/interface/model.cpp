// The public interface: include/pdvc/pdvc.h on top of the engine.
#include <ostream>
#include <utility>

#include "base/error.h"
#include "base/parallel.h"
#include "base/version.h"
#include "interface/request.h"
#include "pdvc/pdvc.h"
#include "runtime/engine.h"
#include "runtime/workspace_pool.h"

namespace pdvc {
namespace {

constexpr int kMostThreads = 1024;

// Runs a public function's body. Callers know one type of exception, and std::bad_alloc.
template <class Body>
auto translated(Body&& body) {
  try {
    return body();
  } catch (const Exception&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw Exception(error.what());
  }
}

int thread_count(int asked) {
  check(asked >= 0 && asked <= kMostThreads, "threads is ", asked, " (expected 0 to ", kMostThreads,
        ")");
  return asked == 0 ? available_threads() : asked;
}

DensePrecision precision_of(Precision asked, const ModelSource& source) {
  switch (asked) {
    case Precision::stored:
      return source.stored;
    case Precision::f32:
      return DensePrecision::f32;
    case Precision::bf16:
      return DensePrecision::bf16;
    case Precision::int8:
      return DensePrecision::int8;
  }
  fail("precision is ", static_cast<int>(asked), " (expected one of pdvc::Precision)");
}

ModelSource open_quietly(const std::filesystem::path& path) {
  std::ostream nowhere(nullptr);
  Log log(nowhere, "pdvc", Verbosity::quiet);
  return source_of(std::make_shared<const ModelFile>(path, log));
}

Caption caption_of(Event& event) {
  return {.start = event.segment.start,
          .end = event.segment.end,
          .sentence = std::move(event.sentence),
          .proposal_score = event.proposal_score.value_or(0),
          .sentence_score = event.sentence_score.value_or(0),
          .joint_score = event.joint_score};
}

std::vector<Caption> captions_of(std::vector<Event> events) {
  std::vector<Caption> captions;
  for (Event& event : events) captions.push_back(caption_of(event));
  return captions;
}

}  // namespace

struct Model::Content {
  Engine engine;
  mutable WorkspacePool workspaces;

  Content(const ModelSource& source, Precision precision, int threads)
      : engine(source, {.precision = precision_of(precision, source), .threads = threads}),
        workspaces(threads) {}

  const ModelSettings& settings() const { return engine.description().settings.model; }
  std::vector<VideoPredictions> predict(std::span<const Video> videos, const VideoBatch& batch,
                                        const SearchOptions& search, Workspace& workspace) const;
  std::vector<std::vector<Caption>> caption(std::span<const Video> videos,
                                            const CaptionOptions& options) const;
};

std::vector<VideoPredictions> Model::Content::predict(std::span<const Video> videos,
                                                      const VideoBatch& batch,
                                                      const SearchOptions& search,
                                                      Workspace& workspace) const {
  std::vector<Array> features;  // the inputs look at them
  std::vector<VideoInput> inputs;
  for (const size_t v : batch.videos) {
    features.push_back(prepared_features(videos[v].features, settings()));
    inputs.push_back({.features = features.back().floats(),
                      .duration = videos[v].duration,
                      .proposals = proposals_of(videos[v])});
  }
  return engine.predict(inputs, batch.proposals, search, workspace);
}

std::vector<std::vector<Caption>> Model::Content::caption(std::span<const Video> videos,
                                                          const CaptionOptions& options) const {
  check_videos(videos, settings());
  const SearchOptions search = search_options(options, settings());
  const SelectionOptions selection = selection_options(options);
  std::vector<std::vector<Caption>> results(videos.size());
  auto workspace = workspaces.take();
  for (const VideoBatch& batch : batches_of(videos)) {
    std::vector<VideoPredictions> predictions = predict(videos, batch, search, *workspace);
    for (size_t i = 0; i < batch.videos.size(); ++i) {
      const size_t v = batch.videos[i];
      results[v] =
          captions_of(batch.proposals ? std::move(predictions[i].queries)
                                      : select_events("", videos[v].duration, predictions[i],
                                                      settings(), selection)
                                            .events);
    }
  }
  workspaces.give_back(std::move(workspace));  // not after an exception: then it is let go
  return results;
}

inline namespace v0 {

Exception::~Exception() = default;

std::string library_version() { return version(); }

Model::Model(std::shared_ptr<const Content> content) : content_(std::move(content)) {}

Model Model::load(const std::filesystem::path& path, const ModelOptions& options) {
  return translated([&] {
    const int threads = thread_count(options.threads);
    return Model(std::make_shared<const Content>(open_quietly(path), options.precision, threads));
  });
}

std::size_t Model::feature_width() const {
  return static_cast<std::size_t>(content_->settings().feature_width);
}

bool Model::writes_sentences() const { return content_->settings().has_captioner(); }

bool Model::needs_proposals() const {
  return content_->settings().query_source == QuerySource::gt_proposals;
}

std::optional<double> Model::seconds_per_row() const {
  const auto& backbone = content_->engine.description().backbone;
  return backbone ? backbone->seconds_per_row() : std::nullopt;
}

std::vector<Caption> Model::caption(const Features& features, double duration,
                                    const CaptionOptions& options) const {
  return caption(Video{features, duration}, options);
}

std::vector<Caption> Model::caption(const Video& video, const CaptionOptions& options) const {
  return translated(
      [&] { return std::move(content_->caption(std::span(&video, 1), options).front()); });
}

std::vector<std::vector<Caption>> Model::caption_all(const std::vector<Video>& videos,
                                                     const CaptionOptions& options) const {
  return translated([&] { return content_->caption(videos, options); });
}

}  // namespace v0
}  // namespace pdvc
