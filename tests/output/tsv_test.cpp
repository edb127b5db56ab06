#include "output/tsv.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/events.h"

namespace pdvc {

TEST(Tsv, HasOneLineAnEventBelowTheColumnNames) {
  Event full = event_of(0.5, 12, "a\tman\r\nruns.", 0.25);
  full.proposal_score = 0.1f;  // a float keeps all its digits
  full.sentence_score = -1e-7;
  const std::vector<VideoEvents> two{{.video = "a  b\n", .events = {full}},
                                     {.video = "w", .events = {event_of(1, 2, "", NAN)}}};
  EXPECT_EQ(tsv_text(two),
            "video\tstart\tend\tsentence\tproposal_score\tsentence_score\tjoint_score\n"
            "a  b \t0.5\t12\ta man runs.\t0.10000000149011612\t-1e-07\t0.25\n"
            "w\t1\t2\t\t\t\t\n");
}

TEST(Tsv, OfNoVideosHasOnlyColumnNames) {
  EXPECT_EQ(tsv_text({}),
            "video\tstart\tend\tsentence\tproposal_score\tsentence_score\tjoint_score\n");
}

}  // namespace pdvc
