// Validation: what the model says of held-out videos, scored as the published evaluators do.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "data/settings.h"
#include "evaluation/evaluate.h"
#include "evaluation/meteor.h"

namespace pdvc {

// The scores that a run is watched by, from 0 to 1 (CIDEr may be more). NaN where it was not
// computed: without METEOR's data, or when only localisation is validated.
struct ValidationScores {
  double recall = 0, precision = 0, f1 = 0;
  double meteor = 0, cider = 0, bleu4 = 0, rouge = 0;
  double soda = 0;
  double paragraph_meteor = 0, paragraph_cider = 0, paragraph_bleu4 = 0;
};
nlohmann::ordered_json scores_json(const ValidationScores& scores);  // without those that are NaN

// By which a checkpoint is the best; NaN where a part of it is.
double score_by(BestBy choice, const ValidationScores& scores);

// References, read once. METEOR is used where its data is at hand.
class Validator {
 public:
  // `annotated` stand in for reference files that the settings do not name.
  Validator(const Settings& settings, const std::vector<VideoEvents>& annotated, int threads,
            Log& log);

  ValidationScores score(std::vector<VideoEvents> predictions) const;
  // The chosen score, or F1 where that one cannot be computed here.
  BestBy best_by() const { return best_by_; }

 private:
  ValidationKind kind_;
  BestBy best_by_;
  int threads_;
  EvaluationInput references_;
  std::unique_ptr<MeteorScorer> meteor_;
};

}  // namespace pdvc
