#include "data/feature_origin.h"

#include <gtest/gtest.h>

#include "support/files.h"

namespace pdvc {
namespace {

Settings settings_with(const std::string& type, const std::filesystem::path& folder) {
  Settings settings;
  settings.model.feature_types = {type};
  settings.files.feature_folders = {folder};
  return settings;
}

}  // namespace

TEST(FeatureOrigin, IsWhatTheFolderSays) {
  const TemporaryFolder folder;
  EXPECT_FALSE(origin_of(folder.path()));
  Backbone scores = *known_backbone("i3d");
  scores.output = "scores";
  scores.width = 400;
  write_origin(folder.path(), scores);
  EXPECT_EQ(backbone_json(origin_of(folder.path())), backbone_json(scores));
  check_made_by(folder.path(), scores);
  EXPECT_NE(error_of([&] {
              check_made_by(folder.path(), *known_backbone("i3d"));
            }).find("these are features of"),
            std::string::npos);
}

TEST(FeatureOrigin, GivesAModelItsBackboneUnlessTheSettingsNameAnother) {
  const TemporaryFolder folder;
  EXPECT_EQ(backbone_of_features(settings_with("tsp", folder.path()))->name, "r2plus1d_34");
  Backbone small = *known_backbone("r2plus1d_18");
  write_origin(folder.path(), small);
  EXPECT_EQ(backbone_of_features(settings_with("mine", folder.path()))->name, "r2plus1d_18");
  EXPECT_EQ(error_of([&] { backbone_of_features(settings_with("tsp", folder.path())); }),
            (folder / "backbone.json").string() +
                ": these are features of r2plus1d_18 (expected r2plus1d_34, as "
                "visual_feature_type says)");
}

TEST(FeatureOrigin, RefusesRatesThatCannotBeSampled) {
  const TemporaryFolder folder;
  for (const char* rate : {"0", "1e-9", "1e9", "-15", "\"fast\""}) {
    folder.write("backbone.json",
                 std::string(R"({"name": "i3d", "frames_per_second": )") + rate + "}");
    EXPECT_NE(error_of([&] {
                origin_of(folder.path());
              }).find("frames_per_second: expected null or a number from 0.001 to 1000, got "),
              std::string::npos)
        << rate;
  }
}

}  // namespace pdvc
