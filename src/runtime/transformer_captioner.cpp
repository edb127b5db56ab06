#include "runtime/transformer_captioner.h"

#include <algorithm>
#include <cmath>

#include "runtime/attention.h"
#include "runtime/temporal_encoder.h"
#include "runtime/word_scores.h"

namespace pdvc {
namespace {

// Normalised before it is used, added afterwards.
struct CaptionLayer {
  SoftmaxLayers self_attention, cross_attention;
  FeedForwardLayers feed_forward;
  Norm norm1, norm2, norm3;
};

class TransformerCaptioner : public Captioner {
 public:
  TransformerCaptioner(const LayerReader& reader, int64_t parts)
      : hidden_(reader.settings().hidden),
        heads_(reader.settings().heads),
        embedding_(reader.kept("caption_head.0.embed.weight")),
        norm_(reader.norm("caption_head.0.norm")),
        scores_(reader, parts) {
    for (int64_t i = 0; i < reader.settings().caption_layers; ++i) {
      const std::string prefix = "caption_head.0.layers." + std::to_string(i) + ".";
      layers_.push_back({reader.softmax_attention(prefix + "self_attn.", kQueryRows),
                         reader.softmax_attention(prefix + "cross_attn.", kQueryRows),
                         reader.feed_forward(prefix, kQueryRows), reader.norm(prefix + "norm1"),
                         reader.norm(prefix + "norm2"), reader.norm(prefix + "norm3")});
    }
  }

  std::unique_ptr<Decoding> start(const Memory& memory, const CaptionQueries& queries,
                                  int64_t most_rows, Workspace& workspace) const override;

 private:
  class Sentences;

  int64_t hidden_, heads_;
  std::span<const float> embedding_;  // [word, hidden]
  Norm norm_;
  std::vector<CaptionLayer> layers_;
  WordScores scores_;
};

// Keys and values of the words so far are kept, so that each new word is one row.
class TransformerCaptioner::Sentences : public Decoding {
 public:
  Sentences(const TransformerCaptioner& captioner, const Memory& memory,
            const CaptionQueries& queries, int64_t most_rows, Workspace& workspace)
      : captioner_(captioner),
        memory_(memory),
        queries_(queries),
        workspace_(workspace),
        x_(workspace.arena.rows(most_rows, captioner.hidden_)) {
    for (int64_t i = 0; i < queries.count(); ++i) {
      caption_.push_back(i);
      words_.emplace_back(captioner.layers_.size());
    }
    for (const CaptionLayer& layer : captioner.layers_) {
      Seen seen{workspace.arena.rows(memory.rows, captioner.hidden_),
                workspace.arena.rows(memory.rows, captioner.hidden_)};
      workspace.run(layer.cross_attention.key, memory.features, seen.keys, memory.rows);
      workspace.run(layer.cross_attention.value, memory.features, seen.values, memory.rows);
      memory_seen_.push_back(seen);
    }
  }

  void advance(std::span<const int64_t> words, int64_t best,
               std::vector<Candidate>& candidates) override {
    const auto rows = static_cast<int64_t>(words.size());
    const Arena::Scope scope(workspace_.arena);
    embed(words);
    for (size_t l = 0; l < captioner_.layers_.size(); ++l) layer(l, rows);
    float* normal = workspace_.arena.rows(rows, captioner_.hidden_);
    normalize(captioner_.norm_, rows, normal);
    ++step_;
    captioner_.scores_.choose(normal, rows, best, workspace_, candidates);
  }

  void keep(std::span<const int64_t> from) override {
    std::vector<int64_t> captions;
    std::vector<std::vector<Past>> words;
    for (const int64_t row : from) {
      captions.push_back(caption_[static_cast<size_t>(row)]);
      words.push_back(words_[static_cast<size_t>(row)]);
    }
    caption_ = std::move(captions);
    words_ = std::move(words);
  }

 private:
  // The memory as one layer's cross-attention sees it.
  struct Seen {
    float *keys, *values;
  };
  // The words so far as one layer's self-attention sees them [word, hidden].
  struct Past {
    std::vector<float> keys, values;
  };

  float* row(float* rows, int64_t r) const { return rows + r * captioner_.hidden_; }

  void embed(std::span<const int64_t> words) {
    const auto hidden = static_cast<size_t>(captioner_.hidden_);
    std::vector<float> place(hidden);
    sine_embedding(static_cast<float>(step_), place);
    for (size_t r = 0; r < words.size(); ++r) {
      const std::span<float> x(row(x_, static_cast<int64_t>(r)), hidden);
      const auto word =
          captioner_.embedding_.subspan(static_cast<size_t>(words[r]) * hidden, hidden);
      vector::add(word, {queries_.features + caption_[r] * captioner_.hidden_, hidden}, x);
      vector::add(x, place, x);
    }
  }

  void normalize(const Norm& norm, int64_t rows, float* out) {
    const auto hidden = static_cast<size_t>(captioner_.hidden_);
    const std::vector<float> nothing(hidden, 0.0f);
    for (int64_t r = 0; r < rows; ++r)
      vector::add_and_normalize({row(x_, r), hidden}, nothing, norm.affine(),
                                {row(out, r), hidden});
  }

  void add_to_x(const float* rows_of_numbers, int64_t rows) {
    const auto count = static_cast<size_t>(rows * captioner_.hidden_);
    vector::add({x_, count}, {rows_of_numbers, count}, {x_, count});
  }

  void layer(size_t index, int64_t rows) {
    const CaptionLayer& layer = captioner_.layers_[index];
    const Arena::Scope scope(workspace_.arena);
    float* normal = workspace_.arena.rows(rows, captioner_.hidden_);
    float* out = workspace_.arena.rows(rows, captioner_.hidden_);
    float* inner = workspace_.arena.rows(rows, layer.feed_forward.first.outputs());
    normalize(layer.norm1, rows, normal);
    attend_words(index, normal, rows, out);
    add_to_x(out, rows);
    normalize(layer.norm2, rows, normal);
    attend_memory(index, normal, rows, out);
    add_to_x(out, rows);
    normalize(layer.norm3, rows, normal);
    workspace_.run(layer.feed_forward.first, normal, inner, rows);
    workspace_.run(layer.feed_forward.second, inner, out, rows);
    add_to_x(out, rows);
  }

  void attend_words(size_t index, const float* normal, int64_t rows, float* out) {
    const SoftmaxLayers& layers = captioner_.layers_[index].self_attention;
    const Arena::Scope scope(workspace_.arena);
    float* query = workspace_.arena.rows(rows, captioner_.hidden_);
    float* key = workspace_.arena.rows(rows, captioner_.hidden_);
    float* value = workspace_.arena.rows(rows, captioner_.hidden_);
    float* looked = workspace_.arena.rows(rows, captioner_.hidden_);
    workspace_.run(layers.query, normal, query, rows);
    workspace_.run(layers.key, normal, key, rows);
    workspace_.run(layers.value, normal, value, rows);
    workspace_.split(rows, [&](int64_t first, int64_t last, int) {
      for (int64_t r = first; r < last; ++r) {
        Past& past = words_[static_cast<size_t>(r)][index];
        past.keys.insert(past.keys.end(), row(key, r), row(key, r + 1));
        past.values.insert(past.values.end(), row(value, r), row(value, r + 1));
        attend(row(query, r), past.keys.data(), past.values.data(), {0, step_ + 1}, row(looked, r));
      }
    });
    workspace_.run(layers.output, looked, out, rows);
  }

  void attend_memory(size_t index, const float* normal, int64_t rows, float* out) {
    const SoftmaxLayers& layers = captioner_.layers_[index].cross_attention;
    const Arena::Scope scope(workspace_.arena);
    float* query = workspace_.arena.rows(rows, captioner_.hidden_);
    float* looked = workspace_.arena.rows(rows, captioner_.hidden_);
    workspace_.run(layers.query, normal, query, rows);
    workspace_.split(rows, [&](int64_t first, int64_t last, int) {
      for (int64_t r = first; r < last; ++r) {
        const Reference& reference =
            queries_.references[static_cast<size_t>(caption_[static_cast<size_t>(r)])];
        const VideoLevels& video = memory_.videos[static_cast<size_t>(reference.video)];
        attend(row(query, r), memory_seen_[index].keys, memory_seen_[index].values,
               {video.first, video.count()}, row(looked, r));
      }
    });
    workspace_.run(layers.output, looked, out, rows);
  }

  void attend(const float* query, const float* keys, const float* values, RowRange range,
              float* out) const {
    AttentionTerms terms;
    softmax_query(query, keys, values, range, captioner_.heads_, captioner_.hidden_, terms, out);
  }

  const TransformerCaptioner& captioner_;
  const Memory& memory_;
  const CaptionQueries& queries_;
  Workspace& workspace_;
  float* x_;
  int64_t step_ = 0;
  std::vector<int64_t> caption_;          // of each row
  std::vector<std::vector<Past>> words_;  // [row, layer]
  std::vector<Seen> memory_seen_;         // [layer]
};

std::unique_ptr<Decoding> TransformerCaptioner::start(const Memory& memory,
                                                      const CaptionQueries& queries,
                                                      int64_t most_rows,
                                                      Workspace& workspace) const {
  return std::make_unique<Sentences>(*this, memory, queries, most_rows, workspace);
}

}  // namespace

std::unique_ptr<Captioner> read_transformer_captioner(const LayerReader& reader, int64_t parts) {
  return std::make_unique<TransformerCaptioner>(reader, parts);
}

}  // namespace pdvc
