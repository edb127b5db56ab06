// Which words and phrases of a reference and a hypothesis may be matched with each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "evaluation/meteor_data.h"
#include "evaluation/meteor_text.h"

namespace pdvc {

enum class MeteorStage : uint32_t { exact, stem, synonym, paraphrase };
constexpr size_t kMeteorStages = 4;

// Some words of the reference and some of the hypothesis ("test").
struct MeteorMatch {
  uint32_t start = 0, length = 0;            // in the reference
  uint32_t test_start = 0, test_length = 0;  // in the hypothesis
  MeteorStage stage = MeteorStage::exact;
};

// Candidates by the reference's position.
class MeteorCandidates {
 public:
  MeteorCandidates(const PreparedText& reference, const PreparedText& test, const MeteorData& data);

  size_t reference_length() const { return offsets_.size() - 1; }
  size_t test_length() const { return test_length_; }
  std::span<const MeteorMatch> all() const { return matches_; }
  std::span<const MeteorMatch> at(size_t position) const {
    return std::span(matches_).subspan(offsets_[position],
                                       offsets_[position + 1] - offsets_[position]);
  }

 private:
  std::vector<MeteorMatch> matches_;
  std::vector<uint32_t> offsets_;  // [position + 1]
  size_t test_length_ = 0;
};

}  // namespace pdvc
