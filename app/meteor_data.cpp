// pdvc meteor-data: METEOR's data from files already at hand, where no registry can be reached.
#include <memory>

#include "base/cache.h"
#include "command.h"
#include "evaluation/meteor_data_writer.h"
#include "evaluation/meteor_layout.h"

namespace pdvc {
namespace {

struct MeteorDataOptions {
  std::string source, output;
};

void fields(MeteorDataOptions& o, FieldList& visit) {
  visit("source", o.source,
        "the wheel of pycocoevalcap 1.2, or a folder with meteor-1.5.jar and paraphrase-en.gz")
      .positional()
      .required();
  visit("output", o.output, "file to write; default: meteor-1.5.bin in the cache")
      .letter('o')
      .placeholder("FILE");
}

int run(const MeteorDataOptions& options, Session& session) {
  std::filesystem::path target = options.output;
  if (target.empty()) {
    target = cache_folder() / kMeteorFileName;
    std::filesystem::create_directories(target.parent_path());
  }
  write_meteor_data(options.source, target, session.log, session.progress);
  session.log.info("wrote " + target.string());
  return 0;
}

}  // namespace

Command meteor_data_command() {
  auto options = std::make_shared<MeteorDataOptions>();
  return {.name = "meteor-data",
          .summary = "make METEOR's data from files already downloaded",
          .examples =
              "  pdvc meteor-data pycocoevalcap-1.2-py3-none-any.whl\n"
              "  pdvc meteor-data pycocoevalcap/meteor -o meteor-1.5.bin",
          .options = fields_of(*options),
          .run = [options](Session& session) { return run(*options, session); }};
}

}  // namespace pdvc
