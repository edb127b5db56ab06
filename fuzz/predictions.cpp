#include "data/predictions.h"

#include "data/ranking.h"
#include "target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return pdvc::fuzz_one(data, size, [](pdvc::Bytes bytes) {
    const pdvc::Predictions predictions = pdvc::parse_predictions(pdvc::as_text(bytes), "fuzz");
    for (const pdvc::VideoEvents& video : predictions.videos)
      pdvc::rank_events(video.events, video.predicted_count.value_or(1), {});
    // What is written reads back.
    pdvc::parse_predictions(pdvc::predictions_text(predictions), "written");
  });
}
