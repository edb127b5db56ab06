#include "model/lstm_captioners.h"

#include <cmath>

#include "model/attention.h"
#include "model/deformable_sampling.h"

namespace pdvc {
namespace {

CaptionMemory without_values(const Memory& memory) {
  return {memory.levels, Tensor(), Tensor(), memory.mask, memory.valid_ratios, memory.last};
}

// value_proj(memory), zero where padded.
Tensor projected_values(Linear& projection, const Memory& memory) {
  return projection(memory.features).masked_fill(memory.mask.logical_not().unsqueeze(2), 0);
}

}  // namespace

LstmImpl::LstmImpl(int64_t input, int64_t width)
    : width_(width),
      input_weight_(register_parameter("weight_ih_l0", torch::empty({4 * width, input}))),
      hidden_weight_(register_parameter("weight_hh_l0", torch::empty({4 * width, width}))) {
  const double bound = 1 / std::sqrt(static_cast<double>(width));
  torch::nn::init::uniform_(input_weight_, -bound, bound);
  torch::nn::init::uniform_(hidden_weight_, -bound, bound);
}

LstmImpl::State LstmImpl::initial(const Tensor& like, int64_t captions) const {
  const Tensor zero = torch::zeros({captions, width_}, like.options());
  return {zero, zero};
}

LstmImpl::State LstmImpl::step(const Tensor& all_gates, const State& state) {
  const auto gates = all_gates.chunk(4, 1);
  const Tensor cell = gates[1].sigmoid() * state.cell + gates[0].sigmoid() * gates[2].tanh();
  return {gates[3].sigmoid() * cell.tanh(), cell};
}

// One sentence after another word: the recurrence that teacher forcing and decoding share.
class RecurrentCaptionerImpl::Recurrence : public CaptionerImpl::Decoding {
 public:
  Recurrence(RecurrentCaptionerImpl& captioner, const CaptionMemory& memory,
             const CaptionQueries& queries)
      : captioner_(captioner),
        attention_(captioner.attend(memory, queries)),
        state_(captioner.lstm_->initial(queries.features, queries.features.size(0))),
        input_(captioner.lstm_->input_product()),
        hidden_(captioner.lstm_->hidden_product()),
        query_gates_(input_(captioner.query_input(queries),
                            captioner.word_width_ + captioner.attended_width_)) {}

  // words [caption] or [caption, step] -> their share of the gates
  Tensor word_gates(const Tensor& words) {
    const Tensor embedded = captioner_.embed(words);
    return input_(embedded.flatten(0, -2)).unflatten(0, words.sizes());
  }

  Tensor advance_by_gates(const Tensor& word_gates) {
    Tensor gates = word_gates + query_gates_ + hidden_(state_.hidden);
    if (attention_) gates = gates + input_(attention_->look(state_.hidden), captioner_.word_width_);
    state_ = LstmImpl::step(gates, state_);
    return state_.hidden;
  }

  Tensor advance(const Tensor& words) override { return advance_by_gates(word_gates(words)); }

 private:
  RecurrentCaptionerImpl& captioner_;
  std::unique_ptr<Attention> attention_;
  LstmImpl::State state_;
  RepeatedProduct input_, hidden_;
  Tensor query_gates_;
};

RecurrentCaptionerImpl::RecurrentCaptionerImpl(const ModelSettings& s, int64_t attended_width)
    : CaptionerImpl(s, s.word_width, s.rnn_width),
      word_width_(s.word_width),
      attended_width_(attended_width),
      lstm_(core_->register_module("rnn",
                                   Lstm(s.word_width + attended_width + s.hidden, s.rnn_width))) {}

Tensor RecurrentCaptionerImpl::states(const CaptionMemory& memory, const CaptionQueries& queries,
                                      const Tensor& words) {
  Recurrence recurrence(*this, memory, queries);
  const auto gates = recurrence.word_gates(words).unbind(1);  // all words in one product
  std::vector<Tensor> states;
  for (const Tensor& word_gates : gates) states.push_back(recurrence.advance_by_gates(word_gates));
  return torch::stack(states, 1);
}

std::unique_ptr<CaptionerImpl::Decoding> RecurrentCaptionerImpl::start(
    const CaptionMemory& memory, const CaptionQueries& queries) {
  return std::make_unique<Recurrence>(*this, memory, queries);
}

CaptionMemory LightCaptionerImpl::read(const Memory& memory) { return without_values(memory); }

AdditiveScore::AdditiveScore(torch::nn::Module& core, int64_t value_width, int64_t state_width,
                             int64_t attention_width)
    : key_(core.register_module("ctx2att", Linear(value_width, attention_width))),
      state_(core.register_module("h2att", Linear(state_width, attention_width))),
      alpha_(core.register_module("alpha_net", Linear(attention_width, 1))) {}

Tensor AdditiveScore::score(const Tensor& keys, const Tensor& query) {
  Tensor biased = query + (state_->bias + key_->bias);
  while (biased.dim() < keys.dim()) biased = biased.unsqueeze(1);
  return alpha_((keys + biased).tanh()).squeeze(-1);
}

StandardCaptionerImpl::StandardCaptionerImpl(const ModelSettings& s)
    : RecurrentCaptionerImpl(s, s.hidden),
      hidden_(s.hidden),
      rnn_width_(s.rnn_width),
      heads_(s.caption_heads),
      levels_(s.caption_levels),
      points_(s.caption_points),
      score_(core(), s.hidden / s.caption_heads, s.rnn_width, s.attention_width) {
  auto sampler = core().register_module("deformable_att",
                                        std::make_shared<torch::nn::Module>("deformable_att"));
  const int64_t samples = heads_ * levels_ * points_;
  offsets_ = sampler->register_module("sampling_offsets", Linear(s.rnn_width + s.hidden, samples));
  values_ = sampler->register_module("value_proj", Linear(s.hidden, s.hidden));
  // Published checkpoints carry these two; nothing reads them.
  Linear weights =
      sampler->register_module("attention_weights", Linear(s.rnn_width + s.hidden, samples));
  Linear output = sampler->register_module("output_proj", Linear(s.hidden, s.hidden));
  torch::NoGradGuard no_grad;
  for (auto& layer : {offsets_, weights}) {
    torch::nn::init::zeros_(layer->weight);
    torch::nn::init::zeros_(layer->bias);
  }
  const Tensor grid = initial_offsets(heads_, levels_, points_);
  offsets_->bias.copy_((grid - grid.mean(2, /*keepdim=*/true)).flatten());
  for (auto& layer : {values_, output}) {
    torch::nn::init::xavier_uniform_(layer->weight);
    torch::nn::init::zeros_(layer->bias);
  }
}

// Sampling and the linear key layer commute, so keys are made once per position instead of once per
// sample and word.
CaptionMemory StandardCaptionerImpl::read(const Memory& memory) {
  CaptionMemory result = without_values(memory);
  const Tensor values = projected_values(values_, memory)
                            .view({memory.features.size(0), -1, heads_, hidden_ / heads_});
  result.values = torch::cat({values, score_.keys(values)}, 3);
  return result;
}

class StandardCaptionerImpl::Sampling : public RecurrentCaptionerImpl::Attention {
 public:
  Sampling(StandardCaptionerImpl& captioner, const CaptionMemory& memory,
           const CaptionQueries& queries)
      : captioner_(captioner),
        memory_(memory),
        video_(queries.video),
        query_product_(captioner.score_.query_product()),
        offset_product_(captioner.offsets_->weight) {
    const Tensor lengths = torch::tensor(memory.levels.lengths, queries.centre.options());
    const Tensor scale = memory.valid_ratios.index_select(0, queries.video) * lengths;
    const Tensor half = queries.length.unsqueeze(1) * scale / (2.0 * captioner.points_);
    const Tensor stretch =
        torch::where(queries.is_point.unsqueeze(1), torch::ones_like(half), half);
    centre_ = (queries.centre.unsqueeze(1) * scale - 0.5).view({-1, 1, captioner.levels_, 1});
    stretch_ = stretch.view({-1, 1, captioner.levels_, 1});
    // The query's share of the offsets is the same for every word.
    query_offsets_ =
        offset_product_(queries.features, captioner.rnn_width_) + captioner.offsets_->bias;
  }

  Tensor look(const Tensor& hidden) override {
    const Tensor offsets = query_offsets_ + offset_product_(hidden);
    const Tensor shaped =
        offsets.view({-1, captioner_.heads_, captioner_.levels_, captioner_.points_});
    const Tensor places = torch::addcmul(centre_, shaped, stretch_);
    const Tensor samples =
        border_samples(memory_.values, memory_.levels, places, video_, memory_.last);
    const int64_t width = captioner_.hidden_ / captioner_.heads_;
    const Tensor weights =
        captioner_.score_
            .score(samples.narrow(3, width, samples.size(3) - width), query_product_(hidden))
            .softmax(-1);
    return (weights.unsqueeze(-1) * samples.narrow(3, 0, width)).sum(2).flatten(1);
  }

 private:
  StandardCaptionerImpl& captioner_;
  const CaptionMemory& memory_;
  Tensor video_, centre_, stretch_;  // an offset's place on a level is centre + stretch * offset
  Tensor query_offsets_;
  RepeatedProduct query_product_, offset_product_;
};

std::unique_ptr<RecurrentCaptionerImpl::Attention> StandardCaptionerImpl::attend(
    const CaptionMemory& memory, const CaptionQueries& queries) {
  return std::make_unique<Sampling>(*this, memory, queries);
}

SoftCaptionerImpl::SoftCaptionerImpl(const ModelSettings& s)
    : RecurrentCaptionerImpl(s, s.hidden),
      values_(core().register_module("value_proj", Linear(s.hidden, s.hidden))),
      score_(core(), s.hidden, s.rnn_width, s.attention_width) {
  torch::nn::init::xavier_uniform_(values_->weight);
  torch::nn::init::zeros_(values_->bias);
}

CaptionMemory SoftCaptionerImpl::read(const Memory& memory) {
  CaptionMemory result = without_values(memory);
  result.values = projected_values(values_, memory);
  result.keys = score_.keys(result.values);
  return result;
}

class SoftCaptionerImpl::Looking : public RecurrentCaptionerImpl::Attention {
 public:
  Looking(SoftCaptionerImpl& captioner, const CaptionMemory& memory, const CaptionQueries& queries)
      : captioner_(captioner),
        values_(memory.values.index_select(0, queries.video)),
        keys_(memory.keys.index_select(0, queries.video)),
        padded_(memory.mask.index_select(0, queries.video).logical_not()),
        query_product_(captioner.score_.query_product()) {}

  Tensor look(const Tensor& hidden) override {
    const Tensor scores =
        captioner_.score_.score(keys_, query_product_(hidden)).masked_fill(padded_, -INFINITY);
    return scores.softmax(1).unsqueeze(1).bmm(values_).squeeze(1);
  }

 private:
  SoftCaptionerImpl& captioner_;
  Tensor values_, keys_, padded_;
  RepeatedProduct query_product_;
};

std::unique_ptr<RecurrentCaptionerImpl::Attention> SoftCaptionerImpl::attend(
    const CaptionMemory& memory, const CaptionQueries& queries) {
  return std::make_unique<Looking>(*this, memory, queries);
}

}  // namespace pdvc
