// Captioning heads: each turns an event query into a sentence, word by word.
#pragma once

#include <torch/torch.h>

#include <memory>

#include "data/settings.h"
#include "model/batch.h"
#include "model/dropout.h"
#include "model/product.h"

namespace pdvc {

// What a captioner keeps of the memory, made once for all layers, words and captions.
struct CaptionMemory {
  Levels levels;
  Tensor values;  // [video, position, head, width], what is attended to
  Tensor keys;    // the same for scoring, when the captioner has one
  Tensor mask;    // [video, position]
  Tensor valid_ratios, last;
};

// The queries to caption, of any video of the batch.
struct CaptionQueries {
  Tensor features;        // [caption, hidden]
  Tensor centre, length;  // [caption], the reference in shares of the video
  Tensor is_point;        // [caption], the reference has no length
  Tensor video;           // [caption], which of the batch
};

CaptionQueries joined(const std::vector<CaptionQueries>& parts);

// Sentences as the model says them.
struct Captions {
  Tensor words;              // [caption, word], 0 from the end on
  Tensor log_probabilities;  // [caption, word], of each word
};

class CaptionerImpl : public torch::nn::Module {
 public:
  explicit CaptionerImpl(const ModelSettings& settings, int64_t word_width, int64_t state_width);

  virtual CaptionMemory read(const Memory& memory) = 0;
  // Teacher forcing: words [caption, step], the first 0 -> log-probabilities of the next word
  // [caption, step, words + 1].
  Tensor forward(const CaptionMemory& memory, const CaptionQueries& queries, const Tensor& words);
  // Scheduled sampling: while training, forward() replaces this share of the words by what the
  // model itself says at that step.
  void use_own_words(double share) { own_words_ = share; }
  // The likeliest word at each step, until every sentence has ended or has `longest` words.
  Captions greedy(const CaptionMemory& memory, const CaptionQueries& queries, int64_t longest);

 protected:
  // States after each of the steps [caption, step, width], when all words are known beforehand.
  virtual Tensor states(const CaptionMemory& memory, const CaptionQueries& queries,
                        const Tensor& words) = 0;
  // A decoding in progress: the state after one more word [caption, width].
  class Decoding {
   public:
    virtual ~Decoding() = default;
    virtual Tensor advance(const Tensor& words) = 0;
  };
  virtual std::unique_ptr<Decoding> start(const CaptionMemory& memory,
                                          const CaptionQueries& queries) = 0;

  Tensor embed(const Tensor& words) { return embedding_(words); }

 private:
  Tensor with_own_words(const CaptionMemory& memory, const CaptionQueries& queries,
                        const Tensor& words);
  Tensor log_probabilities(const Tensor& states) {
    return logit_(dropout_(states)).log_softmax(-1);
  }

  torch::nn::Embedding embedding_{nullptr};
  Linear logit_{nullptr};
  Dropout dropout_{nullptr};
  double own_words_ = 0;
};

// The captioner that the settings ask for; null for a model that only finds events.
std::shared_ptr<CaptionerImpl> make_captioner(const ModelSettings& settings);

}  // namespace pdvc
