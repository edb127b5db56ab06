// Makes random models of every variant and writes what they say of random videos.
//
//   write_recordings FOLDER SEEDS    files FOLDER/VARIANT_SEED.safetensors and .json
#include <algorithm>
#include <deque>
#include <iostream>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/json.h"
#include "data/model_file.h"
#include "data/resample.h"
#include "model/pdvc.h"
#include "parity/trainer/plain_beam.h"
#include "parity/trainer/random_case.h"
#include "parity/trainer/random_weights.h"

namespace pdvc {
namespace {

namespace fs = std::filesystem;

// By how much numbers may move when features move by a millionth.
constexpr double kSteady = 5e-5;

constexpr int kVideos = 4;     // of each model
constexpr int64_t kBeams = 2;  // queries of the first video that a beam is searched for

VideoBatch batch_of(const RecordedVideo& video, const ModelSettings& s) {
  std::vector<Array> streams;
  streams.emplace_back(DType::f32, Shape{video.rows, s.feature_width});
  std::ranges::copy(video.features, streams[0].floats().begin());
  const Array rows = joined_streams(streams, s.resample ? s.frames : 0, "a random video");
  Tensor features = torch::empty({1, rows.shape()[0], s.feature_width});
  std::ranges::copy(rows.floats(), features.data_ptr<float>());
  return {features, torch::ones({1, rows.shape()[0]}, torch::kBool),
          torch::tensor({static_cast<float>(video.duration)})};
}

Proposals proposals_of(const RecordedVideo& video) {
  const auto count = static_cast<int64_t>(video.proposals.size());
  Tensor boxes = torch::empty({1, count, 2});
  for (int64_t i = 0; i < count; ++i) {
    const auto [start, end] = video.proposals[static_cast<size_t>(i)];
    boxes[0][i][0] = static_cast<float>((start + end) / 2 / video.duration);
    boxes[0][i][1] = static_cast<float>((end - start) / video.duration);
  }
  return {boxes, torch::ones({1, count}, torch::kBool)};
}

// Log-probabilities [query, step, word] of what follows when every query of the only video hears
// these words [query, step].
Tensor after_hearing(PdvcImpl& model, const ModelOutputs& outputs, const Tensor& words) {
  const CaptionMemory memory = model.captioner().read(outputs.memory);
  const Tensor all = torch::arange(words.size(0));
  const CaptionQueries asked = queries_at(outputs.layers.back(), torch::zeros_like(all), all);
  const Tensor begin = torch::zeros({words.size(0), 1}, torch::kLong);
  const Tensor heard = torch::cat({begin, words.narrow(1, 0, words.size(1) - 1)}, 1);
  return model.captioner().forward(memory, asked, heard);
}

// The greedy sentences, and by teacher forcing what came second at each of their steps.
void record_sentences(PdvcImpl& model, const ModelOutputs& outputs, RecordedVideo& video) {
  const Captions captions = model.caption(outputs, outputs.layers.size() - 1);
  const Tensor said = captions.words[0];
  const int64_t steps = said.size(1);
  const auto [scores, words] = after_hearing(model, outputs, said).topk(2, 2);
  for (int64_t q = 0; q < said.size(0); ++q) {
    RecordedSentence sentence;
    bool going = true;
    for (int64_t t = 0; t < steps && going; ++t) {
      going = said[q][t].item<int64_t>() != 0;
      sentence.runners_up.push_back(words[q][t][1].item<int64_t>());
      sentence.margins.push_back((scores[q][t][0] - scores[q][t][1]).item<double>());
      if (!going) continue;
      sentence.words.push_back(said[q][t].item<int64_t>());
      sentence.log_probabilities.push_back(captions.log_probabilities[0][q][t].item<double>());
    }
    video.queries[static_cast<size_t>(q)].sentence = {sentence};
  }
}

void record_beams(PdvcImpl& model, const ModelOutputs& outputs, RecordedVideo& video) {
  const CaptionMemory memory = model.captioner().read(outputs.memory);
  for (int64_t q = 0; q < std::min<int64_t>(kBeams, std::ssize(video.queries)); ++q)
    video.queries[static_cast<size_t>(q)].beam = {plain_beam(model, outputs, memory, q)};
}

// Boxes, logits, counts and the log-probabilities of the given words [query, step], in one row.
Tensor all_numbers(PdvcImpl& model, const ModelOutputs& outputs, const Tensor& words) {
  const LayerPredictions& last = outputs.layers.back();
  const Tensor places =
      torch::cat({last.boxes.flatten(), last.logits.flatten(), last.counts.flatten()});
  if (!words.defined()) return places;
  const Tensor scores = after_hearing(model, outputs, words).gather(2, words.unsqueeze(2));
  return torch::cat({places, scores.squeeze(2).masked_select(words != 0)});
}

// Whether what the model says hangs on the last bits of the features, as where the two rows of a
// group that is normalised are nearly equal, or where the captioner looks far away when its state
// changes a little: nobody can say then what is right.
bool hangs_on_last_bits(PdvcImpl& model, const RecordedVideo& video) {
  VideoBatch batch = batch_of(video, model.settings());
  const Proposals proposals = proposals_of(video);
  const ModelOutputs before = model.forward(batch, proposals);
  Tensor words;
  if (model.has_captioner()) words = model.caption(before, before.layers.size() - 1).words[0];
  const Tensor steady = all_numbers(model, before, words), features = batch.features;
  for (int draw = 0; draw < 4; ++draw) {
    batch.features = features * (1 + 1e-6 * torch::randn_like(features));
    const Tensor moved = all_numbers(model, model.forward(batch, proposals), words);
    if ((moved - steady).abs().max().item<double>() > kSteady) return true;
  }
  return false;
}

void record(PdvcImpl& model, RecordedVideo& video, bool beams) {
  const ModelOutputs outputs =
      model.forward(batch_of(video, model.settings()), proposals_of(video));
  const LayerPredictions& last = outputs.layers.back();
  for (int64_t i = 0; i < last.counts.size(1); ++i)
    video.counts.push_back(last.counts[0][i].item<double>());
  for (int64_t q = 0; q < last.logits.size(1); ++q)
    video.queries.push_back({.centre = last.boxes[0][q][0].item<double>(),
                             .length = last.boxes[0][q][1].item<double>(),
                             .logit = last.logits[0][q].item<double>()});
  if (!model.has_captioner()) return;
  record_sentences(model, outputs, video);
  if (beams) record_beams(model, outputs, video);
}

void write_model(const fs::path& path, const PdvcImpl& model) {
  Settings settings;
  settings.model = model.settings();
  if (settings.model.supervision == Supervision::captions)
    settings.matching.giou_cost = settings.losses.giou = 0;
  std::vector<NamedView> tensors;
  std::deque<Tensor> kept;
  for (const auto& parameter : model.named_parameters()) {
    const Tensor& values = kept.emplace_back(parameter.value().detach().contiguous());
    tensors.push_back({parameter.key(),
                       {DType::f32, values.sizes().vec(),
                        std::as_bytes(std::span(values.data_ptr<float>(),
                                                static_cast<size_t>(values.numel())))}});
  }
  ModelDescription description{.settings = settings};
  if (settings.model.has_captioner())
    description.vocabulary = numbered_vocabulary(settings.model.vocabulary_size);
  write_model_file(path, description, tensors);
}

void write_case(const fs::path& folder, const Variant& variant, uint64_t seed) {
  const std::string name = variant.name + "_" + std::to_string(seed);
  std::seed_seq letters(name.begin(), name.end());
  Random random(letters);
  const ModelSettings settings = random_sizes(variant, random);
  torch::manual_seed(random());
  Pdvc model(settings);
  randomize(*model);
  model->eval();
  const fs::path path = folder / (name + ".safetensors");
  write_model(path, *model);
  std::vector<RecordedVideo> videos;
  for (int drawn = 0; videos.size() < kVideos; ++drawn) {
    check(drawn < 5 * kVideos, name, ": too much hangs on the last bits of the features");
    RecordedVideo video = random_video(settings, random);
    if (hangs_on_last_bits(*model, video)) continue;
    record(*model, video, videos.empty());
    videos.push_back(std::move(video));
  }
  write_file(recording_beside(path), json_text(Json(videos)));
}

// Of an earlier run, whose variants may have been others.
void remove_recordings(const fs::path& folder) {
  std::vector<fs::path> old;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".safetensors" || entry.path().extension() == ".json")
      old.push_back(entry.path());
  for (const fs::path& path : old) fs::remove(path);
}

void write_all(const fs::path& folder, uint64_t seeds) {
  torch::NoGradGuard no_grad;
  fs::create_directories(folder);
  remove_recordings(folder);
  for (const Variant& variant : all_variants())
    for (uint64_t seed = 0; seed < seeds; ++seed) write_case(folder, variant, seed);
}

}  // namespace
}  // namespace pdvc

int main(int count, char** arguments) try {
  pdvc::check(count == 3, "usage: write_recordings FOLDER SEEDS");
  pdvc::write_all(arguments[1], std::stoull(arguments[2]));
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
