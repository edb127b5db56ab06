#include "evaluation/meteor.h"

#include "target.h"

// Two texts, cut at the first line break, scored against each other.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const pdvc::MeteorScorer scorer(
      pdvc::MeteorData::open(PDVC_FUZZ_SEEDS "/meteor_data/small.bin"));
  return pdvc::fuzz_one(data, size, [](pdvc::Bytes bytes) {
    const std::string_view text = pdvc::as_text(bytes);
    const size_t cut = std::min(text.find('\n'), text.size());
    const pdvc::PreparedText reference = scorer.prepare(text.substr(0, cut));
    const pdvc::PreparedText hypothesis = scorer.prepare(text.substr(cut));
    const double score = pdvc::meteor_score(scorer.statistics(reference, hypothesis));
    if (!(score >= 0 && score <= 1 + 1e-12)) __builtin_trap();
  });
}
