#include "training/trainer.h"

#include <sys/resource.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "data/feature_origin.h"
#include "data/predictions.h"
#include "text/word_list.h"
#include "training/corpus.h"
#include "training/inference.h"
#include "training/schedule.h"
#include "training/set_up.h"
#include "training/summary.h"

namespace pdvc {
namespace {

int64_t peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

double number_of(const Tensor& loss) { return loss.defined() ? loss.item<double>() : 0.0; }

}  // namespace

Trainer::Trainer(const TrainingRequest& request, Workers& workers, Log& log)
    : settings_(request.settings),
      folder_(request.folder),
      workers_(workers),
      log_(log),
      threads_(request.threads),
      loader_threads_(static_cast<int>(std::max<int64_t>(settings_.training.loader_threads, 1))),
      device_(device_for(request.device, workers)),
      session_started_(steady_seconds()),
      last_checkpoint_(steady_seconds()) {
  torch::set_num_threads(threads_);
  torch::manual_seed(settings_.training.seed);
  if (request.start == Start::resumed)
    folder_.check_holds_run();
  else if (workers_.is_first())
    folder_.create();
  workers_.barrier();
  const auto source = feature_source(settings_);
  training_ = read_corpus(settings_.files.train_captions, settings_, *source, log);
  if (!settings_.files.validation_captions.empty() && settings_.training.validate_every > 0)
    validation_ = read_corpus(settings_.files.validation_captions, settings_, *source, log);
  if (settings_.model.has_captioner()) {
    vocabulary_ = vocabulary_for(request, folder_, training_, log);
    // The words at hand decide; published files name their number as well.
    settings_.model.vocabulary_size = vocabulary_->size();
  }
  features_ = std::make_unique<FeatureCache>(source, settings_.model,
                                             settings_.training.cache_megabytes << 20, log);
  model_ = Pdvc(settings_.model);
  if (!request.weights.empty() && request.start == Start::fresh)
    read_weights(request.weights, settings_.model, *model_, log);
  model_->to(device_);
  criterion_.emplace(criterion_for(settings_, training_));
  optimizer_.emplace(model_->parameters(), optimizer_options(settings_.training));
  average_.emplace(model_->parameters(), settings_.training.ema);
  exchange_ = std::make_unique<GradientExchange>(model_->parameters(), workers_);
  if (exchange_->shares_weights()) exchange_->share(*optimizer_);
  torch::manual_seed(worker_seed(settings_.training.seed, workers_.rank(), 0));
  if (request.start == Start::resumed) {
    load_checkpoint(folder_.last(), {*model_, *optimizer_, *average_, progress_}, log);
    seconds_before_ = progress_.seconds;
    if (!workers_.is_first())
      torch::manual_seed(worker_seed(settings_.training.seed, workers_.rank(), progress_.steps));
  }
  description_ = {.settings = settings_,
                  .vocabulary = vocabulary_,
                  .backbone = backbone_of_features(settings_)};
  workers_.barrier();
  if (workers_.is_first()) open_outputs(request);
}

Trainer::~Trainer() = default;

void Trainer::open_outputs(const TrainingRequest& request) {
  write_file(folder_.settings(), settings_text(settings_));
  if (vocabulary_ && request.start == Start::fresh)
    write_file(folder_.vocabulary(), vocabulary_text(*vocabulary_));
  record_.emplace(folder_, progress_.log_bytes, request.progress, log_);
  if (!validation_.empty()) validator_.emplace(settings_, validation_, threads_, log_);
  std::vector<uint64_t> seeds;
  for (int rank = 0; rank < workers_.size(); ++rank)
    seeds.push_back(worker_seed(settings_.training.seed, rank, rank == 0 ? 0 : progress_.steps));
  record_->start({{"step", progress_.steps},
                  {"seed", settings_.training.seed},
                  {"worker_seeds", seeds},
                  {"workers", workers_.size()},
                  {"threads", threads_},
                  {"device", device_.str()},
                  {"training_videos", training_.size()},
                  {"validation_videos", validation_.size()},
                  {"parameters", parameter_count(*model_)}});
}

ExampleBatch Trainer::make_batch(std::span<const size_t> videos) const {
  std::vector<Example> examples;
  for (const size_t index : videos) {
    VideoEvents video = training_[index];
    std::vector<Event> chosen;
    for (const size_t event :
         drawn(video.events.size(), static_cast<size_t>(settings_.training.events_per_video),
               {static_cast<uint64_t>(settings_.training.seed), progress_.epoch, index}))
      chosen.push_back(std::move(video.events[event]));
    video.events = std::move(chosen);
    examples.push_back({features_->features(video.video), video.duration.value(),
                        vocabulary_
                            ? targets_of(video, *vocabulary_, settings_.model.longest_caption)
                            : targets_without_words(video)});
  }
  return batch_of(examples);
}

ExampleBatch Trainer::on_device(ExampleBatch batch) const {
  if (device_.is_cpu()) return batch;
  for (Tensor* tensor : {&batch.input.features, &batch.input.mask, &batch.input.durations,
                         &batch.proposals.boxes, &batch.proposals.mask})
    *tensor = tensor->to(device_);
  return batch;
}

void Trainer::run() try {
  while (!has_ended()) {
    train_epoch();
    end_epoch();
  }
  write_summary("It ended as asked.");
} catch (const Interrupted&) {
  // Thrown between two steps, or at an epoch's end before anything of it has been kept: that end is
  // then made again. Here the weights are the weights, whatever stood in for them during
  // validation.
  if (record_) {
    record_->pause();
    save(folder_.last());
  }
  throw;
}

bool Trainer::has_ended() const {
  const TrainingSettings& s = settings_.training;
  return progress_.epoch >= s.epochs || (s.patience > 0 && progress_.since_best >= s.patience);
}

void Trainer::train_epoch() {
  model_->train();
  if (model_->has_captioner())
    model_->captioner().use_own_words(own_words_in(settings_.training, progress_.epoch));
  const auto order = epoch_order(
      training_.size(), settings_.training.shuffle ? VideoOrder::shuffled : VideoOrder::as_given,
      static_cast<uint64_t>(settings_.training.seed), progress_.epoch);
  const auto batch = static_cast<size_t>(settings_.training.batch_size);
  const size_t per_step = batch * static_cast<size_t>(workers_.size());
  const auto first = std::min(static_cast<size_t>(progress_.videos), order.size());
  const size_t batches = (order.size() - first + per_step - 1) / per_step;
  Loader loader(batches, static_cast<size_t>(loader_threads_), [&](size_t i) {
    return make_batch(share_of(order, first + i * per_step, batch, workers_.place()));
  });
  const auto accumulate = static_cast<size_t>(settings_.training.accumulate);
  for (size_t done = 0; done < batches;) {
    const size_t together = std::min(accumulate, batches - done);
    step(loader, together);
    done += together;
    progress_.videos = static_cast<int64_t>(std::min(first + done * per_step, order.size()));
    ++progress_.steps;
    const double minutes = (steady_seconds() - last_checkpoint_) / 60;
    if (workers_.is_first() && minutes > settings_.training.checkpoint_minutes && done < batches)
      save(folder_.last());
  }
}

// The mean over all workers of what each counted, once all of them want to go on.
Normalizers Trainer::agree(const Normalizers& own, bool stop) {
  std::vector<double> sums = {own.events, own.captions, own.videos, stop ? 1.0 : 0.0};
  workers_.sum(sums);
  if (sums[3] > 0) throw Interrupted();
  const double workers = workers_.size();
  return {sums[0] / workers, sums[1] / workers, sums[2] / workers};
}

void Trainer::step(Loader& loader, size_t batches) {
  const double share = 1 / static_cast<double>(batches);
  StepLosses losses;
  double waited = 0;
  optimizer_->zero_gradients();
  for (size_t i = 0; i < batches; ++i) {
    const double before = steady_seconds();
    const ExampleBatch batch = on_device(loader.next());
    waited += steady_seconds() - before;
    // Between steps only: half of one could not be made again.
    const Normalizers normalizers =
        agree(normalizers_of(batch.targets), i == 0 && interrupt_requested());
    if (i + 1 == batches) exchange_->begin();
    if (batch.videos() > 0) run_batch(batch, normalizers, share, losses);
  }
  std::vector<double> numbers = losses.numbers();
  const std::optional<double> known_norm = exchange_->finish(numbers);
  losses = StepLosses::mean(numbers, workers_.size());
  const double rate = learning_rate_at(
      settings_.training,
      {static_cast<double>(progress_.epoch) +
           static_cast<double>(progress_.videos) / static_cast<double>(training_.size()),
       progress_.steps});
  optimizer_->options().learning_rate = rate;
  const double norm = optimizer_->step(settings_.training.gradient_clip, known_norm);
  check(std::isfinite(norm), "step ", progress_.steps + 1,
        ": the gradient is not finite (training diverges: a smaller lr may help)");
  workers_.barrier();  // other workers' parts of the weights
  average_->update();
  progress_.loss_sum += losses.total;
  ++progress_.batches;
  report_step(losses, norm, rate, waited);
}

void Trainer::run_batch(const ExampleBatch& batch, const Normalizers& normalizers, double share,
                        StepLosses& sums) {
  const bool given = settings_.model.query_source == QuerySource::gt_proposals;
  const ModelOutputs outputs =
      model_->forward(batch.input, given ? std::optional(batch.proposals) : std::nullopt);
  const Losses losses = (*criterion_)(*model_, outputs, batch.targets, normalizers);
  check_finite(losses, batch.targets);
  (share == 1 ? losses.total : losses.total * share).backward();
  const LayerLosses& last = losses.layers.back();
  sums.total += share * number_of(losses.total);
  sums.label += share * number_of(last.label);
  sums.box += share * number_of(last.box);
  sums.giou += share * number_of(last.giou);
  sums.count += share * number_of(last.count);
  sums.caption += share * number_of(last.caption);
}

void Trainer::report_step(const StepLosses& losses, double norm, double rate, double waited) {
  if (!record_) return;
  const int64_t per_step =
                    settings_.training.batch_size * workers_.size() * settings_.training.accumulate,
                videos = static_cast<int64_t>(training_.size());
  record_->step({.epoch = progress_.epoch + 1,
                 .epochs = settings_.training.epochs,
                 .step = progress_.steps + 1,
                 .step_of_epoch = progress_.videos / per_step + 1,
                 .steps = (videos + per_step - 1) / per_step,
                 .losses = losses,
                 .gradient_norm = norm,
                 .rate = rate,
                 .seconds = seconds_spent(),
                 .waited = waited});
}

void Trainer::end_epoch() {
  if (record_) record_->pause();
  const TrainingSettings& s = settings_.training;
  nlohmann::ordered_json row = {{"epoch", progress_.epoch + 1}};
  if (progress_.batches > 0)
    row["loss"] = progress_.loss_sum / static_cast<double>(progress_.batches);
  const bool due = !validation_.empty() && ((progress_.epoch + 1) % s.validate_every == 0 ||
                                            progress_.epoch + 1 == s.epochs);
  bool best = validation_.empty();  // without validation the newest is the best there is
  if (due)
    if (const auto scores = validate()) best = take_scores(*scores, row);
  // Only the first worker has scores, but all must agree on when to end.
  std::vector<double> shared = {workers_.is_first() ? static_cast<double>(progress_.since_best)
                                                    : 0.0};
  workers_.sum(shared);
  progress_.since_best = static_cast<int64_t>(shared[0]);
  ++progress_.epoch;
  progress_.videos = progress_.batches = 0;
  progress_.loss_sum = 0;
  if (workers_.is_first()) keep_epoch(row, best);
  peak_memory_ = workers_.gather(std::to_string(peak_megabytes()));
  write_summary("It is under way.");
}

void Trainer::keep_epoch(const nlohmann::ordered_json& row, bool best) {
  progress_.history.push_back(Json(row));
  record_->epoch(progress_.steps, seconds_spent(), row);
  if (best) {
    if (!predictions_.empty())
      write_file(folder_.predictions(), predictions_text({.videos = predictions_}));
    save(folder_.best());
  }
  save(folder_.last());
}

std::optional<ValidationScores> Trainer::validate() {
  model_->eval();
  std::vector<VideoEvents> predictions;
  {
    // Weights that all workers share are exchanged by one of them.
    const bool exchanges = workers_.is_first() || !exchange_->shares_weights();
    std::optional<AveragedWeights> averaged;
    if (exchanges) averaged.emplace(*average_);
    workers_.barrier();
    predictions = predict_validation();
    workers_.barrier();
  }
  workers_.barrier();
  model_->train();
  if (!workers_.is_first()) return std::nullopt;
  predictions_ = predictions;
  return validator_->score(std::move(predictions));
}

std::vector<VideoEvents> Trainer::predict_validation() {
  const auto batch = static_cast<size_t>(settings_.training.evaluation_batch_size);
  const auto rank = static_cast<size_t>(workers_.rank()),
             size = static_cast<size_t>(workers_.size());
  const bool words = settings_.training.validation == ValidationKind::full;
  Predictions own;
  for (size_t first = rank * batch; first < validation_.size(); first += size * batch) {
    std::vector<Example> examples;
    std::vector<VideoRequest> requests;
    for (size_t v = first; v < std::min(first + batch, validation_.size()); ++v) {
      const VideoEvents& video = validation_[v];
      examples.push_back(
          {features_->features(video.video), video.duration.value(), targets_without_words(video)});
      requests.push_back({video.video, video.duration.value()});
    }
    for (VideoEvents& events : predict_events(model_, on_device(batch_of(examples)), requests,
                                              vocabulary_ ? &*vocabulary_ : nullptr,
                                              words ? Captioning::yes : Captioning::no))
      own.videos.push_back(std::move(events));
    if (size == 1) check_interrupt();  // several must agree, which they do at the next step
  }
  if (size == 1) return std::move(own.videos);
  std::vector<VideoEvents> all;
  for (const std::string& text : workers_.gather(predictions_text(own)))
    for (VideoEvents& events : parse_predictions(text, "predictions of a worker").videos)
      all.push_back(std::move(events));
  return all;
}

bool Trainer::take_scores(const ValidationScores& scores, nlohmann::ordered_json& row) {
  const nlohmann::ordered_json known = scores_json(scores);
  row.update(known);
  const double score = score_by(validator_->best_by(), scores);
  const bool best = score > progress_.best;
  progress_.since_best = best ? 0 : progress_.since_best + 1;
  if (best) {
    progress_.best = score;
    progress_.best_epoch = progress_.epoch;
  }
  record_->scores(progress_.steps, scores);
  std::string text;
  for (const char* name : {"f1", "meteor", "cider", "soda_c"})
    if (row.contains(name))
      text += join_text("  ", name, " ", std::round(row[name].get<double>() * 1e4) / 100);
  log_.info(join_text("epoch ", progress_.epoch + 1, "/", settings_.training.epochs, "  loss ",
                      std::round(row.value("loss", 0.0) * 1000) / 1000, text,
                      best ? "  (best)" : ""));
  return best;
}

void Trainer::save(const std::filesystem::path& path) {
  progress_.log_bytes = record_->flush();
  progress_.seconds = seconds_spent();
  save_checkpoint(path, description_, {*model_, *optimizer_, *average_, progress_});
  last_checkpoint_ = steady_seconds();
}

double Trainer::seconds_spent() const {
  return seconds_before_ + steady_seconds() - session_started_;
}

void Trainer::write_summary(const std::string& end) {
  if (!workers_.is_first()) return;
  RunFacts facts{.training_videos = training_.size(),
                 .validation_videos = validation_.size(),
                 .words = vocabulary_ ? vocabulary_->size() : 0,
                 .parameters = parameter_count(*model_),
                 .workers = workers_.size(),
                 .threads = threads_,
                 .device = device_.str(),
                 .peak_megabytes = peak_memory_,
                 .end = end};
  if (validator_) facts.best_by = names_of(BestBy{})[static_cast<size_t>(validator_->best_by())];
  progress_.seconds = seconds_spent();
  write_file(folder_.summary(), summary_text(settings_, progress_, facts));
}

}  // namespace pdvc
