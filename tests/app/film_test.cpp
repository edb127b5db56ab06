// From a film to a page: shapes, extract, caption and baselines as a user meets them.
#include <gmock/gmock.h>

#include "data/annotations.h"
#include "data/predictions.h"
#include "support/models.h"
#include "support/program.h"
#include "tensor/npy.h"
#include "tensor/npy_writer.h"
#include "video/pixels.h"

namespace pdvc {
namespace {

using testing::HasSubstr;
using testing::Not;

// A film of shapes and a random model for it.
class FilmFiles {
 public:
  FilmFiles() {
    Settings settings = small_settings(CaptionerKind::light);
    settings.model.feature_width = kPixelsRow;
    write_small_checkpoint(folder_ / "a.pth", settings.model);
    folder_.write("a.yml", model_file_settings(settings).dump());
    folder_.write("v.json", R"(["a", "man", "runs", "fast", "UNK"])");
    expect_done({"convert", folder_ / "a.pth", model(), "--config", folder_ / "a.yml",
                 "--vocabulary", folder_ / "v.json", "--backbone", "pixels", "--note",
                 "knows only shapes"});
    expect_done(
        {"shapes", "-o", folder_ / "c", "--videos", "1", "--seed", "2", "--split", "val=1"});
  }

  static Result expect_done(const std::vector<std::string>& words) {
    Result result = run_pdvc(words);
    EXPECT_EQ(result.code, 0) << result.err;
    return result;
  }

  std::string model() const { return folder_ / "a.safetensors"; }
  std::string corpus() const { return folder_ / "c"; }
  std::string film() const { return corpus() + "/videos/shapes2_val_00000.mp4"; }
  std::string out(const std::string& name) const { return folder_ / name; }

 private:
  TemporaryFolder folder_;
};

}  // namespace

TEST(Films, BecomeRowsOfPixelsEveryEightFrames) {
  const FilmFiles files;
  FilmFiles::expect_done({"extract", files.film(), "--backbone", "pixels", "-o", files.out("f")});
  const Array rows = read_npy(files.out("f") + "/shapes2_val_00000.npy");
  EXPECT_EQ(rows.shape()[1], kPixelsRow);
  EXPECT_GE(rows.shape()[0], (20 * 15 - 16) / 8 + 1);
}

TEST(Films, AreCaptionedIntoAPageThatHoldsThem) {
  const FilmFiles files;
  const std::string page_file = files.out("page.html");
  const Result result =
      FilmFiles::expect_done({"caption", files.film(), "--model", files.model(), "-o", page_file});
  const std::string page = contents_of(page_file);
  EXPECT_THAT(page, HasSubstr("<video controls preload=\"metadata\" src=\"data:video/mp4;base64,"));
  EXPECT_THAT(page, HasSubstr("<h1>shapes2_val_00000</h1>"));
  EXPECT_THAT(result.err, Not(HasSubstr("knows only shapes"))) << "it is a film of shapes";
}

TEST(Films, OfOtherKindsMakeTheModelSayWhatItKnows) {
  PDVC_NEEDS_SHARED("data/video/sample_23976fps.mp4");
  const FilmFiles files;
  const Result result =
      FilmFiles::expect_done({"caption", shared_file("data/video/sample_23976fps.mp4"), "--model",
                              files.model(), "--format", "txt"});
  EXPECT_THAT(result.err, HasSubstr("note: knows only shapes"));
}

TEST(Films, OfShapesAreKnownOnStandardInputToo) {
  const FilmFiles files;
  const Result result = run_pdvc({"caption", "-", "--model", files.model(), "--format", "txt"},
                                 " < '" + files.film() + "' >/dev/null");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.err, Not(HasSubstr("knows only shapes")));
}

TEST(Films, AreCaptionedByTheModelThatShipsWhenNoneIsNamed) {
  const FilmFiles files;
  const std::string data = files.out("share");
  std::filesystem::create_directory(data);
  std::filesystem::copy(files.model(), data + "/shapes.safetensors");
  FilmFiles::expect_done(
      {"caption", files.film(), "--model", files.model(), "-o", files.out("named.json")});
  ASSERT_EQ(setenv("PDVC_DATA", data.c_str(), 1), 0);
  FilmFiles::expect_done({"caption", files.film(), "-o", files.out("default.json")});
  unsetenv("PDVC_DATA");
  EXPECT_EQ(contents_of(files.out("default.json")), contents_of(files.out("named.json")));
}

TEST(ShippedModel, FindsAndTellsTheEventsOfANewFilm) {
  const TemporaryFolder folder;
  FilmFiles::expect_done(
      {"shapes", "-o", folder / "c", "--videos", "1", "--seed", "2026", "--split", "val=1"});
  const Result result = FilmFiles::expect_done(
      {"caption", folder / "c/videos/shapes2026_val_00000.mp4", "-o", folder / "said.json"});
  EXPECT_EQ(result.err, "") << "a film of shapes needs no note";
  RecordingLog log;
  const auto truth = read_annotations(folder / "c/val.json", kReferences, log);
  const auto said = read_predictions(folder / "said.json").videos.at(0).events;
  int found = 0, told = 0;
  for (const Event& event : truth.at(0).events) {
    const auto near = std::ranges::find_if(
        said, [&](const Event& other) { return iou(other.segment, event.segment) > 0.5; });
    found += near != said.end();
    for (const char* colour : {"red", "green"})
      told += near != said.end() && event.sentence.find(colour) != std::string::npos &&
              near->sentence.find(colour) != std::string::npos;
  }
  EXPECT_GE(found, 4) << "of " << truth.at(0).events.size();
  EXPECT_GE(told, 3) << "colours of the four events that have one";
}

TEST(ShippedModel, SaysWhatItKnowsWhenItIsShownAnythingElse) {
  const TemporaryFolder folder;
  Array rows(DType::f32, {40, kPixelsRow});
  std::ranges::fill(rows.floats(), 0.0f);
  write_npy(folder / "talk.npy", rows.view());
  const Result result = FilmFiles::expect_done({"caption", folder / "talk.npy"});
  EXPECT_THAT(result.err, HasSubstr("pdvc: note: This small model only knows"));
  EXPECT_THAT(result.err, HasSubstr("--model FILE"));
}

TEST(Films, GiveTheSameSeveralAtOnceAsOneByOne) {
  const FilmFiles files;
  const std::string corpus = files.out("several"), films = corpus + "/videos";
  FilmFiles::expect_done(
      {"shapes", "-o", corpus, "--videos", "4", "--seed", "3", "--split", "val=1"});
  for (const char* threads : {"1", "4"}) {
    FilmFiles::expect_done({"extract", films, "--backbone", "pixels", "-o",
                            files.out(std::string("f") + threads), "--threads", threads});
    FilmFiles::expect_done({"caption", films, "--model", files.model(), "-o",
                            files.out(std::string("c") + threads + ".json"), "--threads", threads});
  }
  for (const auto& entry : std::filesystem::directory_iterator(files.out("f1")))
    EXPECT_EQ(contents_of(entry.path()),
              contents_of(files.out("f4") + "/" + entry.path().filename().string()));
  EXPECT_EQ(contents_of(files.out("c1.json")), contents_of(files.out("c4.json")));
}

TEST(Films, ThatAreMissingAreReportedAndTheOthersCaptioned) {
  const FilmFiles files;
  const Result result = run_pdvc(
      {"caption", "no.mp4", files.film(), "--model", files.model(), "-o", files.out("said.json")});
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.err, "pdvc: no.mp4: no such file\n");
  EXPECT_EQ(read_predictions(files.out("said.json")).videos.size(), 1);
}

TEST(BaselinesCommand, WritesThreeFilesOfPredictions) {
  const FilmFiles files;
  const std::string annotations = files.corpus() + "/val.json";
  FilmFiles::expect_done({"baselines", annotations, "--for", annotations, "-o", files.out("b")});
  const auto given = read_predictions(files.out("b") + "/given_segments.json");
  const auto references = read_predictions(files.out("b") + "/references.json");
  const auto average = read_predictions(files.out("b") + "/average_segments.json");
  ASSERT_EQ(given.videos.size(), 1);
  EXPECT_EQ(given.videos[0].events.size(), references.videos[0].events.size());
  EXPECT_EQ(average.videos[0].events.size(), references.videos[0].events.size());
  EXPECT_EQ(given.videos[0].events[0].sentence, given.videos[0].events[1].sentence);
}

}  // namespace pdvc
