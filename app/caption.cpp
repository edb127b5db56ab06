// pdvc caption: what happens in videos, when, in sentences.
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>

#include "attempt.h"
#include "base/data_files.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/printable.h"
#include "caption_inputs.h"
#include "caption_output.h"
#include "caption_run.h"
#include "data/annotations.h"
#include "data/feature_origin.h"
#include "data/predictions.h"
#include "output/file_kind.h"

namespace pdvc {
namespace {

constexpr const char* kDefaultModel = "shapes.safetensors";

std::vector<VideoEvents> read_segments(const std::string& path, Log& log) {
  if (kind_of_file(path) == FileKind::predictions) return read_predictions(path).videos;
  return read_annotations(path, kProposals, log);
}

void check_options(const CaptionOptions& o) {
  if (o.model.empty() && !(o.config.empty() && o.vocabulary.empty()))
    throw UsageError("caption: --config and --vocabulary belong to a --model");
  if (o.inputs.empty() && o.streams.empty())
    throw UsageError("caption: nothing to caption (give videos, feature files, or --stream)");
  if (o.window > 0 && !o.proposals.empty())
    throw UsageError("caption: --window and --proposals exclude each other");
}

std::vector<FeatureVideo> videos_of_streams(const CaptionOptions& o, const ModelDescription& model,
                                            const VideosByName& annotations, Log& log) {
  std::vector<FeatureStream> streams;
  for (const std::string& text : o.streams) streams.push_back(parse_stream(text));
  if (model.backbone) check_made_by(streams, *model.backbone);
  auto source = std::make_shared<const FeatureSource>(std::move(streams));
  if (o.annotations.empty()) return videos_in(source);
  std::vector<std::string> missing;
  auto videos = videos_named(source, names_of_videos(annotations.all()), missing);
  report_missing(missing, annotations.all().size(), log);
  return videos;
}

struct Inputs {
  std::vector<FeatureVideo> videos;
  size_t failed = 0;  // inputs that could not be opened; reported
};

// The videos that the options name, in order; INPUT and annotations narrow each other.
Inputs inputs_of(const CaptionOptions& o, const ModelDescription& model,
                 const VideosByName& annotations, Session& session) {
  Inputs inputs;
  std::vector<FeatureVideo>& videos = inputs.videos;
  const auto encoding = std::make_shared<VideoEncoding>(
      VideoEncoding::Options{
          .backbone = o.backbone, .weights = o.weights, .threads = session.threads},
      model, o.model);
  for (const std::string& input : o.inputs)
    inputs.failed += !attempt(input, session.log, [&] {
      auto found = captionable_in(input, encoding, model.backbone);
      std::ranges::move(found, std::back_inserter(videos));
    });
  if (!o.streams.empty()) {
    auto found = videos_of_streams(o, model, annotations, session.log);
    std::ranges::move(found, std::back_inserter(videos));
  }
  if (!o.annotations.empty())
    std::erase_if(videos, [&](const FeatureVideo& v) { return !annotations.find(v.name); });
  std::map<std::string, int> seen;
  for (const FeatureVideo& video : videos)
    check(++seen[video.name] == 1, printable(video.name), ": is named twice among the inputs");
  check(!videos.empty() || inputs.failed > 0,
        "no video is left to caption (the inputs and --annotations have none in "
        "common)");
  return inputs;
}

DensePrecision precision_of(ComputePrecision precision, const ModelSource& source) {
  switch (precision) {
    case ComputePrecision::bf16:
      return DensePrecision::bf16;
    case ComputePrecision::int8:
      return DensePrecision::int8;
    case ComputePrecision::f32:
      return DensePrecision::f32;
    case ComputePrecision::automatic:
      break;
  }
  return source.stored;
}

// What makes two runs the same, for --resume.
std::string run_identity(const CaptionOptions& o) {
  CaptionOptions same = o;
  same.resume = false;
  same.inputs.clear();
  same.batch = 0;
  Json identity;
  const FieldList list = fields_of(same);
  for (const Field& field : list.all()) identity[field.key()] = field.get();
  identity["model bytes"] = std::filesystem::file_size(o.model);
  return json_text(identity);
}

// All videos, batch by batch; returns how many failed.
size_t caption_all(CaptionRun& run, std::span<const FeatureVideo> videos, size_t batch,
                   CaptionOutput& output, Session& session) {
  Progress progress(session.log, session.progress, "caption", static_cast<int64_t>(videos.size()));
  size_t failed = 0;
  std::vector<FeatureVideo> waiting;
  const auto flush = [&] {
    std::vector<VideoEvents> done = run.caption(waiting);
    failed += waiting.size() - done.size();
    for (VideoEvents& video : done) output.add(std::move(video));
    progress.advance(static_cast<int64_t>(waiting.size()));
    waiting.clear();
  };
  for (const FeatureVideo& video : videos) {
    check_interrupt();
    if (output.has(video.name)) {
      progress.advance();
      continue;
    }
    waiting.push_back(video);
    if (waiting.size() == batch) flush();
  }
  if (!waiting.empty()) flush();
  return failed;
}

int run(const CaptionOptions& given, Session& session) {
  check_options(given);
  CaptionOptions options = given;
  if (options.model.empty()) options.model = data_file(kDefaultModel);
  const ModelSource source =
      open_model(options.model, options.config, options.vocabulary, session.log);
  VideosByName annotations, proposals;
  if (!options.annotations.empty())
    annotations = VideosByName(read_annotations(options.annotations, kProposals, session.log));
  if (!options.proposals.empty())
    proposals = VideosByName(read_segments(options.proposals, session.log));
  const bool needs_proposals =
      source.description.settings.model.query_source == QuerySource::gt_proposals;
  if (needs_proposals && options.proposals.empty())
    throw UsageError("caption: " + options.model + " captions given segments (--proposals FILE)");
  const Inputs inputs = inputs_of(options, source.description, annotations, session);
  const std::vector<FeatureVideo>& videos = inputs.videos;
  if (videos.empty()) return 1;
  if (options.duration > 0 && videos.size() > 1)
    throw UsageError("caption: --duration is for a single video; use --annotations");
  const OutputPlan plan =
      plan_output(options.out, options.format, videos.size(), isatty(STDOUT_FILENO) != 0);

  std::vector<std::string> names;
  std::map<std::string, std::filesystem::path> films;
  for (const FeatureVideo& video : videos) {
    names.push_back(video.name);
    if (!video.film.empty()) films[video.name] = video.film;
  }
  CaptionOutput output(plan, std::move(names), run_identity(options), options.resume, session);
  output.set_films(std::move(films));
  const Engine engine(
      source, {.precision = precision_of(options.precision, source), .threads = session.threads});
  CaptionRun captioning(options, engine, std::move(annotations), std::move(proposals), session);
  size_t failed = inputs.failed;
  try {
    failed += caption_all(captioning, videos, static_cast<size_t>(options.batch), output, session);
  } catch (const Interrupted&) {
    output.finish(/*complete=*/false);
    throw;
  }
  output.finish(failed == 0);
  return failed == 0 ? 0 : 1;
}

}  // namespace

Command caption_command() {
  auto options = std::make_shared<CaptionOptions>();
  return {.name = "caption",
          .summary = "say what happens in videos, and when",
          .examples =
              "  pdvc caption film.mp4 --format srt\n"
              "  pdvc caption talk.mp4 --model pdvc.safetensors --weights tsp.pth --format srt\n"
              "  pdvc caption features/v_abc.npy --model pdvc.safetensors --duration 120\n"
              "  pdvc caption --model pdvc.safetensors --stream features/ --annotations val_1.json "
              "-o predictions.json\n"
              "  pdvc caption lecture.npy --model pdvc.safetensors --duration 5400 --window 120 "
              "--format srt,chapters -o out/",
          .options = fields_of(*options),
          .run = [options](Session& session) { return run(*options, session); }};
}

}  // namespace pdvc
