#include "runtime/caption_attention.h"

#include <algorithm>
#include <cmath>

#include "kernels/sampling.h"
#include "runtime/attention.h"

namespace pdvc {
namespace {

constexpr const char* kCore = "caption_head.0.core.";

// Columns [first, first + count) of a matrix [rows, columns].
std::vector<float> columns_of(std::span<const float> matrix, size_t columns, size_t first,
                              size_t count) {
  std::vector<float> result;
  for (size_t row = 0; row * columns < matrix.size(); ++row)
    result.insert(result.end(), matrix.begin() + static_cast<int64_t>(row * columns + first),
                  matrix.begin() + static_cast<int64_t>(row * columns + first + count));
  return result;
}

// Scores softmax(alpha(tanh(key + query))): the layers that standard and soft attention share.
// Their last bias is the same for all positions and falls out of the softmax.
struct ScoreLayers {
  Dense keys;                // without its bias, which joins the query's
  std::vector<float> alpha;  // [attention]

  explicit ScoreLayers(const LayerReader& reader)
      : alpha(reader.copied(std::string(kCore) + "alpha_net.weight")) {
    const std::string name = std::string(kCore) + "ctx2att.weight";
    const Numbers weight = reader.numbers(name);
    keys = reader.pack(name, weight, {}, static_cast<int64_t>(weight.size() / alpha.size()),
                       kMemoryRows);
  }
};

std::vector<float> query_bias(const LayerReader& reader) {
  std::vector<float> bias = reader.copied(std::string(kCore) + "h2att.bias");
  const Numbers key_bias = reader.numbers(std::string(kCore) + "ctx2att.bias");
  for (size_t i = 0; i < bias.size(); ++i) bias[i] += key_bias[i];
  return bias;
}

class SampledAttention : public CaptionAttention {
 public:
  explicit SampledAttention(const LayerReader& reader)
      : heads_(reader.settings().caption_heads),
        levels_(reader.settings().caption_levels),
        points_(reader.settings().caption_points),
        values_(reader.linear(std::string(kCore) + "deformable_att.value_proj", kMemoryRows)),
        score_(reader) {
    const ModelSettings& s = reader.settings();
    const std::string offsets = std::string(kCore) + "deformable_att.sampling_offsets.",
                      name = offsets + "weight";
    const auto state = static_cast<size_t>(s.rnn_width), hidden = static_cast<size_t>(s.hidden);
    const Numbers weight = reader.numbers(name), bias = reader.numbers(offsets + "bias");
    // The query's share of the offsets is the same for every word; the state's goes with what the
    // state gives to the scores.
    query_offsets_ = reader.pack(name, columns_of(weight, state + hidden, state, hidden), bias,
                                 s.hidden, kQueryRows);
    std::vector<float> rows = reader.copied(std::string(kCore) + "h2att.weight"),
                       row_bias = query_bias(reader);
    const std::vector<float> moved = columns_of(weight, state + hidden, 0, state);
    rows.insert(rows.end(), moved.begin(), moved.end());
    row_bias.resize(row_bias.size() + bias.size(), 0);
    state_ = reader.pack(name, rows, row_bias, s.rnn_width, kQueryRows);
  }

  int64_t width() const override { return values_.outputs(); }
  std::unique_ptr<CaptionLook> start(const Memory& memory, const CaptionQueries& queries,
                                     int64_t most_rows, Workspace& workspace) const override;

 private:
  class Look;

  int64_t heads_, levels_, points_;
  Dense values_;
  ScoreLayers score_;
  Dense query_offsets_;  // [hidden -> samples]
  Dense state_;          // [state -> attention query, then samples]
};

class SampledAttention::Look : public CaptionLook {
 public:
  Look(const SampledAttention& layers, const Memory& memory, const CaptionQueries& queries,
       int64_t most_rows, Workspace& workspace)
      : layers_(layers),
        memory_(memory),
        queries_(queries),
        workspace_(workspace),
        values_(workspace.arena.rows(memory.rows, layers.width())),
        keys_(workspace.arena.rows(memory.rows * layers.heads_, layers.score_.keys.outputs())),
        query_offsets_(workspace.arena.rows(queries.count(), layers.query_offsets_.outputs())),
        states_(workspace.arena.rows(most_rows, layers.state_.outputs())) {
    workspace.run(layers.values_, memory.features, values_, memory.rows);
    workspace.run(layers.score_.keys, values_, keys_, memory.rows * layers.heads_);
    workspace.run(layers.query_offsets_, queries.features, query_offsets_, queries.count());
  }

  void look(const float* hidden, std::span<const int64_t> captions, float* out) override {
    const auto rows = static_cast<int64_t>(captions.size());
    workspace_.run(layers_.state_, hidden, states_, rows);
    workspace_.split(rows, [&](int64_t first, int64_t last, int) {
      Room room(static_cast<size_t>(layers_.levels_), static_cast<size_t>(layers_.points_));
      for (int64_t r = first; r < last; ++r)
        for (int64_t h = 0; h < layers_.heads_; ++h)
          look_with(h, captions[static_cast<size_t>(r)], states_ + r * layers_.state_.outputs(),
                    room, out + r * layers_.width());
    });
  }

 private:
  // What one thread needs to sample.
  struct Room {
    Room(size_t levels, size_t points) : keys(levels), values(levels), places(levels * points) {}
    CaptionSampler sampler;
    std::vector<LevelRows> keys, values;
    std::vector<float> places;
  };

  // Where a head of a caption samples each level.
  void place(int64_t head, int64_t caption, const float* state_offsets, Room& room) const {
    const Reference& reference = queries_.references[static_cast<size_t>(caption)];
    const VideoLevels& video = memory_.videos[static_cast<size_t>(reference.video)];
    const auto samples = static_cast<int64_t>(room.places.size());
    const float* query_offsets =
        query_offsets_ + caption * layers_.query_offsets_.outputs() + head * samples;
    for (int64_t i = 0; i < samples; ++i)
      room.places[static_cast<size_t>(i)] =
          sampling_place(reference, query_offsets[i] + state_offsets[head * samples + i],
                         layers_.points_, video.lengths[static_cast<size_t>(i / layers_.points_)]);
    const int64_t attention = layers_.score_.keys.outputs(),
                  width = layers_.width() / layers_.heads_;
    for (size_t l = 0; l < room.keys.size(); ++l) {
      const int64_t row = (video.first + video.starts[l]) * layers_.heads_ + head;
      room.keys[l] = {keys_ + row * attention, layers_.heads_ * attention, video.lengths[l]};
      room.values[l] = {values_ + row * width, layers_.heads_ * width, video.lengths[l]};
    }
  }

  void look_with(int64_t head, int64_t caption, const float* state, Room& room, float* out) const {
    const auto attention = static_cast<size_t>(layers_.score_.keys.outputs()),
               width = static_cast<size_t>(layers_.width() / layers_.heads_);
    place(head, caption, state + attention, room);
    room.sampler.attend(room.keys, room.values, room.places, {state, attention},
                        layers_.score_.alpha, {out + static_cast<size_t>(head) * width, width});
  }

  const SampledAttention& layers_;
  const Memory& memory_;
  const CaptionQueries& queries_;
  Workspace& workspace_;
  float *values_, *keys_, *query_offsets_, *states_;
};

std::unique_ptr<CaptionLook> SampledAttention::start(const Memory& memory,
                                                     const CaptionQueries& queries,
                                                     int64_t most_rows,
                                                     Workspace& workspace) const {
  return std::make_unique<Look>(*this, memory, queries, most_rows, workspace);
}

class FullAttention : public CaptionAttention {
 public:
  explicit FullAttention(const LayerReader& reader)
      : values_(reader.linear(std::string(kCore) + "value_proj", kMemoryRows)), score_(reader) {
    const std::string name = std::string(kCore) + "h2att.weight";
    state_ = reader.pack(name, reader.numbers(name), query_bias(reader),
                         reader.settings().rnn_width, kQueryRows);
  }

  int64_t width() const override { return values_.outputs(); }
  std::unique_ptr<CaptionLook> start(const Memory& memory, const CaptionQueries& queries,
                                     int64_t most_rows, Workspace& workspace) const override;

 private:
  class Look;

  Dense values_;
  ScoreLayers score_;
  Dense state_;
};

class FullAttention::Look : public CaptionLook {
 public:
  Look(const FullAttention& layers, const Memory& memory, const CaptionQueries& queries,
       int64_t most_rows, Workspace& workspace)
      : layers_(layers),
        memory_(memory),
        queries_(queries),
        workspace_(workspace),
        values_(workspace.arena.rows(memory.rows, layers.width())),
        keys_(workspace.arena.rows(memory.rows, layers.score_.keys.outputs())),
        states_(workspace.arena.rows(most_rows, layers.state_.outputs())) {
    workspace.run(layers.values_, memory.features, values_, memory.rows);
    workspace.run(layers.score_.keys, values_, keys_, memory.rows);
  }

  void look(const float* hidden, std::span<const int64_t> captions, float* out) override {
    const auto rows = static_cast<int64_t>(captions.size());
    workspace_.run(layers_.state_, hidden, states_, rows);
    workspace_.split(rows, [&](int64_t first, int64_t last, int) {
      std::vector<float> weights;
      std::vector<const float*> seen;
      for (int64_t r = first; r < last; ++r)
        look_once(captions[static_cast<size_t>(r)], states_ + r * layers_.state_.outputs(), weights,
                  seen, out + r * layers_.width());
    });
  }

 private:
  void look_once(int64_t caption, const float* state, std::vector<float>& weights,
                 std::vector<const float*>& seen, float* out) const {
    const auto attention = static_cast<size_t>(layers_.score_.keys.outputs()),
               width = static_cast<size_t>(layers_.width());
    const Reference& reference = queries_.references[static_cast<size_t>(caption)];
    const VideoLevels& video = memory_.videos[static_cast<size_t>(reference.video)];
    weights.clear();
    seen.clear();
    for (int64_t j = video.first; j < video.first + video.count(); ++j) {
      const float* key = keys_ + static_cast<size_t>(j) * attention;
      weights.push_back(
          vector::tanh_score({key, key, 0}, {state, attention}, layers_.score_.alpha));
      seen.push_back(values_ + static_cast<size_t>(j) * width);
    }
    vector::softmax(weights);
    vector::weighted_sum(seen, weights, {out, width});
  }

  const FullAttention& layers_;
  const Memory& memory_;
  const CaptionQueries& queries_;
  Workspace& workspace_;
  float *values_, *keys_, *states_;
};

std::unique_ptr<CaptionLook> FullAttention::start(const Memory& memory,
                                                  const CaptionQueries& queries, int64_t most_rows,
                                                  Workspace& workspace) const {
  return std::make_unique<Look>(*this, memory, queries, most_rows, workspace);
}

}  // namespace

std::unique_ptr<CaptionAttention> read_caption_attention(const LayerReader& reader) {
  switch (reader.settings().captioner) {
    case CaptionerKind::standard:
      return std::make_unique<SampledAttention>(reader);
    case CaptionerKind::soft:
      return std::make_unique<FullAttention>(reader);
    default:
      return nullptr;
  }
}

}  // namespace pdvc
