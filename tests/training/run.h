// pdvc-train run as a user runs it, and what it leaves behind.
#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/process.h"
#include "support/files.h"
#include "support/small_corpus.h"
#include "tensor/safetensors.h"

extern char** environ;

namespace pdvc {

struct TrainResult {
  int code = 0;  // 128 + signal when a signal ended it
  std::string err;
};

// A run that goes on while the test does something else.
class TrainProcess {
 public:
  explicit TrainProcess(const std::vector<std::string>& words) {
    std::vector<std::string> all = {PDVC_TRAIN_BINARY, "train"};
    all.insert(all.end(), words.begin(), words.end());
    const std::vector<char*> arguments = argument_pointers(all);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 2, (folder_ / "err").c_str(), O_WRONLY | O_CREAT,
                                     0600);
    posix_spawn(&child_, PDVC_TRAIN_BINARY, &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
  }

  void kill(int signal) const { ::kill(child_, signal); }
  std::string err_so_far() const { return contents_of(folder_ / "err"); }

  TrainResult wait() const {
    int status = 0;
    waitpid(child_, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
            contents_of(folder_ / "err")};
  }

 private:
  TemporaryFolder folder_;
  pid_t child_ = 0;
};

inline std::vector<std::string> train_words(const SmallCorpus& corpus,
                                            const std::filesystem::path& run,
                                            const std::vector<std::string>& more) {
  std::vector<std::string> words = {
      "--config", corpus.folder / "settings.yml", "-o", run, "--threads", "1"};
  if (std::ranges::count(more, "--min-count") == 0) words.insert(words.end(), {"--min-count", "1"});
  for (const std::string& word : corpus.files()) words.push_back(word);
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

inline TrainResult train(const SmallCorpus& corpus, const std::filesystem::path& run,
                         const std::vector<std::string>& more = {}) {
  return TrainProcess(train_words(corpus, run, more)).wait();
}

// The entries of one kind in a run's log.
inline std::vector<Json> logged(const std::filesystem::path& run, const std::string& kind) {
  std::vector<Json> entries;
  std::istringstream lines(contents_of(run / "log.jsonl"));
  for (std::string line; std::getline(lines, line);)
    if (Json entry = Json::parse(line); entry["kind"] == kind) entries.push_back(std::move(entry));
  return entries;
}

// Whether two checkpoints hold the same numbers, optimiser and generator included.
inline void expect_same_tensors(const std::filesystem::path& a, const std::filesystem::path& b) {
  const Safetensors first(a), second(b);
  ASSERT_EQ(first.tensors().size(), second.tensors().size());
  for (const auto& [name, view] : first.tensors()) {
    ASSERT_TRUE(second.tensors().contains(name)) << name;
    EXPECT_TRUE(std::ranges::equal(view.bytes, second.tensors().at(name).bytes)) << name;
  }
}

}  // namespace pdvc
