#include "training/checkpoint.h"

#include <ATen/CPUGeneratorImpl.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "model/weights.h"

namespace pdvc {
namespace {

constexpr const char* kTraining = "training";
constexpr const char* kMean = "optimizer.mean.";
constexpr const char* kSquare = "optimizer.square.";
constexpr const char* kWeights = "optimizer.weights.";
constexpr const char* kSteps = "optimizer.steps";
constexpr const char* kGenerator = "optimizer.generator";

// Tensors on their way into a file: views, and the copies that they look at.
class TensorList {
 public:
  void add(const std::string& name, const torch::Tensor& tensor) {
    kept_.push_back(tensor.detach().to(torch::kCPU).contiguous());
    const torch::Tensor& copy = kept_.back();
    const DType type = copy.dtype() == torch::kLong    ? DType::i64
                       : copy.dtype() == torch::kUInt8 ? DType::u8
                                                       : DType::f32;
    const auto* bytes = static_cast<const std::byte*>(copy.data_ptr());
    views_.push_back({name, {type, copy.sizes().vec(), {bytes, copy.nbytes()}}});
  }
  const std::vector<NamedView>& views() const { return views_; }

 private:
  std::vector<torch::Tensor> kept_;
  std::vector<NamedView> views_;
};

Json progress_json(RunProgress progress) {
  Json json = fields_of(progress).to_json();
  json["best"] = std::isfinite(progress.best) ? Json(progress.best) : Json(nullptr);
  json["history"] = progress.history;
  return json;
}

RunProgress parse_progress(const std::string& text, const std::string& name) {
  const Json json = parse_json(text, name);
  check(json.is_object(), name, ": expected an object");
  RunProgress progress;
  FieldList list = fields_of(progress);
  for (Field& field : list.all()) {
    check(json.contains(field.key()), name, ": ", field.key(), " is missing");
    try {
      field.set(json.at(field.key()));
    } catch (const Error& error) {
      fail(name, ": ", field.key(), ": ", error.what());
    }
  }
  if (json.contains("best") && json["best"].is_number()) progress.best = json["best"];
  if (json.contains("history") && json["history"].is_array()) progress.history = json["history"];
  return progress;
}

const ArrayView& tensor_of(const ModelFile& file, const std::string& name,
                           const std::string& path) {
  const auto at = file.tensors().find(name);
  check(at != file.tensors().end(), path, ": tensor ", name,
        " is missing (expected a checkpoint of training)");
  return at->second;
}

torch::Tensor checked(const ArrayView& view, const torch::Tensor& like, const std::string& name,
                      const std::string& path) {
  check(view.shape == like.sizes().vec(), path, ": tensor ", name, " has shape ",
        shape_text(view.shape), " (expected ", shape_text(like.sizes().vec()), ")");
  return to_torch(view).to(like.device());
}

// In the place it has, if it has one.
void restore(torch::Tensor& place, const torch::Tensor& value) {
  if (place.defined())
    place.copy_(value);
  else
    place = value;
}

void restore_generator(const ArrayView& view, const std::string& path) {
  torch::Tensor state = torch::empty(view.shape, torch::kUInt8);
  check(view.type == DType::u8 && state.nbytes() == view.bytes.size(), path, ": tensor ",
        kGenerator, " is damaged");
  std::memcpy(state.data_ptr(), view.bytes.data(), view.bytes.size());
  try {
    at::Generator generator = at::detail::getDefaultCPUGenerator();
    generator.set_state(state);
  } catch (const c10::Error&) {
    fail(path, ": tensor ", kGenerator, " is damaged");
  }
}

}  // namespace

void fields(RunProgress& p, FieldList& visit) {
  visit("epoch", p.epoch, "").at_least(0);
  visit("videos", p.videos, "").at_least(0);
  visit("steps", p.steps, "").at_least(0);
  visit("seconds", p.seconds, "").at_least(0);
  visit("best_epoch", p.best_epoch, "").at_least(-1);
  visit("since_best", p.since_best, "").at_least(0);
  visit("loss_sum", p.loss_sum, "");
  visit("batches", p.batches, "").at_least(0);
  visit("log_bytes", p.log_bytes, "").at_least(0);
}

void save_checkpoint(const std::filesystem::path& path, const ModelDescription& description,
                     const RunState& state) {
  const auto parameters = state.model.named_parameters();
  std::vector<Adam::Slot>& slots = state.optimizer.slots();
  TensorList tensors;
  for (size_t i = 0; i < parameters.size(); ++i)
    tensors.add(parameters[i].key(),
                state.average.is_on() ? state.average.averages()[i] : parameters[i].value());
  torch::Tensor steps = torch::zeros({static_cast<int64_t>(slots.size())}, torch::kLong);
  for (size_t i = 0; i < parameters.size(); ++i) {
    const std::string& name = parameters[i].key();
    if (state.average.is_on()) tensors.add(kWeights + name, parameters[i].value());
    steps[static_cast<int64_t>(i)] = slots[i].steps;
    if (slots[i].steps == 0) continue;
    tensors.add(kMean + name, slots[i].mean);
    tensors.add(kSquare + name, slots[i].square);
  }
  tensors.add(kSteps, steps);
  tensors.add(kGenerator, at::detail::getDefaultCPUGenerator().get_state());
  write_model_file(path, description, tensors.views(),
                   {{kTraining, json_text(progress_json(state.progress))}});
}

void load_checkpoint(const std::filesystem::path& path, const RunState& state, Log& log) {
  const ModelFile file(path, log);
  const std::string name = path.string();
  const auto training = file.metadata().find(kTraining);
  check(training != file.metadata().end(), path,
        ": was not written by training (expected a checkpoint with the optimiser's state)");
  RunProgress progress = parse_progress(training->second, name + ": " + kTraining);
  const torch::Tensor steps = to_torch(tensor_of(file, kSteps, name));
  auto parameters = state.model.named_parameters();
  std::vector<Adam::Slot>& slots = state.optimizer.slots();
  check(steps.dtype() == torch::kLong && steps.numel() == static_cast<int64_t>(slots.size()), path,
        ": tensor ", kSteps, " has ", steps.numel(), " entries (expected ", slots.size(), ")");
  const bool averaged = file.tensors().contains(kWeights + parameters[0].key());
  torch::NoGradGuard no_grad;
  for (size_t i = 0; i < slots.size(); ++i) {
    const std::string& key = parameters[i].key();
    torch::Tensor& parameter = parameters[i].value();
    const std::string stored = averaged ? kWeights + key : key;
    parameter.copy_(checked(tensor_of(file, stored, name), parameter, stored, name));
    if (state.average.is_on())
      state.average.averages()[i].copy_(checked(tensor_of(file, key, name), parameter, key, name));
    slots[i].steps = steps[static_cast<int64_t>(i)].item<int64_t>();
    if (slots[i].steps == 0) continue;
    restore(slots[i].mean, checked(tensor_of(file, kMean + key, name), parameter, key, name));
    restore(slots[i].square, checked(tensor_of(file, kSquare + key, name), parameter, key, name));
  }
  restore_generator(tensor_of(file, kGenerator, name), name);
  state.progress = std::move(progress);
}

}  // namespace pdvc
