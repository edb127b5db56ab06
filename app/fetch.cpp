// pdvc fetch: data by package name, version and hash into the cache.
#include <memory>

#include "base/error.h"
#include "command.h"
#include "evaluation/meteor_data.h"
#include "evaluation/meteor_data_writer.h"
#include "package.h"

namespace pdvc {
namespace {

bool is_meteor_ready(const std::filesystem::path& file) try {
  MeteorData::open(file);
  return true;
} catch (const Error&) {
  return false;  // it is made again
}

void make_meteor(const std::filesystem::path& wheel, const std::filesystem::path& target,
                 Session& session) {
  write_meteor_data(wheel, target, session.log, session.progress);
}

std::vector<Package> packages() {
  return {{.name = "meteor",
           .about = "METEOR's word lists and paraphrases (104 MB to download, 41 MB kept)",
           .release = "pycocoevalcap==1.2",
           .sha256 = "083ed7910f1aec000b0a237ef6665f74edf19954204d0b1cbdb8399ed132228d",
           .result = kMeteorFileName,
           .is_ready = is_meteor_ready,
           .make = make_meteor}};
}

struct FetchOptions {
  std::string name;
};

void fields(FetchOptions& o, FieldList& visit) {
  std::vector<std::string> names;
  std::string help;
  for (const Package& package : packages()) {
    names.push_back(package.name);
    help += (help.empty() ? "" : "; ") + package.name + ": " + package.about;
  }
  visit("name", o.name, help.c_str()).positional().required().one_of(names);
}

int run(const FetchOptions& options, Session& session) {
  for (const Package& package : packages())
    if (package.name == options.name) fetch_package(package, session);
  return 0;
}

}  // namespace

Command fetch_command() {
  auto options = std::make_shared<FetchOptions>();
  return {.name = "fetch",
          .summary = "download data that scores and features need",
          .examples = "  pdvc fetch meteor",
          .options = fields_of(*options),
          .run = [options](Session& session) { return run(*options, session); }};
}

}  // namespace pdvc
