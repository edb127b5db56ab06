// The recurrent captioners: light, with sampled attention (standard), with attention over all
// positions (soft).
#pragma once

#include "model/captioner.h"
#include "model/repeated_product.h"

namespace pdvc {

// LSTM without biases; gates in the order input, forget, cell, output.
class LstmImpl : public torch::nn::Module {
 public:
  LstmImpl(int64_t input, int64_t width);

  struct State {
    Tensor hidden, cell;  // [caption, width]
  };
  State initial(const Tensor& like, int64_t captions) const;
  // Both weights give gates [caption, 4 * width]; the sum over the state and all parts of the input
  // is a step's.
  RepeatedProduct input_product() const { return RepeatedProduct(input_weight_); }
  RepeatedProduct hidden_product() const { return RepeatedProduct(hidden_weight_); }
  static State step(const Tensor& gates, const State& state);

 private:
  int64_t width_;
  Tensor input_weight_, hidden_weight_;
};
TORCH_MODULE(Lstm);

// What the recurrent captioners share: the input's fixed parts are turned into gates once, not once
// a word.
class RecurrentCaptionerImpl : public CaptionerImpl {
 public:
  RecurrentCaptionerImpl(const ModelSettings& settings, int64_t attended_width);

 protected:
  Tensor states(const CaptionMemory& memory, const CaptionQueries& queries,
                const Tensor& words) override;
  std::unique_ptr<Decoding> start(const CaptionMemory& memory,
                                  const CaptionQueries& queries) override;

  // What the captioner looks at before its next word [caption, attended width]; undefined when it
  // looks at nothing.
  class Attention {
   public:
    virtual ~Attention() = default;
    virtual Tensor look(const Tensor& hidden) = 0;
  };
  virtual std::unique_ptr<Attention> attend(const CaptionMemory& memory,
                                            const CaptionQueries& queries) = 0;
  // The query as the LSTM takes it.
  virtual Tensor query_input(const CaptionQueries& queries) const { return queries.features; }

  torch::nn::Module& core() { return *core_; }

 private:
  class Recurrence;

  int64_t word_width_, attended_width_;
  std::shared_ptr<torch::nn::Module> core_{
      register_module("core", std::make_shared<torch::nn::Module>("core"))};
  Lstm lstm_{nullptr};
};

// Sees the query and nothing else.
class LightCaptionerImpl : public RecurrentCaptionerImpl {
 public:
  explicit LightCaptionerImpl(const ModelSettings& settings)
      : RecurrentCaptionerImpl(settings, 0) {}
  CaptionMemory read(const Memory& memory) override;

 protected:
  std::unique_ptr<Attention> attend(const CaptionMemory&, const CaptionQueries&) override {
    return nullptr;
  }
  Tensor query_input(const CaptionQueries& queries) const override {
    return queries.features / (1 + 1e-5);
  }
};

// How attended positions are scored against the LSTM's state: softmax of alpha(tanh(key + state)).
class AdditiveScore {
 public:
  AdditiveScore(torch::nn::Module& core, int64_t value_width, int64_t state_width,
                int64_t attention_width);
  Tensor keys(const Tensor& values) const {
    return affine(values, key_->weight);
  }  // without the bias
  // What turns states into queries [caption, attention], for all steps of a sentence; `score` adds
  // the biases.
  RepeatedProduct query_product() const { return RepeatedProduct(state_->weight); }
  // keys [caption, ..., attention], query [caption, attention] -> scores [caption, ...]
  Tensor score(const Tensor& keys, const Tensor& query);

 private:
  Linear key_{nullptr}, state_{nullptr}, alpha_{nullptr};
};

// Before each word, state and query choose a few points around the event to look at.
class StandardCaptionerImpl : public RecurrentCaptionerImpl {
 public:
  explicit StandardCaptionerImpl(const ModelSettings& settings);
  CaptionMemory read(const Memory& memory) override;

 protected:
  std::unique_ptr<Attention> attend(const CaptionMemory& memory,
                                    const CaptionQueries& queries) override;

 private:
  class Sampling;

  int64_t hidden_, rnn_width_, heads_, levels_, points_;
  Linear offsets_{nullptr}, values_{nullptr};
  AdditiveScore score_;
};

// Attends to all real positions of all levels.
class SoftCaptionerImpl : public RecurrentCaptionerImpl {
 public:
  explicit SoftCaptionerImpl(const ModelSettings& settings);
  CaptionMemory read(const Memory& memory) override;

 protected:
  std::unique_ptr<Attention> attend(const CaptionMemory& memory,
                                    const CaptionQueries& queries) override;

 private:
  class Looking;

  Linear values_{nullptr};
  AdditiveScore score_;
};

}  // namespace pdvc
