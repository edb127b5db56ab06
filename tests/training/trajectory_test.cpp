// Five steps of the original through the whole of training: files, loader, loop, log.
#include <gmock/gmock.h>

#include "data/model_file.h"
#include "golden/compare.h"
#include "golden/formula.h"
#include "training/run.h"
#include "training/trainer.h"

namespace pdvc {
namespace {

// The videos of a golden trajectory, in its order, as an annotation file.
void write_trajectory(const std::filesystem::path& path, const Json& numbers,
                      const std::map<std::string, VideoEvents>& videos) {
  nlohmann::ordered_json annotations;
  for (const Json& step : numbers["trajectory"]) {
    const VideoEvents& video = videos.at(step["video"].get<std::string>());
    nlohmann::ordered_json timestamps = nlohmann::ordered_json::array(), sentences = timestamps;
    for (const Event& event : video.events) {
      timestamps.push_back({event.segment.start, event.segment.end});
      sentences.push_back(event.sentence);
    }
    annotations[video.video] = {
        {"duration", *video.duration}, {"timestamps", timestamps}, {"sentences", sentences}};
  }
  std::ofstream(path) << annotations.dump();
}

void expect_logged_trajectory(const std::filesystem::path& run, const Json& numbers) {
  const auto steps = logged(run, "step");
  ASSERT_EQ(steps.size(), numbers["trajectory"].size());
  for (size_t i = 0; i < steps.size(); ++i) {
    const Json& wanted = numbers["trajectory"][i];
    const std::string step = "step " + std::to_string(i + 1);
    expect_relative(steps[i]["loss"], wanted["total"], step + ": total");
    expect_relative(steps[i]["gradient_norm"], wanted["grad_norm"], step + ": gradient norm");
    expect_relative(steps[i]["giou"], wanted["losses"]["loss_giou"], step + ": giou");
  }
}

void run_five_steps(Settings settings, const std::filesystem::path& annotations,
                    const std::filesystem::path& features, const std::filesystem::path& vocabulary,
                    const std::filesystem::path& weights, const std::filesystem::path& run) {
  settings.files = {
      .train_captions = annotations, .feature_folders = {features}, .vocabulary = vocabulary};
  settings.model.transformer_dropout = settings.model.caption_dropout = 0;
  settings.losses.count_shares = CountShares::published;
  settings.training.epochs = 1;
  settings.training.shuffle = false;
  RecordingLog log;
  Workers alone;
  Trainer({.settings = settings, .folder = run, .weights = weights}, alone, log).run();
}

}  // namespace

TEST(Trajectory, IsTheOriginalsOnTheCasesMadeByARule) {
  for (const char* name : {"light", "standard", "standard_gt"}) {
    SCOPED_TRACE(name);
    const TemporaryFolder folder;
    FormulaCase golden(name);
    std::filesystem::create_directory(folder / "features");
    std::map<std::string, VideoEvents> videos;
    for (const Json& step : golden.numbers["trajectory"]) {
      const std::string video = step["video"];
      videos[video] = golden.videos.at(video);
      // Already resampled, which resampling leaves as it is.
      const Array features = formula_features(video, golden.settings);
      folder.write(
          "features/" + video + ".npy",
          float_npy(features.shape(), {features.floats().begin(), features.floats().end()}));
    }
    write_trajectory(folder / "train.json", golden.numbers, videos);
    std::vector<NamedView> tensors;
    for (const auto& parameter : golden.model->named_parameters())
      tensors.push_back({parameter.key(),
                         {DType::f32,
                          parameter.value().sizes().vec(),
                          {static_cast<const std::byte*>(parameter.value().data_ptr()),
                           parameter.value().nbytes()}}});
    write_model_file(folder / "start.safetensors",
                     {.settings = golden.settings, .vocabulary = golden.vocabulary}, tensors);
    run_five_steps(golden.settings, folder / "train.json", folder / "features", "",
                   folder / "start.safetensors", folder / "run");
    expect_logged_trajectory(folder / "run", golden.numbers);
  }
}

TEST(Trajectory, IsTheOriginalsFromTheTrainedWeights) {
  PDVC_NEEDS_SHARED("golden/anet_c3d_pdvc/model.pth");
  RecordingLog log;
  for (const char* name : {"anet_c3d_pdvc", "anet_c3d_pdvcl"}) {
    SCOPED_TRACE(name);
    const TemporaryFolder folder;
    const auto golden = shared_file(std::string("golden/") + name);
    const Json numbers = parse_json(contents_of(golden / "numbers.json"), name);
    std::map<std::string, VideoEvents> videos;
    for (VideoEvents& video :
         read_annotations(shared_file("golden/toy/train.json"), kTrainingData, log))
      videos[video.video] = video;
    write_trajectory(folder / "train.json", numbers, videos);
    run_five_steps(load_settings(golden / "options.json", {}, log), folder / "train.json",
                   shared_file("golden/toy/features"),
                   shared_file("data/anet/vocabulary_activitynet.json"), golden / "model.pth",
                   folder / "run");
    expect_logged_trajectory(folder / "run", numbers);
  }
}

}  // namespace pdvc
