#include "training/validation.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "data/annotations.h"
#include "data/paragraphs.h"

namespace pdvc {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr size_t kBleu4 = 3, kParagraphMeteor = 4, kParagraphCider = 6;

std::vector<VideoParagraph> joined_sentences(const std::vector<VideoEvents>& videos) {
  std::vector<VideoParagraph> paragraphs;
  for (const VideoEvents& video : videos) {
    std::vector<std::string> sentences;
    for (const Event& event : video.events) sentences.push_back(event.sentence);
    paragraphs.push_back({video.video, joined_paragraph(sentences)});
  }
  return paragraphs;
}

EvaluationInput read_references(const FileSettings& files,
                                const std::vector<VideoEvents>& annotated, Log& log) {
  EvaluationInput input;
  for (const std::string& path : files.references)
    input.references.push_back({path, read_annotations(path, kReferences, log)});
  if (input.references.empty()) input.references.push_back({"annotations", annotated});
  for (const std::string& path : files.paragraph_references)
    input.paragraphs.push_back(read_paragraphs(path));
  if (input.paragraphs.empty()) input.paragraphs.push_back(joined_sentences(annotated));
  return input;
}

std::unique_ptr<MeteorScorer> load_meteor(Log& log) try {
  return std::make_unique<MeteorScorer>(MeteorData::open_cached());
} catch (const Error& error) {
  log.warning(std::string(error.what()) + "; validation goes without METEOR and SODA");
  return nullptr;
}

bool needs_meteor(BestBy choice) { return choice != BestBy::f1 && choice != BestBy::cider; }

}  // namespace

nlohmann::ordered_json scores_json(const ValidationScores& s) {
  nlohmann::ordered_json json;
  for (const auto& [name, value] : {std::pair{"recall", s.recall},
                                    {"precision", s.precision},
                                    {"f1", s.f1},
                                    {"meteor", s.meteor},
                                    {"cider", s.cider},
                                    {"bleu4", s.bleu4},
                                    {"rouge_l", s.rouge},
                                    {"soda_c", s.soda},
                                    {"paragraph_meteor", s.paragraph_meteor},
                                    {"paragraph_cider", s.paragraph_cider},
                                    {"paragraph_bleu4", s.paragraph_bleu4}})
    if (std::isfinite(value)) json[name] = value;
  return json;
}

double score_by(BestBy choice, const ValidationScores& s) {
  switch (choice) {
    case BestBy::dvc:
      return s.meteor + s.soda;
    case BestBy::pc:
      return s.paragraph_meteor + s.paragraph_cider + s.paragraph_bleu4;
    case BestBy::f1:
      return s.f1;
    case BestBy::meteor:
      return s.meteor;
    case BestBy::cider:
      return s.cider;
    case BestBy::soda:
      break;
  }
  return s.soda;
}

Validator::Validator(const Settings& settings, const std::vector<VideoEvents>& annotated,
                     int threads, Log& log)
    : kind_(settings.model.has_captioner() ? settings.training.validation
                                           : ValidationKind::localisation),
      best_by_(settings.training.best_by),
      threads_(threads),
      references_(read_references(settings.files, annotated, log)) {
  const bool words = kind_ == ValidationKind::full;
  if (words) meteor_ = load_meteor(log);
  if (best_by_ != BestBy::f1 && (!words || (needs_meteor(best_by_) && !meteor_))) {
    const auto name = names_of(BestBy{})[static_cast<size_t>(best_by_)];
    if (words)
      log.warning(join_text("criteria_for_best_ckpt ", name,
                            " needs METEOR; the best checkpoint is chosen by f1"));
    best_by_ = BestBy::f1;
  }
}

ValidationScores Validator::score(std::vector<VideoEvents> predictions) const {
  EvaluationInput input = references_;
  const bool words = kind_ == ValidationKind::full;
  if (!words) input.paragraphs.clear();
  input.systems.push_back({"model", std::move(predictions)});
  EvaluationPlan plan;
  plan.meteor = meteor_.get();
  plan.threads = threads_;
  if (!words) plan.soda.clear();
  const Scores scores = scores_of(evaluate(input, plan).at(0).total());
  const DenseSummary& dense = scores.dense[static_cast<size_t>(DenseYear::y2018)];
  ValidationScores result{.recall = dense.mean[kDenseRecall],
                          .precision = dense.mean[kDensePrecision],
                          .f1 = dense.f1,
                          .meteor = kUnknown,
                          .cider = kUnknown,
                          .bleu4 = kUnknown,
                          .rouge = kUnknown,
                          .soda = kUnknown,
                          .paragraph_meteor = kUnknown,
                          .paragraph_cider = kUnknown,
                          .paragraph_bleu4 = kUnknown};
  if (!words) return result;
  result.meteor = dense.mean[kDenseMeteor];
  result.cider = dense.mean[kDenseCider];
  result.bleu4 = dense.mean[kBleu4];
  result.rouge = dense.mean[kDenseRouge];
  if (meteor_) result.soda = scores.soda[static_cast<size_t>(SodaKind::c)].f1;
  result.paragraph_meteor = scores.paragraph[kParagraphMeteor];
  result.paragraph_cider = scores.paragraph[kParagraphCider];
  result.paragraph_bleu4 = scores.paragraph[kBleu4];
  return result;
}

}  // namespace pdvc
