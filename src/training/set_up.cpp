#include "training/set_up.h"

#include "base/error.h"
#include "data/conversion.h"
#include "model/weights.h"
#include "text/word_list.h"
#include "training/corpus.h"

namespace pdvc {
namespace {

std::vector<int64_t> event_counts(const std::vector<VideoEvents>& videos, int64_t most) {
  std::vector<int64_t> counts;
  for (const VideoEvents& video : videos)
    counts.push_back(std::min(static_cast<int64_t>(video.events.size()), most));
  return counts;
}

}  // namespace

torch::Device device_for(const std::string& name, const Workers& workers) try {
  torch::Device device(name);
  if (device.is_cuda() && !device.has_index() && workers.size() > 1) {
    const auto environment = worker_environment();
    device.set_index(static_cast<c10::DeviceIndex>(environment ? environment->local_rank : 0));
  }
  torch::zeros({1}).to(device);  // says at once when the device is not there
  return device;
} catch (const std::exception&) {
  fail("device ", name, ": this LibTorch has no such device");
}

Criterion criterion_for(const Settings& s, const std::vector<VideoEvents>& training) {
  std::vector<double> shares =
      s.losses.count_shares == CountShares::published
          ? published_count_shares()
          : count_shares(event_counts(training, s.training.events_per_video), s.model.max_events);
  return {s.matching, s.losses, std::move(shares)};
}

AdamOptions optimizer_options(const TrainingSettings& s) {
  AdamOptions options;
  options.learning_rate = s.learning_rate;
  options.weight_decay = s.weight_decay;
  options.decay = s.optimizer == "adamw" ? WeightDecay::decoupled : WeightDecay::in_gradient;
  return options;
}

uint64_t worker_seed(int64_t seed, int rank, int64_t steps) {
  return static_cast<uint64_t>(seed) + 0x9e3779b97f4a7c15 * static_cast<uint64_t>(rank) +
         0xbf58476d1ce4e5b9 * static_cast<uint64_t>(steps);
}

int64_t parameter_count(const torch::nn::Module& model) {
  int64_t count = 0;
  for (const Tensor& parameter : model.parameters()) count += parameter.numel();
  return count;
}

Vocabulary vocabulary_for(const TrainingRequest& request, const RunFolder& folder,
                          const std::vector<VideoEvents>& training, Log& log) {
  if (request.start == Start::resumed) return Vocabulary::read(folder.vocabulary());
  const std::string& named = request.settings.files.vocabulary;
  if (!named.empty()) return Vocabulary::read(named);
  if (request.weights.extension() == ".safetensors")
    if (auto words = ModelFile(request.weights, log).description().vocabulary) return *words;
  return vocabulary_of(sentences_of(training), request.least_count);
}

void read_weights(const std::filesystem::path& path, const ModelSettings& settings, PdvcImpl& model,
                  Log& log) {
  if (path.extension() == ".safetensors") {
    load_weights(model, ModelFile(path, log));
    return;
  }
  const Checkpoint checkpoint(path);
  load_weights(model, published_weights(checkpoint, settings, path.string()));
}

}  // namespace pdvc
