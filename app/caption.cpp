// pdvc caption: what happens in videos, when, in sentences.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <unordered_map>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/parallel.h"
#include "base/printable.h"
#include "caption_inputs.h"
#include "caption_output.h"
#include "data/annotations.h"
#include "data/predictions.h"
#include "data/resample.h"
#include "output/file_kind.h"
#include "runtime/engine.h"
#include "runtime/selection.h"
#include "runtime/windows.h"
#include "shapes/corpus.h"
#include "video/backbones.h"
#include "video/probe.h"

namespace pdvc {
namespace {

enum class ComputePrecision { automatic, f32, bf16, int8 };
constexpr std::array<std::string_view, 4> names_of(ComputePrecision) {
  return {"model", "f32", "bf16", "int8"};
}

struct CaptionOptions {
  std::vector<std::string> inputs;
  std::string model, config, vocabulary;
  std::vector<std::string> streams;
  std::string annotations, proposals;
  std::string out, format;
  double duration = 0;
  bool all_queries = false;
  int64_t count = 0;
  double rank_weight = -1, rank_gamma = -1;
  int64_t beam = 1, max_words = 0;
  ComputePrecision precision = ComputePrecision::automatic;
  int64_t batch = 8;
  double window = 0;
  std::string backbone, weights;
  bool resume = false;
};

void fields(CaptionOptions& o, FieldList& visit) {
  visit("input", o.inputs,
        "videos, features (.npy, .npz, .h5), folders of them, or - for a video on standard input")
      .positional();
  visit("model", o.model, "model file (.safetensors), or .pth with --config and --vocabulary")
      .placeholder("FILE");
  visit("config", o.config, "settings of a .pth model").placeholder("FILE");
  visit("vocabulary", o.vocabulary, "words of a .pth model").placeholder("FILE");
  visit("stream", o.streams,
        "feature stream, repeated in the setting's order: DIR/{video}SUFFIX.npy, or an HDF5 file")
      .placeholder("DIR[:SUFFIX]");
  visit("annotations", o.annotations, "durations, and which videos").placeholder("FILE");
  visit("duration", o.duration, "of a single feature file").at_least(0).placeholder("SECONDS");
  visit("proposals", o.proposals, "caption these segments (annotations or predictions)")
      .placeholder("FILE");
  visit("all-queries", o.all_queries, "every query with its scores, without counting and ranking");
  visit("count", o.count, "keep this many events; 0: as many as the model counts")
      .at_least(0)
      .placeholder("N");
  visit("rank-weight", o.rank_weight, "weight of the sentence in ranking; -1: the model's")
      .at_least(-1)
      .placeholder("MU");
  visit("rank-gamma", o.rank_gamma, "how much longer sentences are favoured; -1: the model's")
      .at_least(-1)
      .placeholder("G");
  visit("beam", o.beam, "sentences kept in the search; 1: greedy").within(1, 64).placeholder("N");
  visit("max-words", o.max_words, "longest sentence; 0: the model's")
      .within(0, 1000)
      .placeholder("N");
  visit("precision", o.precision, "what products are computed in; model: what the file holds");
  visit("batch", o.batch, "videos at once").within(1, 4096).placeholder("N");
  visit("window", o.window, "cut longer videos into windows that overlap by half; 0: never")
      .at_least(0)
      .placeholder("SECONDS");
  visit("backbone", o.backbone,
        "how a video becomes features; default: what the model was trained with")
      .one_of(backbone_names());
  visit("weights", o.weights, "of the backbone; default: what pdvc fetch has put into the cache")
      .placeholder("FILE");
  visit("out", o.out, "file, folder/ or -; default: standard output")
      .letter('o')
      .placeholder("OUT");
  visit("format", o.format,
        "json, srt, vtt, txt, tsv, chapters-ffmetadata, chapters-youtube, chapters-vtt, "
        "html; several with commas")
      .placeholder("LIST");
  visit("resume", o.resume, "go on where an interrupted run with the same options stopped");
}

// Looked up with and without "v_" in front.
class ByVideo {
 public:
  ByVideo() = default;
  explicit ByVideo(std::vector<VideoEvents> videos) : videos_(std::move(videos)) {
    for (size_t i = 0; i < videos_.size(); ++i) index_.emplace(plain(videos_[i].video), i);
  }

  const VideoEvents* find(const std::string& name) const {
    const auto found = index_.find(plain(name));
    return found == index_.end() ? nullptr : &videos_[found->second];
  }
  const std::vector<VideoEvents>& all() const { return videos_; }

 private:
  static std::string plain(const std::string& name) {
    return name.starts_with("v_") ? name.substr(2) : name;
  }

  std::vector<VideoEvents> videos_;
  std::unordered_map<std::string, size_t> index_;
};

std::vector<VideoEvents> read_segments(const std::string& path, Log& log) {
  if (kind_of_file(path) == FileKind::predictions) return read_predictions(path).videos;
  return read_annotations(path, kProposals, log);
}

std::vector<std::string> names_of(const std::vector<VideoEvents>& videos) {
  std::vector<std::string> names;
  for (const VideoEvents& video : videos) names.push_back(video.video);
  return names;
}

void check_options(const CaptionOptions& o) {
  if (o.model.empty()) throw UsageError("caption: --model is needed");
  if (o.inputs.empty() && o.streams.empty())
    throw UsageError("caption: nothing to caption (give videos, feature files, or --stream)");
  if (o.window > 0 && !o.proposals.empty())
    throw UsageError("caption: --window and --proposals exclude each other");
}

// The videos that the options name, in order; INPUT and annotations narrow each other.
std::vector<FeatureVideo> videos_of(const CaptionOptions& o, const ModelDescription& model,
                                    const ByVideo& annotations, Session& session) {
  std::vector<FeatureVideo> videos;
  const auto encoding = std::make_shared<VideoEncoding>(
      VideoEncoding::Options{
          .backbone = o.backbone, .weights = o.weights, .threads = session.threads},
      model, o.model);
  for (const std::string& input : o.inputs) {
    auto found = captionable_in(input, encoding, model.backbone);
    std::ranges::move(found, std::back_inserter(videos));
  }
  if (!o.streams.empty()) {
    std::vector<FeatureStream> streams;
    for (const std::string& text : o.streams) streams.push_back(parse_stream(text));
    auto source = std::make_shared<const FeatureSource>(std::move(streams));
    std::vector<std::string> missing;
    auto found = o.annotations.empty() ? videos_in(source)
                                       : videos_named(source, names_of(annotations.all()), missing);
    report_missing(missing, annotations.all().size(), session.log);
    std::ranges::move(found, std::back_inserter(videos));
  }
  if (!o.annotations.empty())
    std::erase_if(videos, [&](const FeatureVideo& v) { return !annotations.find(v.name); });
  std::map<std::string, int> seen;
  for (const FeatureVideo& video : videos)
    check(++seen[video.name] == 1, printable(video.name), ": is named twice among the inputs");
  check(!videos.empty(),
        "no video is left to caption (the inputs and --annotations have none in "
        "common)");
  return videos;
}

// The one way from a video's name to its events.
class CaptionRun {
 public:
  CaptionRun(const CaptionOptions& options, const Engine& engine, ByVideo annotations,
             ByVideo proposals, Session& session)
      : options_(options),
        engine_(engine),
        settings_(engine.description().settings.model),
        annotations_(std::move(annotations)),
        proposals_(std::move(proposals)),
        session_(session),
        workspace_(session.threads) {
    search_.beam = options.beam;
    search_.longest = options.max_words > 0 ? options.max_words : settings_.longest_caption;
    selection_.all_queries = options.all_queries || by_proposals();
    if (options.count > 0) selection_.count = options.count;
    if (options.rank_weight >= 0) selection_.rank_weight = options.rank_weight;
    if (options.rank_gamma >= 0) selection_.rank_gamma = options.rank_gamma;
  }

  // The videos that could be read and captioned; the others are reported.
  std::vector<VideoEvents> caption(std::span<const FeatureVideo> videos) {
    std::vector<std::optional<Loaded>> loaded(videos.size());
    parallel_for(session_.threads, static_cast<int64_t>(videos.size()), [&](int64_t i) {
      const FeatureVideo& video = videos[static_cast<size_t>(i)];
      try {
        loaded[static_cast<size_t>(i)] = load(video);
      } catch (const Error& error) {
        session_.log.error(error.what());
      }
    });
    std::vector<Piece> pieces;
    for (size_t v = 0; v < videos.size(); ++v)
      if (loaded[v])
        for (size_t w = 0; w < loaded[v]->windows.size(); ++w) pieces.push_back({v, w});
    predict(loaded, pieces);
    std::vector<VideoEvents> results;
    for (size_t v = 0; v < videos.size(); ++v)
      if (loaded[v]) results.push_back(events_of(videos[v].name, *loaded[v]));
    return results;
  }

 private:
  // Features of a video, and what is known of it.
  struct Loaded {
    std::vector<Array> streams;
    double duration = 0;
    std::vector<Segment> windows, proposals;
    std::vector<VideoEvents> events;  // of each window
  };
  struct Piece {
    size_t video, window;
  };

  bool by_proposals() const {
    return !options_.proposals.empty() || settings_.query_source == QuerySource::gt_proposals;
  }

  Loaded load(const FeatureVideo& video) {
    VideoRows rows = video.read(session_.log);
    Loaded loaded{.streams = std::move(rows.streams)};
    int64_t width = 0;
    for (const Array& stream : loaded.streams) width += stream.shape()[1];
    check(width == settings_.feature_width, printable(video.name), ": features are ", width,
          " wide (the model expects ", settings_.feature_width, ")");
    loaded.duration = options_.duration <= 0 && rows.duration
                          ? *rows.duration
                          : duration_of(video.name, loaded.streams.front().shape()[0]);
    loaded.windows = options_.window > 0 ? windows_of(loaded.duration, options_.window)
                                         : std::vector<Segment>{{0, loaded.duration}};
    loaded.events.resize(loaded.windows.size());
    if (!by_proposals()) return loaded;
    const VideoEvents* proposed = proposals_.find(video.name);
    check(proposed != nullptr, printable(video.name), ": has no segments in ", options_.proposals);
    for (const Event& event : proposed->events) loaded.proposals.push_back(event.segment);
    return loaded;
  }

  double duration_of(const std::string& video, int64_t rows) const {
    if (options_.duration > 0) return options_.duration;
    for (const ByVideo* source : {&annotations_, &proposals_})
      if (const VideoEvents* known = source->find(video); known && known->duration > 0.0)
        return *known->duration;
    const auto& backbone = engine_.description().backbone;
    const auto per_row = backbone ? backbone->seconds_per_row() : std::nullopt;
    check(per_row.has_value(), printable(video),
          ": its duration is not known (give --duration or --annotations)");
    return *per_row * static_cast<double>(rows);
  }

  // One window's rows of every stream, as the model takes them.
  Array features_of(const Loaded& loaded, const Segment& window) const {
    const int64_t target = settings_.resample ? settings_.frames : 0;
    if (loaded.windows.size() == 1) return joined_streams(loaded.streams, target, "");
    std::vector<Array> cut;
    for (const Array& stream : loaded.streams) {
      const WindowRows rows = rows_of(window, loaded.duration, stream.shape()[0]);
      const int64_t width = stream.shape()[1];
      Array part(DType::f32, {rows.count, width});
      std::ranges::copy(stream.floats().subspan(static_cast<size_t>(rows.first * width),
                                                static_cast<size_t>(rows.count * width)),
                        part.floats().begin());
      cut.push_back(std::move(part));
    }
    return joined_streams(cut, target, "");
  }

  void predict(std::vector<std::optional<Loaded>>& loaded, std::span<const Piece> pieces) {
    const auto batch = static_cast<size_t>(options_.batch);
    for (size_t first = 0; first < pieces.size(); first += batch) {
      check_interrupt();
      const auto now = pieces.subspan(first, std::min(batch, pieces.size() - first));
      std::vector<Array> features;
      std::vector<VideoInput> inputs;
      for (const Piece& piece : now) {
        const Loaded& video = *loaded[piece.video];
        features.push_back(features_of(video, video.windows[piece.window]));
        inputs.push_back({.features = features.back().floats(),
                          .duration = video.windows[piece.window].length(),
                          .proposals = video.proposals});
      }
      const auto predictions = engine_.predict(inputs, by_proposals(), search_, workspace_);
      for (size_t i = 0; i < now.size(); ++i)
        loaded[now[i].video]->events[now[i].window] = select(predictions[i], inputs[i].duration);
    }
  }

  VideoEvents select(const VideoPredictions& predictions, double duration) const {
    VideoEvents events = select_events("", duration, predictions, settings_, selection_);
    if (by_proposals())  // in the order they were given
      std::ranges::sort(events.events, {}, [](const Event& event) { return *event.query; });
    return events;
  }

  VideoEvents events_of(const std::string& name, Loaded& loaded) const {
    VideoEvents result{.video = name, .duration = loaded.duration};
    if (loaded.windows.size() == 1) {
      result.events = std::move(loaded.events.front().events);
      result.predicted_count = loaded.events.front().predicted_count;
      return result;
    }
    std::vector<std::vector<Event>> by_window;
    for (size_t w = 0; w < loaded.windows.size(); ++w) {
      by_window.push_back(std::move(loaded.events[w].events));
      for (Event& event : by_window.back()) {
        event.segment.start += loaded.windows[w].start;
        event.segment.end += loaded.windows[w].start;
      }
    }
    result.events = merge_windows(loaded.windows, by_window, loaded.duration);
    result.predicted_count = static_cast<int64_t>(result.events.size());
    return result;
  }

  const CaptionOptions& options_;
  const Engine& engine_;
  const ModelSettings& settings_;
  ByVideo annotations_, proposals_;
  Session& session_;
  Workspace workspace_;
  SearchOptions search_;
  SelectionOptions selection_;
};

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

bool is_of_shapes(const std::filesystem::path& film) try {
  return is_shapes_film(probe_video(film).comment);
} catch (const Error&) {
  return false;  // said when its turn comes
}

// What the model knows, unless it is shown films that were made to be learnt from.
void say_note(const ModelDescription& model, const std::vector<FeatureVideo>& videos,
              const std::map<std::string, std::filesystem::path>& films, Log& log) {
  if (model.note.empty()) return;
  const bool all_known = std::ranges::all_of(videos, [&](const FeatureVideo& video) {
    const auto film = films.find(video.name);
    return film != films.end() && is_of_shapes(film->second);
  });
  if (!all_known) log.info("note: " + printable(model.note, 500));
}

int run(const CaptionOptions& options, Session& session) {
  check_options(options);
  const ModelSource source =
      open_model(options.model, options.config, options.vocabulary, session.log);
  ByVideo annotations, proposals;
  if (!options.annotations.empty())
    annotations = ByVideo(read_annotations(options.annotations, kProposals, session.log));
  if (!options.proposals.empty())
    proposals = ByVideo(read_segments(options.proposals, session.log));
  const bool needs_proposals =
      source.description.settings.model.query_source == QuerySource::gt_proposals;
  if (needs_proposals && options.proposals.empty())
    throw UsageError("caption: " + options.model + " captions given segments (--proposals FILE)");
  const std::vector<FeatureVideo> videos =
      videos_of(options, source.description, annotations, session);
  if (options.duration > 0 && videos.size() > 1)
    throw UsageError("caption: --duration is for a single video; use --annotations");
  const OutputPlan plan =
      plan_output(options.out, options.format, videos.size(), isatty(STDOUT_FILENO) != 0);

  std::vector<std::string> names;
  for (const FeatureVideo& video : videos) names.push_back(video.name);
  CaptionOutput output(plan, std::move(names), run_identity(options), options.resume, session);
  const auto films = films_in(options.inputs);
  output.set_films(films);
  say_note(source.description, videos, films, session.log);
  const Engine engine(
      source, {.precision = precision_of(options.precision, source), .threads = session.threads});
  CaptionRun captioning(options, engine, std::move(annotations), std::move(proposals), session);
  size_t failed = 0;
  try {
    failed = caption_all(captioning, videos, static_cast<size_t>(options.batch), output, session);
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
