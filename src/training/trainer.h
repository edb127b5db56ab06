// A training run: epochs of steps, validation, checkpoints, and the folder it leaves behind.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "criterion/losses.h"
#include "model/pdvc.h"
#include "training/checkpoint.h"
#include "training/distributed.h"
#include "training/feature_cache.h"
#include "training/gradient_exchange.h"
#include "training/loader.h"
#include "training/request.h"
#include "training/run_folder.h"
#include "training/run_record.h"
#include "training/validation.h"

namespace pdvc {

class Trainer {
 public:
  // Reads all there is to read and prepares the first step; nothing is written yet but the folder.
  Trainer(const TrainingRequest& request, Workers& workers, Log& log);
  ~Trainer();

  // To the last epoch, or until validation has not improved for long enough. Throws Interrupted,
  // after a checkpoint, when the user asks to stop.
  void run();

 private:
  void open_outputs(const TrainingRequest& request);

  ExampleBatch make_batch(std::span<const size_t> videos) const;
  ExampleBatch on_device(ExampleBatch batch) const;

  void train_epoch();
  void step(Loader& loader, size_t batches);
  // Losses of one batch, with their gradients added; nothing for a worker without a video.
  void run_batch(const ExampleBatch& batch, const Normalizers& normalizers, double share,
                 StepLosses& losses);
  Normalizers agree(const Normalizers& own, bool stop);
  void report_step(const StepLosses& losses, double norm, double rate, double waited);

  void end_epoch();
  void keep_epoch(const nlohmann::ordered_json& row, bool best);
  std::optional<ValidationScores> validate();
  std::vector<VideoEvents> predict_validation();
  // Whether it is the best so far.
  bool take_scores(const ValidationScores& scores, nlohmann::ordered_json& row);
  bool has_ended() const;

  void save(const std::filesystem::path& path);
  void write_summary(const std::string& end);
  double seconds_spent() const;

  Settings settings_;
  RunFolder folder_;
  Workers& workers_;
  Log& log_;
  int threads_, loader_threads_;
  torch::Device device_;
  std::vector<VideoEvents> training_, validation_;
  std::optional<Vocabulary> vocabulary_;
  ModelDescription description_;
  std::unique_ptr<FeatureCache> features_;
  Pdvc model_{nullptr};
  std::optional<Criterion> criterion_;
  std::optional<Adam> optimizer_;
  std::optional<MovingAverage> average_;
  std::unique_ptr<GradientExchange> exchange_;
  RunProgress progress_;
  // Of the first worker only.
  std::optional<RunRecord> record_;
  std::optional<Validator> validator_;
  std::vector<VideoEvents> predictions_;  // of the last validation
  std::vector<std::string> peak_memory_;  // of each worker, in megabytes
  double session_started_ = 0, seconds_before_ = 0, last_checkpoint_ = 0;
};

}  // namespace pdvc
