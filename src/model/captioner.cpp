#include "model/captioner.h"

#include "model/lstm_captioners.h"
#include "model/transformer_captioner.h"

namespace pdvc {

CaptionQueries joined(const std::vector<CaptionQueries>& parts) {
  const auto all = [&](Tensor CaptionQueries::*field) {
    std::vector<Tensor> tensors;
    for (const CaptionQueries& part : parts) tensors.push_back(part.*field);
    return torch::cat(tensors);
  };
  return {all(&CaptionQueries::features), all(&CaptionQueries::centre),
          all(&CaptionQueries::length), all(&CaptionQueries::is_point),
          all(&CaptionQueries::video)};
}

CaptionerImpl::CaptionerImpl(const ModelSettings& s, int64_t word_width, int64_t state_width)
    : embedding_(register_module("embed", torch::nn::Embedding(s.vocabulary_size + 1, word_width))),
      logit_(register_module("logit", Linear(state_width, s.vocabulary_size + 1))),
      dropout_(register_module("dropout", Dropout(s.caption_dropout))) {
  torch::nn::init::uniform_(embedding_->weight, -0.1, 0.1);
  torch::nn::init::uniform_(logit_->weight, -0.1, 0.1);
  torch::nn::init::zeros_(logit_->bias);
}

Tensor CaptionerImpl::forward(const CaptionMemory& memory, const CaptionQueries& queries,
                              const Tensor& words) {
  const bool own = is_training() && own_words_ > 0;
  return log_probabilities(
      states(memory, queries, own ? with_own_words(memory, queries, words) : words));
}

// One pass without gradients decides the words, so that the pass with gradients knows all of them
// beforehand and keeps its large products.
Tensor CaptionerImpl::with_own_words(const CaptionMemory& memory, const CaptionQueries& queries,
                                     const Tensor& words) {
  torch::NoGradGuard no_grad;
  const Tensor result = words.clone();
  const auto decoding = start(memory, queries);
  for (int64_t step = 1; step < words.size(1); ++step) {
    const Tensor said = log_probabilities(decoding->advance(result.select(1, step - 1)));
    const Tensor replaced = torch::rand({words.size(0)}, said.options()) < own_words_;
    const Tensor own = said.exp().multinomial(1).squeeze(1);
    result.select(1, step).copy_(torch::where(replaced, own, words.select(1, step)));
  }
  return result;
}

Captions CaptionerImpl::greedy(const CaptionMemory& memory, const CaptionQueries& queries,
                               int64_t longest) {
  const int64_t captions = queries.features.size(0);
  Tensor word = torch::zeros({captions}, queries.video.options());
  Tensor going = torch::ones({captions}, word.options().dtype(torch::kBool));
  const auto decoding = start(memory, queries);
  std::vector<Tensor> words, scores;
  for (int64_t step = 0; step < longest && (step == 0 || going.any().item<bool>()); ++step) {
    const auto [score, best] = log_probabilities(decoding->advance(word)).max(1);
    word = best;
    going = going.logical_and(best != 0);
    words.push_back(torch::where(going, best, torch::zeros_like(best)));
    scores.push_back(score);
  }
  return {torch::stack(words, 1), torch::stack(scores, 1)};
}

std::shared_ptr<CaptionerImpl> make_captioner(const ModelSettings& settings) {
  switch (settings.captioner) {
    case CaptionerKind::light:
      return std::make_shared<LightCaptionerImpl>(settings);
    case CaptionerKind::standard:
      return std::make_shared<StandardCaptionerImpl>(settings);
    case CaptionerKind::soft:
      return std::make_shared<SoftCaptionerImpl>(settings);
    case CaptionerKind::transformer:
      return std::make_shared<TransformerCaptionerImpl>(settings);
    case CaptionerKind::none:
      break;
  }
  return nullptr;
}

}  // namespace pdvc
