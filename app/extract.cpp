// pdvc extract: features of videos, into files.
#include <algorithm>
#include <atomic>
#include <fstream>
#include <memory>
#include <set>

#include "attempt.h"
#include "base/data_files.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/parallel.h"
#include "base/printable.h"
#include "command.h"
#include "feature_store.h"
#include "video/backbones.h"
#include "video/extraction.h"
#include "video/probe.h"
#include "video_files.h"

namespace pdvc {
namespace {

struct ExtractOptions {
  std::vector<std::string> videos;
  std::string backbone, weights;
  std::string output = "features";
  std::string out;
  std::string format = "npy";
};

void fields(ExtractOptions& o, FieldList& visit) {
  visit("video", o.videos, "video files, folders of them, or - for standard input")
      .positional()
      .required();
  visit("backbone", o.backbone, "what makes features of frames")
      .required()
      .one_of(backbone_names());
  visit("weights", o.weights, "of the backbone; default: what pdvc fetch has put into the cache")
      .placeholder("FILE");
  visit("output", o.output, "features, or scores of the classes that it was trained on")
      .one_of({"features", "scores"});
  visit("out", o.out, "folder to write into; finished videos in it are skipped")
      .letter('o')
      .placeholder("DIR")
      .required();
  visit("format", o.format, "a .npy file for each video, or features.h5 with a data set for each")
      .one_of({"npy", "h5"});
}

// What a run is to do, and how long its videos are: the measure of its progress.
struct Work {
  std::vector<VideoFile> videos;
  double seconds = 0;
  size_t failed = 0;  // inputs that could not be opened; reported
};

double expected_seconds(const VideoFile& video) try {
  if (video.path == "-") return 0;
  return probe_video(video.path).duration.value_or(0);
} catch (const Error&) {
  return 0;  // said when its turn comes
}

Work unfinished_work(const ExtractOptions& options, const FeatureStore& store, Session& session) {
  Work work;
  std::set<std::string> names;
  size_t skipped = 0;
  std::vector<VideoFile> named;
  for (const std::string& input : options.videos)
    work.failed += !attempt(input, session.log, [&] {
      auto found = video_files_in(input);
      std::ranges::move(found, std::back_inserter(named));
    });
  for (VideoFile& video : named) {
    check(names.insert(video.name).second, printable(video.name),
          ": is named twice among the videos");
    if (store.has(video.name)) {
      ++skipped;
      continue;
    }
    work.seconds += expected_seconds(video);
    work.videos.push_back(std::move(video));
  }
  if (skipped > 0) session.log.info(join_text(skipped, " videos are finished already"));
  return work;
}

std::vector<std::string> class_names(std::string_view file) {
  std::ifstream in(data_file(std::string(file)));
  std::vector<std::string> names;
  for (std::string line; std::getline(in, line);) names.push_back(line);
  return names;
}

// The class that stands out in the whole video.
std::string best_class(const Array& scores, const std::vector<std::string>& names) {
  const auto width = static_cast<size_t>(scores.shape()[1]);
  std::vector<double> sums(width, 0.0);
  for (size_t i = 0; i < scores.floats().size(); ++i)
    sums[i % width] += static_cast<double>(scores.floats()[i]);
  const auto best = static_cast<size_t>(std::ranges::max_element(sums) - sums.begin());
  return best < names.size() ? names[best] : "class " + std::to_string(best);
}

class Extraction {
 public:
  Extraction(const ExtractOptions& options, EncoderPool& encoders, FeatureStore& store,
             Session& session)
      : encoders_(encoders), store_(store), session_(session) {
    if (options.output == "scores") classes_ = class_names(backbone_kind(options.backbone).classes);
  }

  // Whether all of it could be done.
  bool run(const Work& work) {
    Progress progress(session_.log, session_.progress, "seconds of video",
                      static_cast<int64_t>(work.seconds));
    std::atomic<size_t> failed = work.failed;
    parallel_for(session_.threads, static_cast<int64_t>(work.videos.size()), [&](int64_t i) {
      check_interrupt();
      const VideoFile& video = work.videos[static_cast<size_t>(i)];
      failed += !attempt(video.name, session_.log, [&] { extract(video, progress); });
    });
    progress.finish();
    const size_t all = work.videos.size() + work.failed;
    if (failed > 0 && all > 1)
      session_.log.error(join_text(failed.load(), " of ", all, " videos failed"));
    return failed == 0;
  }

 private:
  void extract(const VideoFile& video, Progress& progress) {
    double rest = 0;  // of a second
    const auto advanced = [&](double seconds) {
      rest += seconds;
      const auto whole = static_cast<int64_t>(rest);
      progress.advance(whole);
      rest -= static_cast<double>(whole);
    };
    const EncoderPool::Lease encoder = encoders_.take();
    const VideoFeatures features = features_of_video(
        video.path, *encoder, {.threads = encoder.share_of(session_.threads), .advanced = advanced},
        session_.log);
    store_.add(video.name, features.rows);
    const std::string found = classes_.empty() ? "" : ": " + best_class(features.rows, classes_);
    session_.log.info(join_text(video.name, ": ", features.rows.shape()[0], " rows of ",
                                features.rows.shape()[1], found));
  }

  EncoderPool& encoders_;
  FeatureStore& store_;
  Session& session_;
  std::vector<std::string> classes_;
};

int run(const ExtractOptions& options, Session& session) {
  const auto encoders = pool_of(options.backbone, options.weights,
                                {.output = options.output, .threads = session.threads});
  FeatureStore store(options.out, options.format == "h5" ? FeatureFormat::hdf5 : FeatureFormat::npy,
                     (*encoders->take()).description());
  const Work work = unfinished_work(options, store, session);
  const bool complete = Extraction(options, *encoders, store, session).run(work);
  store.finish();
  return complete ? 0 : 1;
}

}  // namespace

Command extract_command() {
  auto options = std::make_shared<ExtractOptions>();
  return {.name = "extract",
          .summary = "turn videos into features",
          .examples =
              "  pdvc extract talk.mp4 --backbone i3d -o features/\n"
              "  pdvc extract videos/ --backbone r2plus1d_34 --weights tsp.pth -o features/ "
              "--format h5",
          .options = fields_of(*options),
          .run = [options](Session& session) { return run(*options, session); }};
}

}  // namespace pdvc
