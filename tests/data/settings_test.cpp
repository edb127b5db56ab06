#include "data/settings.h"

#include <gmock/gmock.h>

#include "base/settings_file.h"
#include "support/files.h"

namespace pdvc {
namespace {

std::filesystem::path config(const std::string& name) {
  return std::filesystem::path(PDVC_SOURCE) / "configs" / (name + ".yml");
}

// Keys whose value differs between what a run recorded and what our setting of that name gives.
std::vector<std::string> differences(const Json& options, const Json& ours) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : ours.items())
    if (options.contains(key) && options[key] != value) keys.push_back(key);
  return keys;
}

}  // namespace

TEST(PublishedSettings, AllEighteenAndOurOwnLoadWithoutAWarning) {
  int count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(PDVC_SOURCE) / "configs")) {
    RecordingLog log;
    load_settings(entry.path(), {}, log);
    EXPECT_EQ(log.str(), "") << entry.path();
    ++count;
  }
  EXPECT_EQ(count, 19);
}

TEST(PublishedSettings, DifferAsTheTableSays) {
  RecordingLog log;
  const Settings light = load_settings(config("anet_c3d_pdvcl"), {}, log);
  EXPECT_EQ(light.model.captioner, CaptionerKind::light);
  EXPECT_EQ(light.model.rank_weight, 0.3);
  EXPECT_EQ(light.training.events_per_video, 30);
  const Settings cooking = load_settings(config("yc2_tsn_pdvc"), {}, log);
  EXPECT_EQ(cooking.model.captioner, CaptionerKind::standard);
  EXPECT_EQ(cooking.model.queries, 100);
  EXPECT_EQ(cooking.model.frames, 200);
  EXPECT_EQ(cooking.model.max_events, 20);
  EXPECT_EQ(cooking.model.vocabulary_size, 1607);
  EXPECT_EQ(cooking.model.rank_weight, 1.0);
  EXPECT_EQ(cooking.training.events_per_video, 10);
  EXPECT_THAT(cooking.model.feature_types, testing::ElementsAre("resnet", "bn"));
  const Settings given = load_settings(config("yc2_tsn_pdvc_gt"), {}, log);
  EXPECT_EQ(given.model.query_source, QuerySource::gt_proposals);
  EXPECT_FALSE(given.model.refine_boxes);
  EXPECT_EQ(given.model.max_events, 10);
  EXPECT_EQ(given.matching.box_cost, 1e-4);
  EXPECT_EQ(given.losses.giou, 0);
  EXPECT_EQ(load_settings(config("anet_c3d_props"), {}, log).model.captioner, CaptionerKind::none);
}

// The golden runs recorded every option; ours of the same name must agree in all that is not a path
// or a test's own choice.
TEST(PublishedSettings, AgreeWithWhatTheOriginalRan) {
  PDVC_NEEDS_SHARED("golden/anet_c3d_pdvc/options.json");
  for (const auto& [run, name] : {std::pair{"anet_c3d_pdvc", "anet_c3d_pdvc"},
                                  {"anet_c3d_pdvcl", "anet_c3d_pdvcl"},
                                  {"anet_c3d_pdvc_gt", "anet_c3d_pdvc_gt"},
                                  {"formula/localisation", "anet_c3d_props"}}) {
    RecordingLog log;
    const auto recorded = shared_file(std::string("golden/") + run + "/options.json");
    const Settings theirs = load_settings(recorded, {}, log),
                   ours = load_settings(config(name), {}, log);
    EXPECT_EQ(log.str(), "");
    const auto keys = differences(model_file_settings(theirs), model_file_settings(ours));
    for (const std::string& key :
         keys)  // golden runs have dropout off; formula has a vocabulary of its own
      EXPECT_THAT(key, testing::AnyOf("drop_prob", "transformer_dropout_prob", "vocab_size",
                                      "num_queries", "frame_embedding_num"))
          << run;
  }
}

TEST(Settings, KnowEveryKeyOfARecordedRun) {
  RecordingLog log;
  load_settings(test_file("options.json"), {}, log);
  EXPECT_EQ(log.str(), "");
}

TEST(Settings, TakeOverridesFromTheCommandLine) {
  RecordingLog log;
  const Settings settings =
      load_settings(config("anet_c3d_pdvcl"), {"lr=1e-3", "hidden_dim=256"}, log);
  EXPECT_EQ(settings.training.learning_rate, 1e-3);
  EXPECT_EQ(settings.model.hidden, 256);
  EXPECT_EQ(error_of([&] { load_settings(config("anet_c3d_pdvcl"), {"lr=fast"}, log); }),
            "command line: lr: expected a number above 0, got \"fast\"");
}

TEST(Settings, RefusePublishedValuesThatAreNotSupported) {
  RecordingLog log;
  const TemporaryFolder folder;
  const auto file = folder.write("a.yml", "hidden_dim: 512\nnum_layers: 2\n");
  EXPECT_EQ(error_of([&] { load_settings(file, {}, log); }),
            file.string() + ": line 2: num_layers: expected 1, the only supported value, got 2");
}

TEST(Settings, RefuseWidthsThatDoNotFitTogether) {
  RecordingLog log;
  const TemporaryFolder folder;
  const auto refusal = [&](const std::string& yaml) {
    const auto file = folder.write("a.yml", yaml);
    return error_of([&] { load_settings(file, {}, log); }).substr(file.string().size() + 2);
  };
  EXPECT_EQ(
      refusal("hidden_dim: 96\nnheads: 5\n"),
      "hidden_dim 96 does not suit nheads 5 (expected a multiple of 32 and of twice the heads)");
  EXPECT_EQ(refusal("caption_decoder_type: standard\natt_hid_size: 0\n"),
            "att_hid_size: the standard captioner needs a width of at least 1");
  EXPECT_EQ(refusal("caption_decoder_type: standard\natt_hid_size: 8\ncap_num_feature_levels: 3\n"),
            "cap_num_feature_levels 3 differs from num_feature_levels 4");
}

TEST(Settings, OfCaptionSupervisionUseNoTimes) {
  RecordingLog log;
  const TemporaryFolder folder;
  const auto file = folder.write("a.yml", "supervision: captions\n");
  EXPECT_EQ(error_of([&] { load_settings(file, {}, log); }),
            file.string() +
                ": supervision captions needs set_cost_giou, set_cost_bbox, giou_loss_coef and "
                "bbox_loss_coef 0");
  EXPECT_EQ(load_settings(file, {"set_cost_giou=0", "giou_loss_coef=0"}, log).model.supervision,
            Supervision::captions);
}

TEST(Settings, SurviveAModelFile) {
  RecordingLog log;
  const Settings settings = load_settings(config("anet_tsp_pdvc"), {"padding=published"}, log);
  std::vector<SettingValue> assignments;
  const Json json = model_file_settings(settings);
  for (const auto& [key, value] : json.items()) assignments.push_back({key, value, "file"});
  EXPECT_EQ(model_file_settings(settings_from(assignments, "file", log)), json);
  EXPECT_FALSE(json.contains("train_caption_file"));
}

}  // namespace pdvc
