#include "training/run_record.h"

#include <nlohmann/json.hpp>

namespace pdvc {

RunRecord::RunRecord(const RunFolder& folder, int64_t log_bytes, ProgressMode progress, Log& log)
    : log_(folder.log(), static_cast<uint64_t>(log_bytes)),
      tensorboard_(folder.path()),
      watch_(log, progress) {}

void RunRecord::start(const nlohmann::ordered_json& facts) {
  nlohmann::ordered_json entry = {{"kind", "start"}};
  entry.update(facts);
  log_.write(entry);
}

void RunRecord::step(const StepRecord& r) {
  const StepLosses& losses = r.losses;
  log_.write({{"kind", "step"},
              {"epoch", r.epoch},
              {"step", r.step},
              {"loss", losses.total},
              {"label", losses.label},
              {"box", losses.box},
              {"giou", losses.giou},
              {"count", losses.count},
              {"caption", losses.caption},
              {"gradient_norm", r.gradient_norm},
              {"lr", r.rate},
              {"seconds", r.seconds},
              {"waited", r.waited}});
  tensorboard_.write(r.step, {{"loss/total", losses.total},
                              {"loss/label", losses.label},
                              {"loss/giou", losses.giou},
                              {"loss/count", losses.count},
                              {"loss/caption", losses.caption},
                              {"gradient_norm", r.gradient_norm},
                              {"lr", r.rate}});
  watch_.step({.epoch = r.epoch,
               .epochs = r.epochs,
               .step = r.step_of_epoch,
               .steps = r.steps,
               .loss = losses.total,
               .label = losses.label,
               .giou = losses.giou,
               .count = losses.count,
               .caption = losses.caption,
               .epochs_left = static_cast<double>(r.epochs - r.epoch + 1) -
                              static_cast<double>(r.step_of_epoch) / static_cast<double>(r.steps)});
}

void RunRecord::scores(int64_t step, const ValidationScores& scores) {
  Scalars values;
  const nlohmann::ordered_json known = scores_json(scores);
  for (const auto& [name, value] : known.items())
    values.emplace_back("validation/" + name, value.get<double>());
  tensorboard_.write(step, values);
}

void RunRecord::epoch(int64_t step, double seconds, const nlohmann::ordered_json& row) {
  nlohmann::ordered_json entry = {{"kind", "epoch"}, {"step", step}};
  entry.update(row);
  entry["seconds"] = seconds;
  log_.write(entry);
}

int64_t RunRecord::flush() {
  tensorboard_.flush();
  return static_cast<int64_t>(log_.size());
}

}  // namespace pdvc
