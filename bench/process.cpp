// `pdvc caption` on one feature file, from start to exit: against packing and one video measured in
// this program, its memory against the weights, and two of them at once.
//
//   bench_process PDVC      the program to run; default: the one beside this one's folder
#include "base/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <deque>
#include <filesystem>
#include <iostream>

#include "base/error.h"
#include "base/parallel.h"
#include "measure.h"
#include "runtime/engine.h"
#include "support/random_source.h"
#include "tensor/npy_writer.h"

extern char** environ;

namespace pdvc {
namespace {

namespace fs = std::filesystem;

// A published model's size, in files.
class Files {
 public:
  // In a process of its own: what this one has held would count as the memory of those it starts.
  Files() : folder_(fs::temp_directory_path() / fmt::format("pdvc-bench-{}", getpid())) {
    fs::create_directory(folder_);
    const pid_t writer = fork();
    if (writer == 0) {
      write();
      _exit(0);
    }
    int status = 0;
    waitpid(writer, &status, 0);
    check(status == 0, folder_.string(), ": cannot be written");
  }
  ~Files() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

  std::string model() const { return folder_ / "model.safetensors"; }
  std::string features() const { return folder_ / "video.npy"; }

 private:
  void write() const {
    ModelSettings settings;
    settings.queries = 10;
    settings.refine_boxes = true;
    settings.captioner = CaptionerKind::standard;
    settings.caption_heads = 1;
    settings.attention_width = 512;
    const ModelSource source = random_source({.model = settings}, made_up_words(settings), 1);
    std::deque<Array> arrays;
    std::vector<NamedView> tensors;
    for (const SchemaTensor& tensor : schema_of(settings)) {
      if (tensor.is_repeat()) continue;
      Array& array = arrays.emplace_back(DType::f32, tensor.shape);
      std::ranges::copy(source.weights(tensor.stored_as).values(), array.floats().begin());
      tensors.push_back({tensor.stored_as, array.view()});
    }
    write_model_file(model(), source.description, tensors);
    Array rows(DType::f32, {100, 500});
    std::ranges::fill(rows.floats(), 0.1f);
    write_npy(features(), rows.view());
  }

  fs::path folder_;
};

pid_t start(const std::string& program, const Files& files) {
  std::vector<std::string> words = {program,   "caption",     files.features(),
                                    "--model", files.model(), "--duration",
                                    "100",     "--format",    "json"};
  const std::vector<char*> arguments = argument_pointers(words);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int code =
      posix_spawn(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  check(code == 0, program, ": cannot be started");
  return child;
}

// Peak memory of the child in megabytes.
double finish(pid_t child) {
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  check(WIFEXITED(status) && WEXITSTATUS(status) == 0, "pdvc caption failed");
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

void report(const std::string& program) {
  const Files files;
  const int threads = available_threads();
  Log log(std::cerr, "bench_process");
  const double memory = finish(start(program, files));  // before this program has grown
  const std::vector<float> values(100 * 500, 0.1f);
  const VideoInput video{.features = values, .duration = 100};
  const auto inside = [&] {
    const Engine engine(open_model(files.model(), "", "", log), {.threads = threads});
    Workspace workspace(threads);
    engine.predict({&video, 1}, false, {}, workspace);
  };
  const auto alone = [&] { finish(start(program, files)); };
  const auto both = [&] {
    const pid_t first = start(program, files), second = start(program, files);
    finish(first);
    finish(second);
  };
  inside();
  const auto seconds = best_seconds(10, {inside, alone, both});
  const double weights = static_cast<double>(fs::file_size(files.model())) / 1e6;
  fmt::print(
      "one feature file, start to exit, {} threads: {:.0f} ms (limit 150), {:.2f} of packing "
      "and one video, {:.0f} ms (limit 1.5)\n",
      threads, seconds[1] * 1e3, seconds[1] / seconds[0], seconds[0] * 1e3);
  fmt::print("peak memory {:.0f} MB: {:.2f} of the weights' {:.0f} MB (limit 1.6)\n", memory,
             memory / weights, weights);
  fmt::print("two at once: {:.0f} ms, {:.2f} of one alone (limit 2.3)\n", seconds[2] * 1e3,
             seconds[2] / seconds[1]);
}

}  // namespace
}  // namespace pdvc

int main(int count, char** words) try {
  pdvc::report(count > 1
                   ? words[1]
                   : std::filesystem::canonical("/proc/self/exe").parent_path().parent_path() /
                         "pdvc");
} catch (const std::exception& error) {
  fmt::print(stderr, "bench_process: {}\n", error.what());
  return 1;
}
