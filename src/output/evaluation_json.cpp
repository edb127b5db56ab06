#include "output/evaluation_json.h"

#include <nlohmann/json.hpp>

#include "base/json.h"

namespace pdvc {
namespace {

using OrderedJson = nlohmann::ordered_json;

template <class Names, class Values>
OrderedJson named(const Names& names, const Values& values) {
  OrderedJson result = OrderedJson::object();
  for (size_t i = 0; i < std::size(names); ++i) result[std::string(names[i])] = values[i];
  return result;
}

OrderedJson dense_json(const DenseSummary& dense) {
  OrderedJson result = OrderedJson::object();
  for (size_t m = 0; m < kDenseMetrics.size(); ++m) {
    OrderedJson& row = result[std::string(kDenseMetrics[m])];
    for (const DenseScores& at : dense.thresholds) row.push_back(at[m]);
  }
  result["mean"] = named(kDenseMetrics, dense.mean);
  result["F1"] = dense.f1;
  return result;
}

OrderedJson soda_json(const SodaSummary& soda, const std::vector<std::string>& references) {
  OrderedJson result = OrderedJson::object(), micro = OrderedJson::object();
  for (size_t a = 0; a < references.size(); ++a) {
    const SodaScore& score = soda.annotators[a];
    result[references[a]] = {score.precision, score.recall, score.f1};
    micro[references[a]] = soda.micro[a];
  }
  result["micro"] = std::move(micro);
  result["f1"] = soda.f1;
  return result;
}

// The parts that `sums` has something for.
OrderedJson scores_json(const ScoreSums& sums, const EvaluationReport& report) {
  const Scores scores = scores_of(sums);
  OrderedJson result = OrderedJson::object();
  if (sums.videos > 0) {
    for (const DenseYear year : report.reported.years) {
      const auto y = static_cast<size_t>(year);
      result["dense"][std::string(names_of(year)[y])] = dense_json(scores.dense[y]);
    }
    for (const SodaKind kind : report.reported.soda) {
      const auto k = static_cast<size_t>(kind);
      result["soda"][std::string(names_of(kind)[k])] = soda_json(scores.soda[k], report.references);
    }
  }
  if (sums.paragraph.videos > 0) result["paragraph"] = named(kParagraphMetrics, scores.paragraph);
  return result;
}

OrderedJson counts_json(const SystemResult& system) {
  const VideoCounts counts = count_videos(system);
  return {{"paragraphs", counts.paragraphs},
          {"predicted_paragraphs", counts.predicted_paragraphs},
          {"references", counts.references},
          {"with_predictions", counts.with_predictions},
          {"events", counts.events},
          {"predictions", counts.predictions},
          {"without_predictions", counts.missing},
          {"unknown", system.unknown}};
}

OrderedJson interval_json(const Interval& interval) { return {interval.low, interval.high}; }

OrderedJson bootstrap_json(const EvaluationReport& report, size_t system) {
  const auto headline = headline_scores(scores_of(report.systems[system].total()), report.reported);
  OrderedJson scores = OrderedJson::object();
  for (size_t h = 0; h < headline.size(); ++h) {
    const BootstrapScore& score = report.bootstrap[system][h];
    OrderedJson& entry = scores[headline[h].name];
    entry = {{"value", headline[h].value}, {"interval", interval_json(score.interval)}};
    if (system == 0) continue;
    entry["difference"] = score.difference;
    entry["difference_interval"] = interval_json(score.difference_interval);
    entry["p"] = score.p;
  }
  OrderedJson result = {{"resamples", report.resamples}};
  if (system > 0) result["against"] = report.systems[0].name;
  result["scores"] = std::move(scores);
  return result;
}

OrderedJson system_json(const EvaluationReport& report, size_t system) {
  OrderedJson result = scores_json(report.systems[system].total(), report);
  result["videos"] = counts_json(report.systems[system]);
  if (report.resamples > 0) result["bootstrap"] = bootstrap_json(report, system);
  return result;
}

}  // namespace

OrderedJson evaluation_json(const EvaluationReport& report) {
  if (report.systems.size() == 1) return system_json(report, 0);
  OrderedJson result = OrderedJson::object();
  for (size_t s = 0; s < report.systems.size(); ++s)
    result[report.systems[s].name] = system_json(report, s);
  return result;
}

std::string per_video_lines(const EvaluationReport& report) {
  std::string lines;
  for (const SystemResult& system : report.systems)
    for (const VideoResult& video : system.videos) {
      OrderedJson line = {{"file", system.name},
                          {"video", video.video},
                          {"events", video.events},
                          {"predictions", video.predictions}};
      line.update(scores_json(video.sums, report));
      lines += line.dump(-1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
    }
  return lines;
}

}  // namespace pdvc
