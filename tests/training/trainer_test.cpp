// Training as a user sees it: the program, its folder, and what happens when things go wrong.
#include "training/trainer.h"

#include <gmock/gmock.h>

#include "data/conversion.h"
#include "data/predictions.h"
#include "support/program.h"
#include "training/run.h"

namespace pdvc {
namespace {

using testing::HasSubstr;

double mean_loss(const std::vector<Json>& steps, size_t first, size_t count) {
  double sum = 0;
  for (size_t i = first; i < first + count; ++i) sum += steps.at(i)["loss"].get<double>();
  return sum / static_cast<double>(count);
}

// Waits for a file, but not for ever.
bool appears(const std::filesystem::path& path) {
  for (int i = 0; i < 60000 && !std::filesystem::exists(path); ++i) usleep(1000);
  return std::filesystem::exists(path);
}

// The process of a run's worker, by its environment; 0 when there is none.
pid_t worker_of(const std::filesystem::path& run, int rank) {
  const std::string wanted = '\0' + std::string("RANK=") + std::to_string(rank) + '\0';
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const pid_t process = std::atoi(entry.path().filename().c_str());
    if (process == 0) continue;
    const std::string environment = '\0' + contents_of(entry.path() / "environ");
    const std::string command = contents_of(entry.path() / "cmdline");
    if (environment.find(wanted) != std::string::npos &&
        command.find(run.string() + '\0') != std::string::npos)
      return process;
  }
  return 0;
}

}  // namespace

TEST(Training, LowersTheLossInThirtySteps) {
  for (const char* captioner : {"light", "standard", "soft", "transformer"}) {
    const SmallCorpus corpus;
    const TrainResult result =
        train(corpus, corpus.folder / "run",
              {"epoch=8", "validate_every=0", std::string("caption_decoder_type=") + captioner});
    ASSERT_EQ(result.code, 0) << result.err;
    const auto steps = logged(corpus.folder / "run", "step");
    ASSERT_EQ(steps.size(), 32u);
    EXPECT_LT(mean_loss(steps, 28, 4), 0.9 * mean_loss(steps, 0, 4)) << captioner;
  }
}

TEST(Training, LeavesAFolderThatOtherToolsRead) {
  const SmallCorpus corpus;
  const auto run = corpus.folder / "run";
  const TrainResult result =
      train(corpus, run, {"epoch=2", "validation=full", "criteria_for_best_ckpt=cider"});
  ASSERT_EQ(result.code, 0) << result.err;
  for (const char* name : {"last.safetensors", "best.safetensors"}) {
    RecordingLog log;
    const ModelFile model(run / name, log);
    EXPECT_EQ(model.description().vocabulary->words().back(), "UNK");
    EXPECT_TRUE(model.metadata().contains("training"));
  }
  EXPECT_EQ(read_predictions(run / "predictions_best.json").videos.size(), 4u);
  EXPECT_EQ(logged(run, "epoch").size(), 2u);
  EXPECT_THAT(contents_of(run / "summary.md"), HasSubstr("| 2 |"));
  RecordingLog log;
  EXPECT_EQ(load_settings(run / "settings.yml", {}, log).training.epochs, 2);
  EXPECT_EQ(log.str(), "");
}

TEST(Training, IsReachedThroughPdvcAndExportsLeanModels) {
  const SmallCorpus corpus;
  const auto run = corpus.folder / "run";
  std::vector<std::string> words = {"train"};
  for (const std::string& word : train_words(corpus, run, {"epoch=1", "ema=0.5"}))
    words.push_back(word);
  const Result trained = run_pdvc(words);
  ASSERT_EQ(trained.code, 0) << trained.err;
  const auto exported = [&](const char* name) {
    const auto path = corpus.folder / name;
    const Result result = run_pdvc({"train", "export", run / "best.safetensors", path});
    EXPECT_EQ(result.code, 0) << result.err;
    return path;
  };
  const Safetensors whole(run / "best.safetensors"), lean(exported("lean.safetensors"));
  for (const auto& [name, view] : lean.tensors()) {
    EXPECT_FALSE(name.starts_with("optimizer.")) << name;
    EXPECT_TRUE(std::ranges::equal(view.bytes, whole.tensors().at(name).bytes)) << name;
  }
  RecordingLog log;
  const Settings settings = load_settings(run / "settings.yml", {}, log);
  const Checkpoint checkpoint(exported("model.pth"));
  EXPECT_EQ(published_weights(checkpoint, settings.model, "model.pth").size(),
            lean.tensors().size());
  EXPECT_EQ(run_pdvc({"train", "export", run / "best.safetensors"}).code, 2);
}

TEST(Training, TakesEveryModeOfTheSettings) {
  const std::vector<std::vector<std::string>> modes = {
      {"transformer_input_type=gt_proposals", "with_box_refine=0", "set_cost_class=0",
       "set_cost_bbox=0.00001", "giou_loss_coef=0", "cls_loss_coef=0", "count_loss_coef=0"},
      {"caption_decoder_type=none", "caption_loss_coef=0"},
      {"supervision=captions", "set_cost_giou=0", "giou_loss_coef=0", "set_cost_caption=1",
       "with_box_refine=1"},
      {"batch_size=3", "accumulate=2", "optimizer_type=adamw", "schedule=cosine", "warmup=3",
       "ema=0.9"},
      {"scheduled_sampling_start=0", "basic_ss_prob=0.25", "caption_decoder_type=standard"},
      {"transformer_type=ordinary", "lloss_cross_entropy=1", "count_shares=published"}};
  for (const auto& mode : modes) {
    const SmallCorpus corpus;
    std::vector<std::string> words = {"epoch=2"};
    words.insert(words.end(), mode.begin(), mode.end());
    const TrainResult result = train(corpus, corpus.folder / "run", words);
    EXPECT_EQ(result.code, 0) << mode[0] << ": " << result.err;
  }
}

TEST(Training, GoesOnAfterAnInterruptionAsIfThereHadBeenNone) {
  const SmallCorpus corpus;
  const std::vector<std::string> words = {"epoch=40", "ema=0.99"};
  ASSERT_EQ(train(corpus, corpus.folder / "whole", words).code, 0);
  const auto run = corpus.folder / "run";
  TrainProcess process(train_words(corpus, run, words));
  ASSERT_TRUE(appears(run / "last.safetensors"));
  process.kill(SIGINT);
  const TrainResult interrupted = process.wait();
  if (interrupted.code != 0) {  // it may have been quicker than the signal
    EXPECT_EQ(interrupted.code, 130) << interrupted.err;
    ASSERT_EQ(train(corpus, run, {"--resume", "epoch=40", "ema=0.99"}).code, 0);
  }
  expect_same_tensors(corpus.folder / "whole" / "last.safetensors", run / "last.safetensors");
}

// While the average stands in for the weights.
TEST(Training, GoesOnAfterAnInterruptionOfItsValidation) {
  const SmallCorpus corpus;
  nlohmann::ordered_json many;
  for (int v = 0; v < 1500; ++v) {
    const std::string name = "w_" + std::to_string(v);
    many[name] = corpus.annotation(v);
    corpus.write_features(name, v);
  }
  const std::string validation =
      "val_caption_file=" + corpus.folder.write("val.json", many.dump()).string();
  const std::vector<std::string> words = {"epoch=1", "ema=0.5", validation};
  ASSERT_EQ(train(corpus, corpus.folder / "whole", words).code, 0);
  const auto run = corpus.folder / "run";
  std::vector<std::string> watched = words;
  watched.insert(watched.end(), {"--progress", "json"});
  TrainProcess process(train_words(corpus, run, watched));
  for (int i = 0; i < 60000 && process.err_so_far().find(R"("step":4,)") == std::string::npos; ++i)
    usleep(1000);
  process.kill(SIGINT);
  ASSERT_EQ(process.wait().code, 130);
  {
    const Safetensors checkpoint(run / "last.safetensors");
    const Json progress = Json::parse(checkpoint.metadata().at("training"));
    ASSERT_EQ(progress["epoch"], 0);
    ASSERT_EQ(progress["videos"], 4);
  }
  std::vector<std::string> again = words;
  again.emplace_back("--resume");
  ASSERT_EQ(train(corpus, run, again).code, 0);
  expect_same_tensors(corpus.folder / "whole" / "last.safetensors", run / "last.safetensors");
}

// Killed at any moment, with checkpoints as often as possible, so that many fall into one's
// writing.
TEST(Training, EndsWithTheSameWeightsHoweverOftenItIsKilled) {
  const SmallCorpus corpus;
  const std::vector<std::string> words = {"epoch=30", "checkpoint_minutes=0",
                                          "transformer_dropout_prob=0.3"};
  ASSERT_EQ(train(corpus, corpus.folder / "whole", words).code, 0);
  const auto run = corpus.folder / "run";
  int kills = 0;
  for (unsigned attempt = 0; attempt < 40; ++attempt) {
    std::vector<std::string> again = words;
    if (std::filesystem::exists(run / "last.safetensors")) again.emplace_back("--resume");
    TrainProcess process(train_words(corpus, run, again));
    if (attempt < 6) {
      // Wait for the first step of this session, then for an odd moment.
      const auto before = contents_of(run / "last.safetensors");
      for (int i = 0; i < 20000 && contents_of(run / "last.safetensors") == before; ++i)
        usleep(1000);
      usleep(1000 * (7 * attempt % 23));
      process.kill(SIGKILL);
    }
    const TrainResult result = process.wait();
    if (result.code == 0) break;
    ASSERT_EQ(result.code, 128 + SIGKILL) << result.err;
    ++kills;
  }
  EXPECT_GT(kills, 2);
  expect_same_tensors(corpus.folder / "whole" / "last.safetensors", run / "last.safetensors");
  const auto steps = logged(run, "step");
  ASSERT_EQ(steps.size(), 120u);  // each once
  for (size_t i = 0; i < steps.size(); ++i) EXPECT_EQ(steps[i]["step"], i + 1);
}

TEST(Training, TwoWorkersMakeTheStepsOfOneWithTwiceTheBatch) {
  const SmallCorpus corpus({.videos = 5});  // one worker has none in each epoch's last step
  const std::vector<std::string> words = {"epoch=4", "transformer_dropout_prob=0", "drop_prob=0",
                                          "ema=0.9"};
  std::vector<std::string> one = words, two = words;
  one.emplace_back("batch_size=2");
  two.insert(two.end(), {"--workers", "2"});
  ASSERT_EQ(train(corpus, corpus.folder / "one", one).code, 0);
  const auto wanted = logged(corpus.folder / "one", "step");
  ASSERT_EQ(wanted.size(), 12u);
  for (const char* route : {"memory", "network"}) {
    if (route == std::string("network")) setenv("PDVC_NO_SHARED_MEMORY", "1", 1);
    const auto run = corpus.folder / route;
    const TrainResult result = train(corpus, run, two);
    unsetenv("PDVC_NO_SHARED_MEMORY");
    ASSERT_EQ(result.code, 0) << result.err;
    const auto steps = logged(run, "step");
    ASSERT_EQ(steps.size(), 12u);
    for (size_t i = 0; i < steps.size(); ++i)
      for (const char* key : {"loss", "label", "giou", "count", "caption", "gradient_norm"})
        EXPECT_NEAR(wanted[i][key].get<double>(), steps[i][key].get<double>(),
                    1e-4 * (1 + std::abs(wanted[i][key].get<double>())))
            << route << ": " << key << " of step " << i + 1;
    EXPECT_EQ(logged(corpus.folder / "one", "epoch").back()["f1"],
              logged(run, "epoch").back()["f1"]);
  }
}

TEST(Training, EndsWhenAWorkerDiesAndGoesOnWithAnotherNumber) {
  const SmallCorpus corpus;
  const auto run = corpus.folder / "run";
  TrainProcess process(
      train_words(corpus, run, {"epoch=100000", "--workers", "2", "validate_every=0"}));
  ASSERT_TRUE(appears(run / "last.safetensors"));
  const pid_t second = worker_of(run, 1);
  ASSERT_GT(second, 0);
  kill(second, SIGKILL);
  const TrainResult result = process.wait();
  EXPECT_NE(result.code, 0);
  EXPECT_THAT(result.err, HasSubstr("go on with --resume"));
  const int64_t epoch = logged(run, "epoch").back()["epoch"];
  const TrainResult alone =
      train(corpus, run, {"--resume", "validate_every=0", "epoch=" + std::to_string(epoch + 1)});
  EXPECT_EQ(alone.code, 0) << alone.err;
}

// As a job scheduler does, which knows only the process that it has started.
TEST(Training, StopsItsWorkersWhenItAloneIsAskedToStop) {
  const SmallCorpus corpus;
  const auto run = corpus.folder / "run";
  TrainProcess process(train_words(corpus, run, {"epoch=100000", "--workers", "2"}));
  ASSERT_TRUE(appears(run / "last.safetensors"));
  process.kill(SIGTERM);
  const TrainResult result = process.wait();
  EXPECT_EQ(result.code, 130) << result.err;
  const auto before = contents_of(run / "log.jsonl");
  usleep(200'000);
  EXPECT_EQ(contents_of(run / "log.jsonl"), before) << "nobody goes on";
}

TEST(Training, SaysWhyARunCannotStart) {
  const SmallCorpus corpus;
  const auto run = corpus.folder / "run";
  const auto error = [&](const std::vector<std::string>& words) {
    const TrainResult result = train(corpus, run, words);
    EXPECT_EQ(result.code, 1);
    return result.err;
  };
  EXPECT_THAT(error({"--resume"}), HasSubstr("there is no run to go on with"));
  EXPECT_THAT(error({"feature_dim=7"}),
              HasSubstr("its features are 6 wide (expected feature_dim 7)"));
  EXPECT_THAT(error({"train_caption_file=nowhere.json"}), HasSubstr("nowhere.json: no such file"));
  EXPECT_THAT(error({"--device", "tea"}),
              HasSubstr("device tea: this LibTorch has no such device"));
  EXPECT_THAT(error({"--min-count", "100"}), HasSubstr("there is no vocabulary"));
  ASSERT_EQ(train(corpus, run, {"epoch=1"}).code, 0);
  EXPECT_THAT(error({"epoch=1"}), HasSubstr("holds a run already (go on with --resume"));
}

TEST(Training, NamesTheLossThatDiverges) {
  const SmallCorpus corpus;
  const TrainResult result =
      train(corpus, corpus.folder / "run", {"lr=1e30", "validate_every=0", "epoch=50"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("not finite"));
}

TEST(Training, EndsEarlyWhenValidationNoLongerImproves) {
  const SmallCorpus corpus;
  const TrainResult result =
      train(corpus, corpus.folder / "run", {"lr=1e-30", "epoch=50", "patience=2"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(logged(corpus.folder / "run", "epoch").size(), 3u);  // the first is the best
}

TEST(Training, RefusesADamagedCheckpointAndLeavesItAlone) {
  const SmallCorpus corpus;
  const auto run = corpus.folder / "run";
  ASSERT_EQ(train(corpus, run, {"epoch=1"}).code, 0);
  const std::string whole = contents_of(run / "last.safetensors");
  corpus.folder.write("run/last.safetensors", whole.substr(0, whole.size() / 2));
  const TrainResult cut = train(corpus, run, {"--resume", "epoch=2"});
  EXPECT_EQ(cut.code, 1);
  EXPECT_THAT(cut.err, HasSubstr("last.safetensors: "));
  EXPECT_EQ(contents_of(run / "last.safetensors").size(), whole.size() / 2);
  corpus.folder.write("run/last.safetensors", whole);
  EXPECT_EQ(train(corpus, run, {"--resume", "epoch=2"}).code, 0);
}

TEST(Training, KeepsTheLastCheckpointWhenTheDiskIsFull) {
  const SmallCorpus corpus;
  const auto run = corpus.folder / "run";
  ASSERT_EQ(train(corpus, run, {"epoch=1"}).code, 0);
  const std::string before = contents_of(run / "last.safetensors");
  // A file that may not grow beyond a few blocks stands in for a full disk.
  std::string words;
  for (const std::string& word : train_words(corpus, run, {"--resume", "epoch=2"}))
    words += " '" + word + "'";
  const std::string command = "ulimit -f 64; '" + std::string(PDVC_TRAIN_BINARY) + "' train" +
                              words + " 2>'" + (corpus.folder / "err").string() + "'";
  EXPECT_NE(std::system(("bash -c \"" + command + "\"").c_str()), 0);
  EXPECT_THAT(contents_of(corpus.folder / "err"), HasSubstr("cannot be written"));
  EXPECT_EQ(contents_of(run / "last.safetensors"), before);
}

TEST(Training, TakesOddVideosAsTheyAre) {
  const SmallCorpus corpus({.videos = 3, .rows = 1});  // one-row features
  nlohmann::ordered_json annotations;
  annotations["v_0"] = {{"duration", 10.0},  // no length, no known words
                        {"timestamps", {{2.0, 2.0}, {0.0, 10.0}}},
                        {"sentences", {"???", "zzz zzz"}}};
  annotations["v_1"] = SmallCorpus({.events = 9}).annotation(1);  // more events than queries
  annotations["v_1"]["duration"] = 60.0;
  annotations["v_2"] = {{"duration", 5.0},
                        {"timestamps", nlohmann::ordered_json::array()},
                        {"sentences", nlohmann::ordered_json::array()}};
  corpus.write_annotations(annotations);
  const TrainResult result = train(corpus, corpus.folder / "run", {"epoch=2", "--min-count", "3"});
  EXPECT_EQ(result.code, 0) << result.err;
}

}  // namespace pdvc
