// What the command line of `pdvc caption` says.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/settings.h"

namespace pdvc {

enum class ComputePrecision { automatic, f32, bf16, int8 };
constexpr std::array<std::string_view, 4> names_of(ComputePrecision) {
  return {"model", "f32", "bf16", "int8"};
}

struct CaptionOptions {
  std::vector<std::string> inputs;
  std::string model;  // empty: the one that comes with the program
  std::string config, vocabulary;
  std::vector<std::string> streams;
  std::string annotations, proposals;
  std::string out, format;
  double duration = 0;
  bool all_queries = false;
  int64_t count = 0;
  double rank_weight = -1, rank_gamma = -1;
  int64_t beam = 1, max_words = 0;
  ComputePrecision precision = ComputePrecision::automatic;
  int64_t batch = 8;
  double window = 0;
  std::string backbone, weights;
  bool resume = false;
};

void fields(CaptionOptions& options, FieldList& visit);

}  // namespace pdvc
