#include "output/evaluation_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/printable.h"

namespace pdvc {
namespace {

constexpr size_t kNamedVideos = 5;  // of those without predictions; --json has all

using Cells = std::vector<std::string>;

// Rows of cells in columns: the first column left, the others right.
class TextTable {
 public:
  void add(Cells cells) { rows_.push_back(std::move(cells)); }

  std::string text() const {
    std::vector<size_t> widths;
    for (const Cells& row : rows_)
      for (size_t c = 0; c < row.size(); ++c) {
        if (c == widths.size()) widths.push_back(0);
        widths[c] = std::max(widths[c], row[c].size());
      }
    std::string text;
    for (const Cells& row : rows_) {
      std::string line;
      for (size_t c = 0; c < row.size(); ++c)
        line += c == 0 ? fmt::format("{:<{}}", row[c], widths[c])
                       : fmt::format("  {:>{}}", row[c], widths[c]);
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
  }

 private:
  std::vector<Cells> rows_;
};

std::string number(double score) {
  return std::isnan(score) ? "-" : fmt::format("{:.2f}", 100 * score);
}

std::string interval_text(const Interval& interval) {
  return "[" + number(interval.low) + ", " + number(interval.high) + "]";
}

std::string year_name(DenseYear year) {
  return std::string(names_of(year)[static_cast<size_t>(year)]);
}

std::string kind_name(SodaKind kind) {
  return std::string(names_of(kind)[static_cast<size_t>(kind)]);
}

// A line of the dense table: a metric, and which year's where they differ.
struct DenseLine {
  std::string name;
  size_t year = 0, metric = 0;
};

std::vector<DenseLine> dense_lines(const ReportedScores& reported) {
  std::vector<DenseLine> lines;
  for (size_t m = 0; m < kDenseMetrics.size(); ++m) {
    const std::string name(kDenseMetrics[m]);
    if (m != kDenseMeteor)
      lines.push_back({name, static_cast<size_t>(reported.years[0]), m});
    else
      for (const DenseYear year : reported.years)
        lines.push_back({name + " " + year_name(year), static_cast<size_t>(year), m});
  }
  return lines;
}

std::string counts_text(const SystemResult& system) {
  const VideoCounts counts = count_videos(system);
  std::string text = printable(system.name) + ": ";
  if (counts.references > 0)
    text +=
        fmt::format("{} of {} videos, {} predictions for {} reference events",
                    counts.with_predictions, counts.references, counts.predictions, counts.events);
  if (counts.paragraphs > 0)
    text += fmt::format("{}{} of {} paragraphs", counts.references > 0 ? "; " : "",
                        counts.predicted_paragraphs, counts.paragraphs);
  text += "\n";
  if (counts.missing.empty()) return text;
  text += fmt::format("  without predictions, scored 0: ");
  for (size_t i = 0; i < std::min(kNamedVideos, counts.missing.size()); ++i)
    text += (i > 0 ? ", " : "") + printable(counts.missing[i]);
  if (counts.missing.size() > kNamedVideos)
    text += fmt::format(" and {} more", counts.missing.size() - kNamedVideos);
  return text + "\n";
}

// One system: a column for each threshold.
std::string dense_by_threshold(const Scores& scores, const ReportedScores& reported) {
  TextTable table;
  Cells head = {"dense, IoU of at least"};
  for (const double threshold : kThresholds) head.push_back(fmt::format("{:.1f}", threshold));
  head.push_back("mean");
  table.add(head);
  for (const DenseLine& line : dense_lines(reported)) {
    Cells row = {line.name};
    for (const DenseScores& at : scores.dense[line.year].thresholds)
      row.push_back(number(at[line.metric]));
    row.push_back(number(scores.dense[line.year].mean[line.metric]));
    table.add(row);
  }
  Cells last(kThresholds.size() + 1);
  last[0] = "F1";
  last.push_back(number(scores.dense[0].f1));
  table.add(last);
  return table.text();
}

std::string soda_of_one(const Scores& scores, const EvaluationReport& report) {
  TextTable table;
  table.add({"SODA", "precision", "recall", "F1", "micro F1"});
  for (const SodaKind kind : report.reported.soda) {
    const SodaSummary& soda = scores.soda[static_cast<size_t>(kind)];
    for (size_t a = 0; a < report.references.size(); ++a)
      table.add({kind_name(kind) + "  " + printable(report.references[a]),
                 number(soda.annotators[a].precision), number(soda.annotators[a].recall),
                 number(soda.annotators[a].f1), number(soda.micro[a])});
    table.add({kind_name(kind) + "  mean", "", "", number(soda.f1), number(soda.micro_f1)});
  }
  return table.text();
}

// A row of numbers, one for each system.
using Choose = std::function<double(const Scores&)>;

class SystemTable {
 public:
  SystemTable(const EvaluationReport& report, std::string title) {
    Cells head = {std::move(title)};
    for (const SystemResult& system : report.systems) {
      head.push_back(printable(system.name));
      scores_.push_back(scores_of(system.total()));
    }
    table_.add(head);
  }

  void add(std::string name, const Choose& choose) {
    Cells row = {std::move(name)};
    for (const Scores& scores : scores_) row.push_back(number(choose(scores)));
    table_.add(row);
  }

  std::string text() const { return table_.text(); }

 private:
  std::vector<Scores> scores_;
  TextTable table_;
};

std::string dense_of_several(const EvaluationReport& report) {
  SystemTable table(report, "dense");
  for (const DenseLine& line : dense_lines(report.reported)) {
    table.add(line.name + ", mean",
              [&](const Scores& s) { return s.dense[line.year].mean[line.metric]; });
    for (size_t t = 0; t < kThresholds.size(); ++t)
      table.add(fmt::format("  {:.1f}", kThresholds[t]),
                [&](const Scores& s) { return s.dense[line.year].thresholds[t][line.metric]; });
  }
  table.add("F1", [](const Scores& s) { return s.dense[0].f1; });
  return table.text();
}

std::string soda_of_several(const EvaluationReport& report) {
  SystemTable table(report, "SODA, F1");
  for (const SodaKind kind : report.reported.soda) {
    const auto k = static_cast<size_t>(kind);
    table.add(kind_name(kind) + ", mean", [&](const Scores& s) { return s.soda[k].f1; });
    table.add(kind_name(kind) + " micro, mean",
              [&](const Scores& s) { return s.soda[k].micro_f1; });
    for (size_t a = 0; a < report.references.size(); ++a)
      table.add("  " + printable(report.references[a]),
                [&](const Scores& s) { return s.soda[k].annotators[a].f1; });
  }
  return table.text();
}

std::string paragraphs_text(const EvaluationReport& report) {
  SystemTable table(report, "paragraphs");
  for (size_t m = 0; m < kParagraphMetrics.size(); ++m)
    table.add(std::string(kParagraphMetrics[m]), [&](const Scores& s) { return s.paragraph[m]; });
  return table.text();
}

// Years share all but METEOR: such lines stand once.
bool repeats_first_year(const std::string& name, const ReportedScores& reported) {
  return reported.years.size() > 1 && name.starts_with(year_name(reported.years[1])) &&
         name.find("METEOR") == std::string::npos;
}

std::string bootstrap_text(const EvaluationReport& report) {
  TextTable table;
  Cells head = {"95 % of the resamples"};
  for (size_t s = 0; s < report.systems.size(); ++s) {
    head.push_back(printable(report.systems[s].name));
    if (s > 0) head.insert(head.end(), {"difference", "p"});
  }
  table.add(head);
  const auto names = headline_scores(Scores{}, report.reported);
  for (size_t h = 0; h < names.size(); ++h) {
    if (repeats_first_year(names[h].name, report.reported)) continue;
    Cells row = {names[h].name};
    for (size_t s = 0; s < report.systems.size(); ++s) {
      const BootstrapScore& score = report.bootstrap[s][h];
      row.push_back(interval_text(score.interval));
      if (s > 0)
        row.insert(row.end(),
                   {number(score.difference) + " " + interval_text(score.difference_interval),
                    std::isnan(score.p) ? "-" : fmt::format("{:.4f}", score.p)});
    }
    table.add(row);
  }
  return fmt::format("{} resamples of the videos", report.resamples) +
         (report.systems.size() > 1
              ? "; differences from " + printable(report.systems[0].name) + ", p two-sided\n"
              : "\n") +
         table.text();
}

std::string scores_text(const EvaluationReport& report) {
  const bool dense = report.systems[0].total().videos > 0;
  std::string text;
  if (dense && report.systems.size() == 1) {
    const Scores scores = scores_of(report.systems[0].total());
    text += "\n" + dense_by_threshold(scores, report.reported);
    if (!report.reported.soda.empty()) text += "\n" + soda_of_one(scores, report);
  } else if (dense) {
    text += "\n" + dense_of_several(report);
    if (!report.reported.soda.empty()) text += "\n" + soda_of_several(report);
  }
  if (report.reported.paragraphs) text += "\n" + paragraphs_text(report);
  return text;
}

}  // namespace

std::string evaluation_table(const EvaluationReport& report) {
  std::string text;
  for (const SystemResult& system : report.systems) text += counts_text(system);
  text += "All scores times 100.\n" + scores_text(report);
  if (report.resamples > 0) text += "\n" + bootstrap_text(report);
  return text;
}

}  // namespace pdvc
