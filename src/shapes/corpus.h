// A corpus of films of shapes: which there are, what is said of them, and the files they make.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "event/event.h"
#include "shapes/scene.h"
#include "shapes/split.h"

namespace pdvc {

// Raised whenever the same seed gives other films or sentences.
constexpr int kShapesVersion = 1;
// What the films' metadata say, with the version behind it.
constexpr std::string_view kShapesTag = "pdvc-shapes";

// Whether a film's comment says that it was made here.
bool is_shapes_film(std::string_view comment);

struct SplitShare {
  std::string name;  // train, val or test
  double share = 0;
};
// "train=0.8,val=0.2"; the shares add up to 1.
std::vector<SplitShare> parse_split(std::string_view text);

struct FilmPlan {
  std::string name;
  std::string split;
  FilmKind kind = FilmKind::training;
  uint64_t seed = 0;  // of the film
};
// A film depends on the corpus's seed, its split and its place there: more videos only add films.
std::vector<FilmPlan> plan_films(int64_t videos, uint64_t seed, std::span<const SplitShare> splits);

enum class Wording { first, paraphrase };

Scene scene_of(const FilmPlan& film);
// Its events with sentences; two wordings are independent of each other.
VideoEvents events_of(const FilmPlan& film, const Scene& scene, Wording wording);

// Encodes the film; it is there whole or not at all.
void write_film(const Scene& scene, const std::filesystem::path& path);

// SPLIT.json and SPLIT_paraphrase.json, and the same as paragraphs.
void write_annotations(const std::filesystem::path& folder, std::span<const FilmPlan> films);

// Notes the seed in the folder; throws when it holds films of another corpus.
void claim_folder(const std::filesystem::path& folder, uint64_t seed);

}  // namespace pdvc
