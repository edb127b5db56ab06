#include "model/pdvc.h"

#include "base/error.h"

namespace pdvc {
namespace {

// Localisation checkpoints hold one unused layer where the captioner would be.
std::shared_ptr<torch::nn::Module> stand_in() {
  auto module = std::make_shared<torch::nn::Module>("caption_head");
  module->register_module("puppet_layer", Linear(1, 1));
  return module;
}

// One captioner serves all layers. It is registered once, or the optimiser would step it once per
// layer.
std::shared_ptr<CaptionerImpl> register_captioner(torch::nn::Module& owner,
                                                  const ModelSettings& settings) {
  auto captioner = make_captioner(settings);
  auto heads = owner.register_module("caption_head", torch::nn::ModuleList());
  heads->push_back(captioner ? std::static_pointer_cast<torch::nn::Module>(captioner) : stand_in());
  return captioner;
}

Tensor register_queries(torch::nn::Module& owner, const ModelSettings& s) {
  auto embedding =
      owner.register_module("query_embed", std::make_shared<torch::nn::Module>("query_embed"));
  return embedding->register_parameter("weight", torch::randn({s.queries, 2 * s.hidden}));
}

}  // namespace

PdvcImpl::PdvcImpl(const ModelSettings& settings)
    : settings_(settings),
      temporal_encoder_(register_module("base_encoder", TemporalEncoder(settings))),
      transformer_(register_module("transformer", Transformer(settings))),
      captioner_(register_captioner(*this, settings)),
      query_embedding_(register_queries(*this, settings)),
      heads_(*this, settings) {}

ModelOutputs PdvcImpl::forward(const VideoBatch& batch, const std::optional<Proposals>& proposals) {
  const bool from_proposals = settings_.query_source == QuerySource::gt_proposals;
  check(!from_proposals || proposals.has_value(), "this model needs proposals as its queries");
  ModelOutputs result{.memory = temporal_encoder_(batch)};
  transformer_->mark_levels(result.memory);
  transformer_->encode(result.memory);
  const Queries queries =
      from_proposals ? transformer_->proposal_queries(*proposals)
                     : transformer_->learnt_queries(query_embedding_, batch.features.size(0));
  result.layers = transformer_->decode(queries, result.memory, heads_);
  result.query_mask = queries.mask;
  return result;
}

CaptionQueries queries_at(const LayerPredictions& layer, const Tensor& video, const Tensor& query) {
  const Tensor reference = layer.reference.index({video, query});
  const bool points = reference.size(1) == 1;
  const Tensor centre = reference.select(1, 0),
               length = points ? torch::zeros_like(centre) : reference.select(1, 1);
  return {layer.hidden.index({video, query}), centre, length,
          torch::full({centre.size(0)}, points, reference.options().dtype(torch::kBool)), video};
}

Captions PdvcImpl::caption(const ModelOutputs& predictions, size_t layer) {
  const LayerPredictions& chosen = predictions.layers.at(layer);
  const int64_t videos = chosen.hidden.size(0), queries = chosen.hidden.size(1);
  const Tensor all = torch::arange(videos * queries, torch::kLong).to(chosen.hidden.device());
  const CaptionMemory memory = captioner_->read(predictions.memory);
  const CaptionQueries asked =
      queries_at(chosen, all.floor_divide(queries), all.remainder(queries));
  const Captions flat = captioner_->greedy(memory, asked, settings_.longest_caption);
  return {flat.words.view({videos, queries, -1}),
          flat.log_probabilities.view({videos, queries, -1})};
}

}  // namespace pdvc
