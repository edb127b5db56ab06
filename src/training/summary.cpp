#include "training/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <set>

#include "base/progress.h"
#include "base/version.h"

namespace pdvc {
namespace {

// A cell of the table; scores as papers print them.
std::string cell(const Json& row, const std::string& key) {
  if (!row.contains(key) || !row[key].is_number()) return "";
  const double value = row[key];
  return key == "loss" ? fmt::format("{:.3f}", value) : fmt::format("{:.2f}", 100 * value);
}

std::string history_table(const Json& history) {
  static const std::vector<std::pair<std::string, std::string>> columns = {
      {"loss", "loss"},
      {"recall", "recall"},
      {"precision", "precision"},
      {"f1", "F1"},
      {"meteor", "METEOR"},
      {"cider", "CIDEr"},
      {"bleu4", "BLEU-4"},
      {"soda_c", "SODA c"},
      {"paragraph_meteor", "paragraph METEOR"},
      {"paragraph_cider", "paragraph CIDEr"}};
  std::set<std::string> present;
  for (const Json& row : history)
    for (const auto& [key, value] : row.items()) present.insert(key);
  std::string head = "| epoch |", line = "| --- |", body;
  for (const auto& [key, title] : columns)
    if (present.contains(key)) {
      head += fmt::format(" {} |", title);
      line += " --- |";
    }
  for (const Json& row : history) {
    body += fmt::format("| {} |", row.value("epoch", 0));
    for (const auto& [key, title] : columns)
      if (present.contains(key)) body += fmt::format(" {} |", cell(row, key));
    body += "\n";
  }
  return fmt::format("{}\n{}\n{}", head, line, body);
}

std::string settings_list(const Settings& settings) {
  Settings copy = settings, plain;
  const Json own = fields_of(copy).to_json(), defaults = fields_of(plain).to_json();
  std::string text;
  for (const auto& [key, value] : own.items())
    if (!defaults.contains(key) || defaults[key] != value)
      text += fmt::format("    {}: {}\n", key, json_text(value));
  return text;
}

}  // namespace

std::string summary_text(const Settings& settings, const RunProgress& progress,
                         const RunFacts& facts) {
  std::string text = fmt::format(
      "# Training run\n\npdvc {} ({}). {}\n\n"
      "- {} training videos, {} validation videos, {} words, {} parameters\n"
      "- {} epochs, {} optimiser steps, {} in all; seed {}\n"
      "- {} worker{} with {} thread{} on {}; peak memory {} MB\n",
      version(), commit(), facts.end, facts.training_videos, facts.validation_videos, facts.words,
      facts.parameters, progress.history.size(), progress.steps, duration_text(progress.seconds),
      settings.training.seed, facts.workers, facts.workers == 1 ? "" : "s", facts.threads,
      facts.threads == 1 ? "" : "s each", facts.device, fmt::join(facts.peak_megabytes, ", "));
  if (progress.best_epoch >= 0)
    text += fmt::format("- best by {}: epoch {}, {:.2f}\n", facts.best_by, progress.best_epoch + 1,
                        100 * progress.best);
  return fmt::format(
      "{}\n## Scores by epoch\n\nTimes 100, as papers print them; the loss as it is.\n\n{}"
      "\n## Settings that differ from the defaults\n\n{}",
      text, history_table(progress.history), settings_list(settings));
}

}  // namespace pdvc
