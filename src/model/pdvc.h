// The whole model: video features in; events, how many, and their sentences out.
#pragma once

#include <torch/torch.h>

#include <memory>
#include <optional>

#include "data/settings.h"
#include "model/captioner.h"
#include "model/temporal_encoder.h"
#include "model/transformer.h"

namespace pdvc {

// What every decoder layer says, and the memory that captioners read.
struct ModelOutputs {
  Memory memory;
  std::vector<LayerPredictions> layers;
  Tensor query_mask;  // [video, query], or undefined when all are real
};

class PdvcImpl : public torch::nn::Module {
 public:
  explicit PdvcImpl(const ModelSettings& settings);

  // `proposals` are needed when the settings say that queries come from them.
  ModelOutputs forward(const VideoBatch& batch,
                       const std::optional<Proposals>& proposals = std::nullopt);
  // Sentences of every query of one layer, by video and query: words and scores [video, query,
  // word].
  Captions caption(const ModelOutputs& predictions, size_t layer);

  bool has_captioner() const { return captioner_ != nullptr; }
  CaptionerImpl& captioner() { return *captioner_; }
  TemporalEncoder& temporal_encoder() { return temporal_encoder_; }
  Transformer& transformer() { return transformer_; }
  const ModelSettings& settings() const { return settings_; }

 private:
  ModelSettings settings_;
  TemporalEncoder temporal_encoder_{nullptr};
  Transformer transformer_{nullptr};
  std::shared_ptr<CaptionerImpl> captioner_;
  Tensor query_embedding_;
  Heads heads_;
};
TORCH_MODULE(Pdvc);

// The queries of one layer at the given videos and queries [caption], for a captioner.
CaptionQueries queries_at(const LayerPredictions& layer, const Tensor& video, const Tensor& query);

}  // namespace pdvc
