// pdvc baselines: predictions that need no video, to compare a model with.
#include "data/baselines.h"

#include <memory>

#include "base/atomic_file.h"
#include "command.h"
#include "data/annotations.h"
#include "data/predictions.h"

namespace pdvc {
namespace {

struct BaselineOptions {
  std::string annotations, wanted, out;
};

void fields(BaselineOptions& o, FieldList& visit) {
  visit("annotations", o.annotations, "annotations to learn from").positional().required();
  visit("for", o.wanted, "annotations of the videos to predict").required().placeholder("FILE");
  visit("out", o.out, "folder for the prediction files").letter('o').required().placeholder("DIR");
}

int run(const BaselineOptions& options, Session& session) {
  const auto annotated = read_annotations(options.annotations, kTrainingData, session.log);
  const auto wanted = read_annotations(options.wanted, kReferences, session.log);
  const std::filesystem::path folder = options.out;
  std::filesystem::create_directories(folder);
  const auto write = [&](const char* name, std::vector<VideoEvents> videos) {
    write_file(folder / name, predictions_text({.videos = std::move(videos)}));
  };
  write("average_segments.json", average_events(annotated, wanted));
  write("given_segments.json", given_segments(annotated, wanted));
  write("references.json", wanted);
  return 0;
}

}  // namespace

Command baselines_command() {
  auto options = std::make_shared<BaselineOptions>();
  return {.name = "baselines",
          .summary = "write what can be predicted without looking, to compare a model with",
          .examples =
              "  pdvc baselines train.json --for val.json -o baselines\n"
              "  pdvc eval baselines/*.json --references val_1.json val_2.json",
          .options = fields_of(*options),
          .run = [options](Session& session) { return run(*options, session); }};
}

}  // namespace pdvc
