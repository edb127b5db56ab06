// pdvc shapes: a corpus of captioned films, made on the spot.
#include <memory>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/parallel.h"
#include "command.h"
#include "shapes/corpus.h"

namespace pdvc {
namespace {

struct ShapesOptions {
  std::string out;
  int64_t videos = 0, seed = 0;
  std::string split = "train=0.8,val=0.2";
};

void fields(ShapesOptions& o, FieldList& visit) {
  visit("out", o.out, "folder for films and annotations; finished films in it are kept")
      .letter('o')
      .required()
      .placeholder("DIR");
  visit("videos", o.videos, "how many films").within(1, 1e6).required().placeholder("N");
  visit("seed", o.seed, "same seed, same films").within(0, 4294967295.0).placeholder("S");
  visit("split", o.split, "shares of train, val and test (default: train=0.8,val=0.2)")
      .placeholder("LIST");
}

std::vector<SplitShare> split_of(const ShapesOptions& options) try {
  return parse_split(options.split);
} catch (const Error& error) {
  throw UsageError(std::string("--split: ") + error.what());
}

int run(const ShapesOptions& options, Session& session) {
  const auto seed = static_cast<uint64_t>(options.seed);
  const std::vector<FilmPlan> films = plan_films(options.videos, seed, split_of(options));
  const std::filesystem::path folder = options.out;
  claim_folder(folder, seed);
  std::filesystem::create_directories(folder / "videos");
  Progress progress(session.log, session.progress, "shapes", static_cast<int64_t>(films.size()));
  parallel_for(session.threads, static_cast<int64_t>(films.size()), [&](int64_t i) {
    check_interrupt();
    const FilmPlan& film = films[static_cast<size_t>(i)];
    const auto path = folder / "videos" / (film.name + ".mp4");
    if (!std::filesystem::exists(path)) write_film(scene_of(film), path);
    progress.advance();
  });
  write_annotations(folder, films);
  return 0;
}

}  // namespace

Command shapes_command() {
  auto options = std::make_shared<ShapesOptions>();
  return {.name = "shapes",
          .summary = "make a corpus of captioned films in which coloured shapes move",
          .examples =
              "  pdvc shapes -o corpus --videos 1000 --seed 1\n"
              "  pdvc shapes -o few --videos 3 --seed 7 --split val=1",
          .options = fields_of(*options),
          .run = [options](Session& session) { return run(*options, session); }};
}

}  // namespace pdvc
