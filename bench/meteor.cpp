// How fast captions are cut into tokens and scored with METEOR, on one core.
//
//   bench_meteor     the small golden files, again and again; needs METEOR's data in the cache
#include "evaluation/meteor.h"

#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/cache.h"
#include "base/error.h"
#include "base/json.h"
#include "base/mapped_file.h"
#include "measure.h"
#include "text/ptb_tokenizer.h"

namespace pdvc {
namespace {

constexpr int kRepeats = 100, kRounds = 5;

struct Pair {
  PreparedText reference, hypothesis;
  double score;
};

Json golden(const std::string& name) {
  const std::string path = std::string(PDVC_GOLDEN) + "/" + name;
  return parse_json(as_text(MappedFile(path).bytes()), path);
}

// Repeats `work` over `items` and gives items per second of the best round.
template <class Items, class Work>
double rate(const Items& items, Work&& work) {
  const double seconds = best_seconds(kRounds, {[&] {
                                        for (int i = 0; i < kRepeats; ++i)
                                          for (const auto& item : items) work(item);
                                      }})[0];
  return static_cast<double>(items.size()) * kRepeats / seconds;
}

void measure_tokens() {
  std::vector<std::string> captions;
  const Json rows = golden("tokens.json").at("captions");
  for (const Json& row : rows) captions.push_back(row.at(0));
  fmt::print("tokens: {:.0f} captions a second\n",
             rate(captions, [](const std::string& caption) { ptb_tokens(caption); }));
}

void measure_meteor(const MeteorScorer& scorer) {
  std::vector<std::string> texts;
  std::vector<Pair> pairs;
  const Json rows = golden("meteor.json").at("meteor");
  for (const Json& row : rows) {
    if (row.at(0).size() != 1) continue;
    texts.push_back(row.at(1));
    pairs.push_back({scorer.prepare(row.at(0).at(0).get<std::string>()),
                     scorer.prepare(texts.back()), row.at(3)});
  }
  for (const Pair& pair : pairs)
    check(std::abs(meteor_score(scorer.statistics(pair.reference, pair.hypothesis)) - pair.score) <
              1e-9,
          "METEOR differs from the golden score");
  fmt::print(
      "METEOR: {:.0f} captions prepared a second, {:.0f} pairs scored a second\n",
      rate(texts, [&](const std::string& text) { scorer.prepare(text); }),
      rate(pairs, [&](const Pair& pair) { scorer.statistics(pair.reference, pair.hypothesis); }));
}

void run() {
  measure_tokens();
  if (!std::filesystem::exists(cache_folder() / kMeteorFileName)) {
    fmt::print("METEOR: its data is not there (get it with: pdvc fetch meteor)\n");
    return;
  }
  const double seconds = best_seconds(kRounds, {[] { MeteorData::open_cached(); }})[0];
  fmt::print("METEOR: data opened in {:.1f} ms\n", 1000 * seconds);
  measure_meteor(MeteorScorer(MeteorData::open_cached()));
}

}  // namespace
}  // namespace pdvc

int main() try { pdvc::run(); } catch (const std::exception& error) {
  std::cerr << "bench_meteor: " << error.what() << '\n';
  return 1;
}
