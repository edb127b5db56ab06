// pdvc eval: predictions against references, with the numbers of the published evaluators.
#include <algorithm>
#include <future>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "attempt.h"
#include "base/atomic_file.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/printable.h"
#include "command.h"
#include "data/annotations.h"
#include "data/predictions.h"
#include "output/evaluation_table.h"
#include "output/side_by_side.h"
#include "text/ptb_tokenizer.h"

namespace pdvc {
namespace {

enum class Protocol { y2018, y2021, both };
constexpr std::array<std::string_view, 3> names_of(Protocol) { return {"2018", "2021", "both"}; }

enum class SodaChoice { c, abcd, none };
constexpr std::array<std::string_view, 3> names_of(SodaChoice) { return {"c", "abcd", "none"}; }

// The draws are the same in every run, so that an interval can be checked.
constexpr uint64_t kBootstrapSeed = 1;

struct EvalOptions {
  std::vector<std::string> predictions, references, paragraphs;
  Protocol protocol = Protocol::both;
  SodaChoice soda = SodaChoice::c;
  int64_t resamples = 0;
  std::string json, per_video;
  bool show = false;
};

void fields(EvalOptions& o, FieldList& visit) {
  visit("predictions", o.predictions,
        "prediction files in the challenge format; several are shown side by side")
      .positional()
      .required();
  visit("references", o.references, "annotation files, one for each annotator")
      .many()
      .placeholder("FILE");
  visit("paragraphs", o.paragraphs,
        "files of reference paragraphs, {video: text}: also score whole descriptions")
      .many()
      .placeholder("FILE");
  visit("protocol", o.protocol,
        "release of the dense captioning evaluation; they differ in METEOR alone");
  visit("soda", o.soda, "kinds of SODA");
  visit("bootstrap", o.resamples,
        "resamples of the videos for confidence intervals and paired significance")
      .within(0, 1'000'000)
      .placeholder("N");
  visit("json", o.json, "write scores as JSON; - for standard output, instead of the table")
      .placeholder("FILE");
  visit("show", o.show, "print every event of the first references with what was said of it");
  visit("per_video", o.per_video, "write every video's scores, one JSON object a line")
      .placeholder("FILE");
}

ReportedScores reported_scores(const EvalOptions& options) {
  ReportedScores reported;
  if (options.protocol != Protocol::both)
    reported.years = {options.protocol == Protocol::y2018 ? DenseYear::y2018 : DenseYear::y2021};
  if (options.soda == SodaChoice::abcd)
    reported.soda = {SodaKind::a, SodaKind::b, SodaKind::c, SodaKind::d};
  if (options.soda == SodaChoice::none) reported.soda.clear();
  reported.paragraphs = !options.paragraphs.empty();
  return reported;
}

// What each file is called in the results: its name, or the whole path where two have the same.
std::vector<std::string> names_of_files(const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  for (const std::string& path : paths) {
    if (std::ranges::count(paths, path) > 1) throw UsageError("eval: " + path + " is given twice");
    names.push_back(std::filesystem::path(path).filename());
  }
  const std::vector<std::string> short_names = names;
  for (size_t i = 0; i < names.size(); ++i)
    if (std::ranges::count(short_names, names[i]) > 1) names[i] = paths[i];
  return names;
}

// All files at once; whether all predictions could be read. A bad one is reported and left out.
bool read_input(const EvalOptions& options, Session& session, EvaluationInput& input) {
  const auto system_names = names_of_files(options.predictions),
             reference_names = names_of_files(options.references);
  const size_t references = options.references.size(), paragraphs = options.paragraphs.size();
  std::vector<std::optional<NamedEvents>> systems(options.predictions.size());
  input.references.resize(references);
  input.paragraphs.resize(paragraphs);
  const auto read = [&](size_t i) {
    if (i < references) {
      input.references[i] = {reference_names[i],
                             read_annotations(options.references[i], kReferences, session.log)};
    } else if (i < references + paragraphs) {
      input.paragraphs[i - references] = read_paragraphs(options.paragraphs[i - references]);
    } else {
      const size_t s = i - references - paragraphs;
      attempt(system_names[s], session.log, [&] {
        systems[s] = {system_names[s], read_predictions(options.predictions[s]).videos};
      });
    }
  };
  parallel_for(session.threads, static_cast<int64_t>(references + paragraphs + systems.size()),
               [&](int64_t i) { read(static_cast<size_t>(i)); });
  for (auto& system : systems)
    if (system) input.systems.push_back(std::move(*system));
  return input.systems.size() == systems.size();
}

// Without its data everything else is still worth knowing.
std::optional<MeteorScorer> load_meteor(Log& log) try {
  return MeteorScorer(MeteorData::open_cached());
} catch (const Error& error) {
  log.warning(std::string(error.what()) + "; METEOR and SODA a, b and c are left out");
  return std::nullopt;
}

void warn_about_unknown(const std::vector<SystemResult>& systems, Log& log) {
  for (const SystemResult& system : systems)
    if (!system.unknown.empty())
      log.warning(join_text(printable(system.name), ": videos in no reference file do not count: ",
                            printable(system.unknown[0]), ", ", system.unknown.size(), " in all"));
}

EvaluationReport evaluate_files(const EvalOptions& options, const EvaluationInput& input,
                                Session& session) {
  EvaluationReport report{.reported = reported_scores(options), .resamples = options.resamples};
  for (const NamedEvents& file : input.references) report.references.push_back(file.name);
  const std::optional<MeteorScorer> meteor = load_meteor(session.log);
  Progress progress(session.log, session.progress, "evaluating", count_videos(input));
  report.systems = evaluate(input, {.soda = report.reported.soda,
                                    .meteor = meteor ? &*meteor : nullptr,
                                    .threads = session.threads,
                                    .video_done = [&] { progress.advance(); }});
  progress.finish();
  if (!input.references.empty()) warn_about_unknown(report.systems, session.log);
  if (options.resamples > 0)
    report.bootstrap = bootstrap(report.systems, report.reported, options.resamples, kBootstrapSeed,
                                 session.threads);
  return report;
}

void write_results(const EvalOptions& options, const EvaluationReport& report, Session& session) {
  if (!options.per_video.empty()) write_file(options.per_video, per_video_lines(report));
  const auto json = [&] {
    using OrderedJson = nlohmann::ordered_json;
    return evaluation_json(report).dump(1, ' ', false, OrderedJson::error_handler_t::replace) +
           "\n";
  };
  if (options.json == "-") {
    session.out << json();
    return;
  }
  if (!options.json.empty()) write_file(options.json, json());
  session.out << evaluation_table(report);
}

void show(const EvaluationInput& input, Session& session) {
  for (const NamedEvents& system : input.systems) {
    if (input.systems.size() > 1) session.out << "== " << printable(system.name) << "\n";
    session.out << side_by_side_text(system.videos, input.references.front().videos) << "\n";
  }
}

int run(const EvalOptions& options, Session& session) {
  if (options.references.empty() && options.paragraphs.empty())
    throw UsageError("eval: expected --references or --paragraphs");
  if (options.show && options.references.empty())
    throw UsageError("eval: --show needs --references");
  if (options.show && options.json == "-")
    throw UsageError("eval: --show and --json - exclude each other");
  const auto tokenizer = std::async(std::launch::async, prepare_tokenizer);  // while files are read
  EvaluationInput input;
  const bool all_read = read_input(options, session, input);
  if (input.systems.empty()) return 1;
  if (options.show) show(input, session);
  write_results(options, evaluate_files(options, input, session), session);
  return all_read ? 0 : 1;
}

}  // namespace

Command eval_command() {
  auto options = std::make_shared<EvalOptions>();
  return {.name = "eval",
          .summary = "score predictions as the published evaluators do",
          .examples =
              "  pdvc eval predictions.json --references val_1.json val_2.json\n"
              "  pdvc eval ours.json theirs.json --references val_1.json val_2.json "
              "--bootstrap 1000\n"
              "  pdvc eval predictions.json --references val_1.json --soda abcd "
              "--paragraphs para_1.json --json scores.json --per-video videos.jsonl",
          .options = fields_of(*options),
          .run = [options](Session& session) { return run(*options, session); }};
}

}  // namespace pdvc
