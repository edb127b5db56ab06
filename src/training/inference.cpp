#include "training/inference.h"

#include "criterion/matcher.h"
#include "data/ranking.h"
#include "text/caption.h"

namespace pdvc {
namespace {

std::span<const float> row_of(const Tensor& matrix, int64_t row) {
  return {matrix.data_ptr<float>() + row * matrix.size(1), static_cast<size_t>(matrix.size(1))};
}

// Ids up to the end of a sentence and the sum of their log-probabilities.
struct Said {
  std::vector<int64_t> ids;
  double score = 0;
};

Said said_by(const Captions& captions, int64_t video, int64_t query) {
  Said result;
  const auto words = captions.words.accessor<int64_t, 3>()[video][query];
  const auto scores = captions.log_probabilities.accessor<float, 3>()[video][query];
  for (int64_t w = 0; w < captions.words.size(2) && words[w] != 0; ++w) {
    result.ids.push_back(words[w]);
    result.score += static_cast<double>(scores[w]);
  }
  return result;
}

}  // namespace

std::vector<VideoEvents> predict_events(Pdvc& model, const ExampleBatch& batch,
                                        const std::vector<VideoRequest>& videos,
                                        const Vocabulary* vocabulary, Captioning captioning) {
  torch::NoGradGuard no_grad;
  const ModelSettings& settings = model->settings();
  const bool given = settings.query_source == QuerySource::gt_proposals;
  const ModelOutputs outputs =
      model->forward(batch.input, given ? std::optional(batch.proposals) : std::nullopt);
  const LayerPredictions& last = outputs.layers.back();
  const bool captions = model->has_captioner() && captioning == Captioning::yes;
  Captions said;
  if (captions) {
    said = model->caption(outputs, outputs.layers.size() - 1);
    said = {said.words.to(torch::kCPU), said.log_probabilities.to(torch::kCPU)};
  }
  const Tensor ends = box_ends(last.boxes).clamp(0, 1).to(torch::kCPU).contiguous(),
               scores = last.logits.sigmoid().to(torch::kCPU).contiguous(),
               counts = last.counts.to(torch::kCPU).contiguous();
  std::vector<VideoEvents> result;
  for (size_t v = 0; v < videos.size(); ++v) {
    const auto video = static_cast<int64_t>(v);
    const int64_t queries = given ? batch.targets[v].boxes.size(0) : scores.size(1);
    std::vector<Event> events;
    for (int64_t q = 0; q < queries; ++q) {
      const auto at = ends.accessor<float, 3>()[video][q];
      Event event{.segment = {at[0] * videos[v].duration, at[1] * videos[v].duration},
                  .proposal_score = row_of(scores, video)[static_cast<size_t>(q)],
                  .sentence_score = 0,
                  .query = q};
      if (captions) {
        const Said sentence = said_by(said, video, q);
        event.sentence = ids_to_caption(sentence.ids, *vocabulary);
        event.sentence_score = sentence.score;
      }
      events.push_back(std::move(event));
    }
    VideoEvents selected{.video = videos[v].video,
                         .duration = videos[v].duration,
                         .predicted_count = predicted_event_count(row_of(counts, video))};
    selected.events = given ? std::move(events)
                            : rank_events(std::move(events), *selected.predicted_count,
                                          {.weight = settings.rank_weight});
    result.push_back(std::move(selected));
  }
  return result;
}

}  // namespace pdvc
