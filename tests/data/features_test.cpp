#include "data/features.h"

#include <gmock/gmock.h>

#include <limits>

#include "data/resample.h"
#include "support/files.h"

namespace pdvc {
namespace {

using testing::ElementsAre;

Array rows_of(const std::vector<float>& values, int64_t width) {
  Array array(DType::f32, {static_cast<int64_t>(values.size()) / width, width});
  std::ranges::copy(values, array.floats().begin());
  return array;
}

std::string refusal(const std::filesystem::path& path) {
  RecordingLog log;
  const std::string message = error_of([&] { read_feature_file(path, log); });
  EXPECT_TRUE(message.starts_with(path.string() + ": ")) << message;
  return message.substr(std::min(message.size(), path.string().size() + 2));
}

}  // namespace

TEST(Features, AreFoundWithAndWithoutThePrefix) {
  const TemporaryFolder folder;
  folder.write("v_a.npy", float_npy({1, 2}, {1, 2}));
  folder.write("b.npy", float_npy({1, 2}, {3, 4}));
  RecordingLog log;
  const FeatureSource source({{folder.path(), ""}});
  for (const char* name : {"a", "v_a"})
    EXPECT_THAT(source.read(name, log).at(0).floats(), ElementsAre(1, 2));
  for (const char* name : {"b", "v_b"})
    EXPECT_THAT(source.read(name, log).at(0).floats(), ElementsAre(3, 4));
}

TEST(Features, OfSeveralStreamsKeepTheirOrder) {
  const TemporaryFolder folder;
  folder.write("v_a_resnet.npy", float_npy({1, 2}, {1, 2}));
  folder.write("v_a_bn.npy", float_npy({1, 1}, {9}));
  RecordingLog log;
  const FeatureSource source(streams_from({folder.path().string()}, {"resnet", "bn"}));
  const auto streams = source.read("v_a", log);
  ASSERT_EQ(streams.size(), 2);
  EXPECT_THAT(streams[1].floats(), ElementsAre(9));
}

TEST(Features, ComeFromHdf5Too) {
  PDVC_NEEDS_SHARED("data/features/tsp_five_videos.h5");
  const auto path = shared_file("data/features/tsp_five_videos.h5");
  RecordingLog log;
  const FeatureSource source({{path, ""}});
  const std::string name = Hdf5File(path).contents().data_sets.at(0).name;
  const std::string other = name.starts_with("v_") ? name.substr(2) : "v_" + name;
  EXPECT_EQ(source.read(other, log).at(0).shape().at(1), 512);
  EXPECT_FALSE(source.contains("v_nowhere"));
}

TEST(Features, AreRefusedWhenTheyAreNotFeatures) {
  const TemporaryFolder folder;
  EXPECT_EQ(refusal(folder / "none.npy"), "no such file");
  EXPECT_EQ(refusal(folder.path()), "is a folder (expected a file)");
  EXPECT_EQ(refusal(folder.write("empty.npy", "")), "is empty");
  EXPECT_EQ(refusal(folder.write("text.npy", "this is not an array")), "is not a .npy file");
  EXPECT_EQ(refusal(folder.write("text.npz", "this is not an array")),
            "is not a .npz file (expected a zip archive)");
  EXPECT_EQ(refusal(folder.write("cut.npy", float_npy({4, 2}, {1, 2, 3}))),
            "is cut short ([4, 2] float32 needs 32 bytes of data, got 12)");
  EXPECT_EQ(refusal(folder.write("deep.npy", float_npy({1, 1, 2}, {1, 2}))),
            "expected [rows, channels], got 3 dimensions [1, 1, 2]");
  EXPECT_EQ(refusal(folder.write(
                "int.npy", npy_bytes("{'descr': '<i8', 'fortran_order': False, 'shape': (1, 1)}",
                                     "12345678"))),
            "expected floating point features, got int64");
  EXPECT_EQ(refusal(folder.write("none.npy", float_npy({0, 500}, {}))),
            "holds no features, shape [0, 500]");
}

TEST(Features, ThatAreNotFiniteAreClearedAndCounted) {
  const TemporaryFolder folder;
  const float nan = std::numeric_limits<float>::quiet_NaN(),
              infinity = std::numeric_limits<float>::infinity();
  const auto path = folder.write("a.npy", float_npy({2, 2}, {1, nan, -infinity, 4}));
  RecordingLog log;
  EXPECT_THAT(read_feature_file(path, log).floats(), ElementsAre(1, 0, 0, 4));
  EXPECT_EQ(log.str(), "test: warning: " + path.string() +
                           ": 2 of 4 values are NaN or infinite and were set to 0\n");
}

TEST(Features, OfMissingVideosAreReportedTogether) {
  const TemporaryFolder folder;
  folder.write("v_a.npy", float_npy({1, 1}, {1}));
  const FeatureSource source({{folder.path(), ""}});
  const auto coverage =
      coverage_of(source, {"v_1", "v_a", "v_2", "v_3", "v_4", "v_5", "v_6", "v_7"});
  EXPECT_THAT(coverage.found, ElementsAre("v_a"));
  RecordingLog log;
  report_missing(coverage.missing, 8, log);
  EXPECT_EQ(log.str(),
            "test: warning: 7 of 8 videos have no features: v_1, v_2, v_3, v_4, v_5 and 2 more\n");
  report_missing({}, 8, log);
  EXPECT_EQ(error_of([&] { source.read("v_1", log); }),
            folder.path().string() + ": has no features of v_1 (expected v_1.npy or .npz)");
}

TEST(Features, CannotBeReachedThroughAVideosName) {
  const TemporaryFolder folder;
  const FeatureSource source({{folder.path(), ""}});
  EXPECT_EQ(error_of([&] { source.contains("../../etc/passwd"); }),
            "\"../../etc/passwd\" cannot be the name of a video (expected a plain file name)");
}

TEST(Features, OfANameTooLongForAFileAreMissing) {
  const TemporaryFolder folder;
  EXPECT_FALSE(FeatureSource({{folder.path(), ""}}).contains(std::string(300, 'v')));
}

TEST(Features, NeedAFolderOrHdf5) {
  const TemporaryFolder folder;
  EXPECT_EQ(error_of([&] {
              FeatureSource source({{folder / "gone", ""}});
            }),
            (folder / "gone").string() + ": no such folder or file of features");
  const auto file = folder.write("a.txt", "x");
  EXPECT_EQ(error_of([&] {
              FeatureSource source({{file, ""}});
            }),
            file.string() + ": expected a folder or an .h5 file of features");
  EXPECT_EQ(error_of([] {
              streams_from({"a", "b"}, {"x", "y", "z"});
            }),
            "visual_feature_folder: 2 folders for 3 feature types (expected one, or one each)");
}

TEST(Features, StreamsAreNamedWithASuffix) {
  EXPECT_EQ(parse_stream("feats").suffix, "");
  EXPECT_EQ(parse_stream("feats:_rgb").suffix, "_rgb");
  EXPECT_EQ(parse_stream("feats:_rgb").where, "feats");
}

// Positions i * 3 / 4 for four rows to five: 0, 0.75, 1.5, 2.25, 3; a half goes down.
TEST(Resample, TakesTheNearestRowHalfDown) {
  EXPECT_THAT(resampled(rows_of({10, 20, 30, 40}, 1), 5).floats(), ElementsAre(10, 20, 20, 30, 40));
  EXPECT_THAT(resampled(rows_of({10, 20, 30, 40, 50}, 1), 3).floats(), ElementsAre(10, 30, 50));
}

TEST(Resample, RepeatsASingleRow) {
  EXPECT_THAT(resampled(rows_of({1, 2}, 2), 3).floats(), ElementsAre(1, 2, 1, 2, 1, 2));
}

TEST(Resample, JoinsStreamsSideBySide) {
  std::vector<Array> streams;
  streams.push_back(rows_of({1, 2, 3}, 1));
  streams.push_back(rows_of({10, 11, 20, 21}, 2));
  const Array joined = joined_streams(streams, 3, "v_a");
  EXPECT_THAT(joined.shape(), ElementsAre(3, 3));
  EXPECT_THAT(joined.floats(), ElementsAre(1, 10, 11, 2, 10, 11, 3, 20, 21));
  EXPECT_EQ(
      error_of([&] { joined_streams(streams, 0, "v_a"); }),
      "v_a: its feature streams have 3 and 2 rows (expected equally many without data_rescale)");
}

}  // namespace pdvc
