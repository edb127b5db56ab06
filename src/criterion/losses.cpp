#include "criterion/losses.h"

#include <algorithm>
#include <span>

#include "base/error.h"

namespace pdvc {

// The matched pairs of a whole batch, end to end.
struct MatchedPairs {
  Tensor video, query;  // [pair]
  Tensor boxes;         // [pair, 2], of the events
  std::vector<const std::vector<int64_t>*> captions;

  int64_t count() const { return video.size(0); }
};

namespace {

MatchedPairs pairs_of(const std::vector<Assignment>& matched, const Targets& targets,
                      const Tensor& like) {
  std::vector<int64_t> video, query;
  std::vector<Tensor> boxes = {torch::empty({0, 2}, like.options())};
  MatchedPairs pairs;
  for (size_t v = 0; v < matched.size(); ++v)
    for (size_t i = 0; i < matched[v].rows.size(); ++i) {
      const int64_t event = matched[v].columns[i];
      video.push_back(static_cast<int64_t>(v));
      query.push_back(matched[v].rows[i]);
      boxes.push_back(targets[v].boxes.narrow(0, event, 1).to(like.options()));
      pairs.captions.push_back(&targets[v].captions.at(static_cast<size_t>(event)));
    }
  pairs.video = torch::tensor(video, torch::kLong).to(like.device());
  pairs.query = torch::tensor(query, torch::kLong).to(like.device());
  pairs.boxes = torch::cat(boxes, 0);
  return pairs;
}

// Ids of all captions as a rectangle [caption, id], 0 where they have ended, and the number of ids
// of each.
struct Sentences {
  Tensor ids, lengths;
};

Sentences padded(const std::vector<const std::vector<int64_t>*>& captions) {
  size_t longest = 0;
  for (const auto* caption : captions) longest = std::max(longest, caption->size());
  Sentences result{
      torch::zeros({static_cast<int64_t>(captions.size()), static_cast<int64_t>(longest)},
                   torch::kLong),
      torch::empty({static_cast<int64_t>(captions.size())}, torch::kLong)};
  for (size_t i = 0; i < captions.size(); ++i) {
    const auto row = static_cast<int64_t>(i);
    std::ranges::copy(*captions[i], result.ids[row].data_ptr<int64_t>());
    result.lengths[row] = static_cast<int64_t>(captions[i]->size());
  }
  return result;
}

// Log-probability of each id after the first [caption, id - 1], all in one run of the captioner.
Tensor word_scores(CaptionerImpl& captioner, const CaptionMemory& memory,
                   const CaptionQueries& queries, const Tensor& ids) {
  const int64_t steps = ids.size(1) - 1;
  const Tensor log_p = captioner.forward(memory, queries, ids.narrow(1, 0, steps));
  return log_p.gather(2, ids.narrow(1, 1, steps).unsqueeze(2)).squeeze(2);
}

// 1 for the first counts[i] entries of row i of `scores`, 0 behind them.
Tensor first_ones(const Tensor& counts, const Tensor& scores) {
  return (torch::arange(scores.size(1), counts.options()).unsqueeze(0) < counts.unsqueeze(1))
      .to(scores.dtype());
}

// Of each caption the mean of -log p over its words and its end [caption].
Tensor caption_losses(CaptionerImpl& captioner, const CaptionMemory& memory,
                      const CaptionQueries& queries, const Sentences& sentences) {
  const auto device = queries.features.device();
  const Tensor scores = word_scores(captioner, memory, queries, sentences.ids.to(device));
  const Tensor counted = first_ones(sentences.lengths.to(device) - 1, scores);
  return -(scores * counted).sum(1) / (counted.sum(1) + 1e-6);
}

// The summed loss of each layer's captions; undefined for a layer without pairs. One run of the
// captioner for all layers: it is the same captioner, and its large gradients are made once.
std::vector<Tensor> caption_losses_by_layer(CaptionerImpl& captioner, const CaptionMemory& memory,
                                            std::span<const LayerPredictions> layers,
                                            const std::vector<MatchedPairs>& pairs) {
  std::vector<CaptionQueries> queries;
  std::vector<const std::vector<int64_t>*> captions;
  for (size_t i = 0; i < layers.size(); ++i) {
    queries.push_back(queries_at(layers[i], pairs[i].video, pairs[i].query));
    captions.insert(captions.end(), pairs[i].captions.begin(), pairs[i].captions.end());
  }
  std::vector<Tensor> sums(layers.size());
  if (captions.empty()) return sums;
  const Tensor losses = caption_losses(captioner, memory, joined(queries), padded(captions));
  int64_t first = 0;
  for (size_t i = 0; i < layers.size(); first += pairs[i++].count())
    if (pairs[i].count() > 0) sums[i] = losses.narrow(0, first, pairs[i].count()).sum();
  return sums;
}

// Every caption of one video under every query: -(log-likelihood of its words) / words^2, [query,
// event]. The less likely, the dearer.
Tensor caption_costs_of(CaptionerImpl& captioner, const CaptionMemory& memory,
                        const LayerPredictions& layer, const VideoTargets& targets, int64_t video) {
  constexpr double kGamma = 2;
  const int64_t queries = layer.hidden.size(1),
                events = static_cast<int64_t>(targets.captions.size());
  if (events == 0) return torch::zeros({queries, 0}, layer.boxes.options());
  std::vector<const std::vector<int64_t>*> captions;
  for (const auto& caption : targets.captions) captions.push_back(&caption);
  const Sentences sentences = padded(captions);
  const Tensor pair = torch::arange(queries * events, torch::kLong).to(layer.hidden.device());
  const Tensor query = pair.floor_divide(events), event = pair.remainder(events);
  const Tensor ids = sentences.ids.to(pair.device()).index_select(0, event);
  const Tensor words = (sentences.lengths.to(pair.device()) - 2).index_select(0, event);
  const CaptionQueries asked = queries_at(layer, torch::full_like(query, video), query);
  const Tensor scores = word_scores(captioner, memory, asked, ids);
  const Tensor length = words.to(scores.dtype()).pow(kGamma) + 1e-5;  // a caption may have no words
  return (-(scores * first_ones(words, scores)).sum(1) / length).view({queries, events});
}

std::vector<Tensor> caption_costs_of(CaptionerImpl& captioner, const CaptionMemory& memory,
                                     const LayerPredictions& layer, const Targets& targets) {
  torch::NoGradGuard no_grad;
  std::vector<Tensor> costs;
  for (size_t v = 0; v < targets.size(); ++v)
    costs.push_back(
        caption_costs_of(captioner, memory, layer, targets[v], static_cast<int64_t>(v)));
  return costs;
}

Tensor focal_loss(const Tensor& logits, const Tensor& wanted, const LossSettings& s) {
  const Tensor p = logits.sigmoid();
  const Tensor cross_entropy =
      torch::binary_cross_entropy_with_logits(logits, wanted, {}, {}, at::Reduction::None);
  const Tensor missed = p * (1 - wanted) + (1 - p) * wanted;
  const Tensor alpha = s.focal_alpha * wanted + (1 - s.focal_alpha) * (1 - wanted);
  return alpha * cross_entropy * missed.pow(s.focal_gamma);
}

}  // namespace

Normalizers normalizers_of(const Targets& targets) {
  double events = 0;
  for (const VideoTargets& video : targets) events += static_cast<double>(video.boxes.size(0));
  return {events, events, static_cast<double>(targets.size())};
}

const std::vector<double>& published_count_shares() {
  static const std::vector<double> shares = {0,
                                             0,
                                             .193425917,
                                             .412129084,
                                             .188929963,
                                             .0781296833,
                                             .0509541413,
                                             .0312718553,
                                             .0184833650,
                                             .00839244680,
                                             .00659406534,
                                             .00449595364,
                                             .00219802178,
                                             .00179838146,
                                             .000599460486,
                                             .000499550405,
                                             .000499550405,
                                             .000199820162,
                                             .000299730243,
                                             .000399640324,
                                             .000299730243};
  return shares;
}

std::vector<double> count_shares(const std::vector<int64_t>& event_counts, int64_t max_events) {
  std::vector<double> shares(static_cast<size_t>(max_events) + 1, 0);
  for (const int64_t count : event_counts)
    shares[static_cast<size_t>(std::min(count, max_events))] +=
        1.0 / static_cast<double>(event_counts.size());
  return shares;
}

Criterion::Criterion(const MatchingSettings& matching, const LossSettings& losses,
                     std::vector<double> shares)
    : matching_(matching), settings_(losses), shares_(std::move(shares)) {}

// Every query is asked whether it is an event; matched ones should say yes.
Tensor Criterion::label_loss(const Tensor& logits, const Tensor& query_mask,
                             const MatchedPairs& pairs) const {
  Tensor wanted = torch::zeros_like(logits);
  wanted.index_put_({pairs.video, pairs.query}, torch::ones({pairs.count()}, logits.options()));
  const Tensor loss = focal_loss(logits, wanted, settings_);
  return (query_mask.defined() ? loss.masked_fill(query_mask.logical_not(), 0) : loss).sum();
}

Tensor Criterion::count_loss(const Tensor& counts, const Targets& targets, double videos) const {
  const int64_t most = counts.size(1) - 1;
  std::vector<int64_t> numbers;
  for (const VideoTargets& video : targets) numbers.push_back(std::min(video.boxes.size(0), most));
  const Tensor wanted = torch::tensor(numbers, torch::kLong).to(counts.device());
  if (settings_.count_cross_entropy)
    return torch::cross_entropy_loss(counts, wanted, {}, at::Reduction::Sum) / videos;
  const Tensor one_hot = torch::one_hot(wanted, most + 1).to(counts.dtype());
  std::vector<double> shares(shares_);
  shares.resize(static_cast<size_t>(most) + 1, 0);
  const Tensor rarity = 1 - torch::tensor(shares, counts.options());
  const Tensor error = torch::arange(most + 1, counts.options()).unsqueeze(0) -
                       wanted.to(counts.dtype()).unsqueeze(1);
  const Tensor forgiven =
      settings_.gaussian_count_mask ? 1 - (-error.square() / 8).exp() : torch::ones_like(error);
  const Tensor weight = rarity * (one_hot + (1 - one_hot) * forgiven);
  const Tensor losses =
      torch::binary_cross_entropy_with_logits(counts, one_hot, weight, {}, at::Reduction::None);
  return losses.mean(1).sum() / videos;
}

LayerLosses Criterion::layer_losses(const LayerPredictions& layer, const Tensor& query_mask,
                                    const Targets& targets, const MatchedPairs& pairs,
                                    const Normalizers& normalizers) const {
  const double events = std::max(normalizers.events, 1.0);
  const Tensor boxes = layer.boxes.index({pairs.video, pairs.query});
  return {.label = label_loss(layer.logits, query_mask, pairs) / events,
          .box = (boxes - pairs.boxes).abs().sum() / events,
          .giou = (1 - elementwise_giou(boxes, pairs.boxes)).sum() / events,
          .count = count_loss(layer.counts, targets, normalizers.videos)};
}

Tensor Criterion::weighted(const LayerLosses& losses) const {
  const Tensor located = settings_.label * losses.label + settings_.box * losses.box +
                         settings_.giou * losses.giou + settings_.count * losses.count;
  return losses.caption.defined() ? located + settings_.caption * losses.caption : located;
}

Losses Criterion::operator()(PdvcImpl& model, const ModelOutputs& predictions,
                             const Targets& targets, const Normalizers& normalizers) const {
  const bool captions = model.has_captioner();
  const CaptionMemory memory =
      captions ? model.captioner().read(predictions.memory) : CaptionMemory{};
  const std::span layers =
      std::span(predictions.layers).last(settings_.every_layer ? predictions.layers.size() : 1);
  Losses result;
  std::vector<MatchedPairs> pairs;
  for (const LayerPredictions& layer : layers) {
    std::vector<Tensor> caption_costs;
    if (captions && matching_.caption_cost > 0)
      caption_costs = caption_costs_of(model.captioner(), memory, layer, targets);
    result.matched = match(layer, predictions.query_mask, targets, matching_, caption_costs);
    pairs.push_back(pairs_of(result.matched, targets, layer.boxes));
    result.layers.push_back(
        layer_losses(layer, predictions.query_mask, targets, pairs.back(), normalizers));
  }
  if (captions) {
    const auto sums = caption_losses_by_layer(model.captioner(), memory, layers, pairs);
    for (size_t i = 0; i < sums.size(); ++i)
      if (sums[i].defined())
        result.layers[i].caption = sums[i] / std::max(normalizers.captions, 1.0);
  }
  for (const LayerLosses& losses : result.layers)
    result.total = result.total.defined() ? result.total + weighted(losses) : weighted(losses);
  return result;
}

void check_finite(const Losses& losses, const Targets& targets) {
  if (losses.total.isfinite().all().item<bool>()) return;  // a loss of weight 0 shows in it as well
  std::string videos;
  for (const VideoTargets& video : targets) videos += (videos.empty() ? "" : ", ") + video.video;
  for (size_t i = 0; i < losses.layers.size(); ++i) {
    const LayerLosses& layer = losses.layers[i];
    for (const auto& [name, loss] : {std::pair{"label", layer.label},
                                     {"box", layer.box},
                                     {"giou", layer.giou},
                                     {"count", layer.count},
                                     {"caption", layer.caption}})
      check(!loss.defined() || loss.isfinite().all().item<bool>(), videos, ": the ", name,
            " loss of decoder layer ", i, " is not finite");
  }
}

}  // namespace pdvc
