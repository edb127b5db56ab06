// How fast files are read: a folder of features against `cat`, a published-size checkpoint against
// a tenth of a second.
//
//   bench_reading [GIGABYTES of features, default 4]
#include <fmt/format.h>

#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/mapped_file.h"
#include "base/parallel.h"
#include "data/features.h"
#include "measure.h"
#include "output/description.h"
#include "tensor/checkpoint.h"
#include "tensor/checkpoint_writer.h"

namespace pdvc {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kRows = 1000, kChannels = 500;  // 2 MB a file, a long video's C3D features

class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = fs::temp_directory_path() / "pdvc-bench-XXXXXX";
    path = mkdtemp(name.data());
  }
  ~ScratchFolder() { fs::remove_all(path); }
  fs::path path;
};

// The value at a place of a file, so that what was read can be checked without keeping it.
float value_at(int64_t file, int64_t i) { return static_cast<float>((file * 31 + i) % 1000); }

fs::path feature_file(const fs::path& folder, int64_t index) {
  return folder / fmt::format("v_{:05}.npy", index);
}

void write_features(const fs::path& path, int64_t index) {
  std::string header = fmt::format(
      "{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", kRows, kChannels);
  header.resize(117, ' ');
  header += '\n';
  std::vector<float> values(kRows * kChannels);
  for (int64_t i = 0; i < kRows * kChannels; ++i)
    values[static_cast<size_t>(i)] = value_at(index, i);
  std::ofstream out(path, std::ios::binary);
  out.write("\x93NUMPY\x01\x00\x76\x00", 10) << header;
  out.write(reinterpret_cast<const char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(float)));
}

void read_and_check(const fs::path& folder, int64_t index, Log& log) {
  const Array array = read_feature_file(feature_file(folder, index), log);
  for (const int64_t i : {int64_t{0}, kRows * kChannels / 2, kRows * kChannels - 1})
    check(array.floats()[static_cast<size_t>(i)] == value_at(index, i), "wrong value in file ",
          index);
}

void bench_features(double gigabytes, Log& log) {
  const ScratchFolder scratch;
  const auto files = static_cast<int64_t>(gigabytes * 1e9 / (kRows * kChannels * 4));
  for (int64_t i = 0; i < files; ++i) write_features(feature_file(scratch.path, i), i);
  for (int64_t i = 0; i < files; ++i) read_and_check(scratch.path, i, log);
  const std::string cat = "cat " + scratch.path.string() + "/*.npy >/dev/null";
  const int threads = available_threads();
  const auto seconds = best_seconds(
      3, {[&] { check(std::system(cat.c_str()) == 0, "cat failed"); },
          [&] {
            for (int64_t i = 0; i < files; ++i) read_and_check(scratch.path, i, log);
          },
          [&] {
            parallel_for(threads, files, [&](int64_t i) { read_and_check(scratch.path, i, log); });
          }});
  fmt::print("{} files, {:.1f} GB of features, cached\n", files, gigabytes);
  fmt::print("  cat                  {:6.2f} GB/s\n", gigabytes / seconds[0]);
  fmt::print("  pdvc, 1 thread       {:6.2f} GB/s, {:.2f} of cat (limit 0.50)\n",
             gigabytes / seconds[1], seconds[0] / seconds[1]);
  fmt::print("  pdvc, {} threads      {:6.2f} GB/s, {:.2f} of cat\n", threads,
             gigabytes / seconds[2], seconds[0] / seconds[2]);
}

double anonymous_megabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("RssAnon:")) return std::atof(line.c_str() + 8) / 1024;
  return 0;
}

// As many tensors and bytes as a published standard model: 170 tensors, 89 MB.
void write_large_checkpoint(const fs::path& path) {
  std::deque<Array> arrays;
  std::vector<NamedView> tensors;
  for (int i = 0; i < 170; ++i) {
    Array& array = arrays.emplace_back(DType::f32, Shape{256, 512});
    for (size_t j = 0; j < array.floats().size(); ++j)
      array.floats()[j] = static_cast<float>(j % 97) - 48;
    tensors.push_back({fmt::format("layer.{}.weight", i), array.view()});
  }
  write_checkpoint(path, 0, tensors);
}

void bench_checkpoint(Log& log) {
  const ScratchFolder scratch;
  const fs::path path = scratch.path / "model.pth";
  write_large_checkpoint(path);
  check(to_doubles(*Checkpoint(path).find_tensor("model/layer.169.weight"))[96] == 48,
        "wrong value in the checkpoint");
  const Description description = describe_file(path, FileKind::checkpoint, {log});
  const double memory = anonymous_megabytes();
  const auto seconds = best_seconds(
      5, {[&] { check(Checkpoint(path).entries().size() == 171, "wrong number of entries"); },
          [&] {
            describe_file(path, FileKind::checkpoint,
                          {log, ProgressMode::silent, available_threads()});
          }});
  fmt::print("checkpoint of {:.0f} MB, cached\n", static_cast<double>(fs::file_size(path)) / 1e6);
  fmt::print("  open                 {:6.1f} ms (limit 100)\n", seconds[0] * 1e3);
  fmt::print("  info with statistics {:6.1f} ms\n", seconds[1] * 1e3);
  fmt::print("  own memory of info   {:6.1f} MB for {} tensors (limit 40)\n", memory,
             description["tensors"].size());
}

}  // namespace
}  // namespace pdvc

int main(int count, char** words) {
  pdvc::Log log(std::cerr, "bench_reading");
  try {
    pdvc::bench_checkpoint(log);  // first: it measures the memory of the process
    pdvc::bench_features(count > 1 ? std::atof(words[1]) : 4, log);
  } catch (const std::exception& error) {
    log.error(error.what());
    return 1;
  }
}
