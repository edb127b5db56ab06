#include "shapes/corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/json.h"
#include "base/mapped_file.h"
#include "base/printable.h"
#include "data/annotations.h"
#include "data/paragraphs.h"
#include "shapes/grammar.h"
#include "shapes/random.h"
#include "shapes/renderer.h"
#include "shapes/script.h"
#include "video/writer.h"

namespace pdvc {
namespace {

constexpr std::array<std::string_view, 3> kSplits{"train", "val", "test"};

SplitShare parse_share(std::string_view text) {
  const size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  const std::string_view value =
      equals == std::string_view::npos ? std::string_view() : text.substr(equals + 1);
  SplitShare result{.name = std::string(name)};
  const auto [end, error] = std::from_chars(value.begin(), value.end(), result.share);
  check(std::ranges::find(kSplits, name) != kSplits.end() && error == std::errc() &&
            end == value.end() && result.share >= 0 && result.share <= 1,
        "expected train, val or test with a share of 0 to 1, such as train=0.8, got \"",
        printable(text), "\"");
  return result;
}

// Seconds, to a hundredth, as published annotations have them.
double seconds_of(int frame, int frames_per_second) {
  const int hundredths = (frame * 100 + frames_per_second / 2) / frames_per_second;
  return hundredths / 100.0;
}

std::string paragraph_of(const VideoEvents& video) {
  std::string text;
  for (const Event& event : video.events) text += (text.empty() ? "" : " ") + event.sentence;
  return text;
}

void write_split(const std::filesystem::path& folder, const std::string& name,
                 const std::vector<VideoEvents>& videos) {
  std::vector<VideoParagraph> paragraphs;
  for (const VideoEvents& video : videos) paragraphs.push_back({video.video, paragraph_of(video)});
  write_file(folder / (name + ".json"), annotations_text(videos));
  write_file(folder / (name + "_paragraphs.json"), paragraphs_text(paragraphs));
}

}  // namespace

bool is_shapes_film(std::string_view comment) {
  return comment == kShapesTag || comment.starts_with(std::string(kShapesTag) + " ");
}

std::vector<SplitShare> parse_split(std::string_view text) {
  std::vector<SplitShare> splits;
  double sum = 0;
  for (size_t start = 0; start <= text.size();) {
    const size_t end = std::min(text.find(',', start), text.size());
    splits.push_back(parse_share(text.substr(start, end - start)));
    check(std::ranges::count(splits, splits.back().name, &SplitShare::name) == 1, "\"",
          splits.back().name, "\" stands in it twice");
    sum += splits.back().share;
    start = end + 1;
  }
  check(std::abs(sum - 1) < 1e-6, "the shares add up to ", sum, " (expected 1)");
  return splits;
}

std::vector<FilmPlan> plan_films(int64_t videos, uint64_t seed,
                                 std::span<const SplitShare> splits) {
  std::vector<FilmPlan> films;
  double share = 0;
  int64_t planned = 0;
  for (const SplitShare& split : splits) {
    share += split.share;
    const int64_t until = std::llround(share * static_cast<double>(videos));
    const auto code =
        static_cast<uint64_t>(std::ranges::find(kSplits, split.name) - kSplits.begin());
    for (int64_t i = 0; i < until - planned; ++i)
      films.push_back({.name = fmt::format("shapes{}_{}_{:05}", seed, split.name, i),
                       .split = split.name,
                       .kind = split.name == "train" ? FilmKind::training : FilmKind::testing,
                       .seed = Random(seed).branch(code).branch(static_cast<uint64_t>(i)).next()});
    planned = until;
  }
  return films;
}

Scene scene_of(const FilmPlan& film) { return make_scene(Random(film.seed).branch(0), film.kind); }

VideoEvents events_of(const FilmPlan& film, const Scene& scene, Wording wording) {
  const Random random = Random(film.seed).branch(wording == Wording::first ? 1 : 2);
  const std::vector<std::string> sentences = sentences_of(scene, random);
  VideoEvents video{.video = film.name,
                    .duration = seconds_of(scene.frames, scene.frames_per_second)};
  for (size_t i = 0; i < sentences.size(); ++i) {
    const FrameSpan& frames = scene.happenings[i].frames;
    video.events.push_back({.segment = {seconds_of(frames.first, scene.frames_per_second),
                                        seconds_of(frames.end, scene.frames_per_second)},
                            .sentence = sentences[i]});
  }
  return video;
}

void write_film(const Scene& scene, const std::filesystem::path& path) {
  const Renderer renderer(scene);
  const auto film = open_film(path, {.width = scene.width,
                                     .height = scene.height,
                                     .frames_per_second = scene.frames_per_second,
                                     .comment = join_text(kShapesTag, " ", kShapesVersion)});
  std::vector<uint8_t> rgb(renderer.frame_bytes());
  for (int frame = 0; frame < scene.frames; ++frame) {
    check_interrupt();
    renderer.draw(frame, rgb);
    film->write(rgb);
  }
  film->finish();
}

void write_annotations(const std::filesystem::path& folder, std::span<const FilmPlan> films) {
  std::map<std::string, std::vector<VideoEvents>> first, second;
  for (const FilmPlan& film : films) {
    const Scene scene = scene_of(film);
    first[film.split].push_back(events_of(film, scene, Wording::first));
    second[film.split].push_back(events_of(film, scene, Wording::paraphrase));
  }
  for (const auto& [split, videos] : first) write_split(folder, split, videos);
  for (const auto& [split, videos] : second) write_split(folder, split + "_paraphrase", videos);
}

void claim_folder(const std::filesystem::path& folder, uint64_t seed) {
  std::filesystem::create_directories(folder);
  const auto note = folder / "corpus.json";
  const Json own = {{"made_by", kShapesTag}, {"version", kShapesVersion}, {"seed", seed}};
  if (!std::filesystem::exists(note)) {
    write_file(note, json_text(own) + "\n");
    return;
  }
  const MappedFile file(note);
  const Json found = parse_json(as_text(file.bytes()), note.string());
  check(found == own, note, ": the folder holds another corpus, ", json_excerpt(found),
        " (expected ", json_text(own), "); choose another folder");
}

}  // namespace pdvc
