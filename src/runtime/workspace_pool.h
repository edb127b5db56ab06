// Workspaces between requests, so that no request makes one while another lies idle.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "runtime/workspace.h"

namespace pdvc {

// Safe to use from several threads. Holds as many workspaces as requests ever ran at once.
class WorkspacePool {
 public:
  explicit WorkspacePool(int threads) : threads_(threads) {}

  // One of its own for the caller: the last one given back, which knows the most recent words.
  std::unique_ptr<Workspace> take();
  void give_back(std::unique_ptr<Workspace> workspace);

 private:
  int threads_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Workspace>> idle_;
};

}  // namespace pdvc
