#include "data/model_schema.h"

namespace pdvc {
namespace {

// Collects tensors below a prefix. Repeats are listed under `prefix`, stored under `stored`.
class Section {
 public:
  Section(std::vector<SchemaTensor>& out, std::string prefix, std::string stored)
      : out_(out), prefix_(std::move(prefix)), stored_(std::move(stored)) {}

  Section below(const std::string& name) const {
    return {out_, prefix_ + name + ".", stored_ + name + "."};
  }

  void tensor(const std::string& name, Shape shape) const {
    out_.push_back({prefix_ + name, stored_ + name, std::move(shape)});
  }
  void linear(const std::string& name, int64_t in, int64_t out) const {
    tensor(name + ".weight", {out, in});
    tensor(name + ".bias", {out});
  }
  void norm(const std::string& name, int64_t width) const {
    tensor(name + ".weight", {width});
    tensor(name + ".bias", {width});
  }

 private:
  std::vector<SchemaTensor>& out_;
  std::string prefix_;
  std::string stored_;
};

void temporal_encoder(const Section& section, const ModelSettings& s) {
  section.linear("pos_embed.duration_embed_layer", 256, s.hidden / 2);
  for (int64_t level = 0; level < s.levels; ++level) {
    const Section projection = section.below("input_proj").below(std::to_string(level));
    projection.tensor("0.weight",
                      {s.hidden, level < 2 ? s.feature_width : s.hidden, level == 0 ? 1 : 3});
    projection.tensor("0.bias", {s.hidden});
    projection.norm("1", s.hidden);
  }
}

// What samples `points` of each level with each head.
struct Sampler {
  int64_t query, value, heads, levels, points;
};

void deformable_attention(const Section& section, const Sampler& s) {
  const int64_t samples = s.heads * s.levels * s.points;
  section.linear("sampling_offsets", s.query, samples);
  section.linear("attention_weights", s.query, samples);
  section.linear("value_proj", s.value, s.value);
  section.linear("output_proj", s.value, s.value);
}

void ordinary_attention(const Section& section, int64_t width) {
  section.tensor("in_proj_weight", {3 * width, width});
  section.tensor("in_proj_bias", {3 * width});
  section.linear("out_proj", width, width);
}

void memory_attention(const Section& section, const ModelSettings& s, int64_t points) {
  if (s.transformer == TransformerKind::deformable)
    deformable_attention(section, {s.hidden, s.hidden, s.heads, s.levels, points});
  else
    ordinary_attention(section, s.hidden);
}

void encoder_layer(const Section& section, const ModelSettings& s) {
  memory_attention(section.below("self_attn"), s, s.encoder_points);
  section.norm("norm1", s.hidden);
  section.linear("linear1", s.hidden, s.feed_forward);
  section.linear("linear2", s.feed_forward, s.hidden);
  section.norm("norm2", s.hidden);
}

void decoder_layer(const Section& section, const ModelSettings& s) {
  memory_attention(section.below("cross_attn"), s, s.decoder_points);
  section.norm("norm1", s.hidden);
  ordinary_attention(section.below("self_attn"), s.hidden);
  section.norm("norm2", s.hidden);
  section.linear("linear1", s.hidden, s.feed_forward);
  section.linear("linear2", s.feed_forward, s.hidden);
  section.norm("norm3", s.hidden);
}

void box_head(const Section& section, const ModelSettings& s) {
  section.linear("layers.0", s.hidden, s.hidden);
  section.linear("layers.1", s.hidden, s.hidden);
  section.linear("layers.2", s.hidden, 2);
}

void lstm(const Section& section, int64_t input, int64_t width) {
  section.tensor("rnn.weight_ih_l0", {4 * width, input});
  section.tensor("rnn.weight_hh_l0", {4 * width, width});
}

void attended_core(const Section& core, const ModelSettings& s) {
  lstm(core, s.word_width + 2 * s.hidden, s.rnn_width);
  if (s.captioner == CaptionerKind::standard)
    deformable_attention(
        core.below("deformable_att"),
        {s.rnn_width + s.hidden, s.hidden, s.caption_heads, s.caption_levels, s.caption_points});
  else
    core.linear("value_proj", s.hidden, s.hidden);
  core.linear("ctx2att", s.hidden / (s.captioner == CaptionerKind::standard ? s.caption_heads : 1),
              s.attention_width);
  core.linear("h2att", s.rnn_width, s.attention_width);
  core.linear("alpha_net", s.attention_width, 1);
}

void transformer_captioner(const Section& section, const ModelSettings& s) {
  for (int64_t i = 0; i < s.caption_layers; ++i) {
    const Section layer = section.below("layers").below(std::to_string(i));
    ordinary_attention(layer.below("self_attn"), s.hidden);
    ordinary_attention(layer.below("cross_attn"), s.hidden);
    layer.linear("linear1", s.hidden, s.feed_forward);
    layer.linear("linear2", s.feed_forward, s.hidden);
    for (const char* name : {"norm1", "norm2", "norm3"}) layer.norm(name, s.hidden);
  }
  section.norm("norm", s.hidden);
}

void captioner(const Section& section, const ModelSettings& s) {
  if (!s.has_captioner()) return section.linear("puppet_layer", 1, 1);
  const bool recurrent = s.captioner != CaptionerKind::transformer;
  section.tensor("embed.weight", {s.vocabulary_size + 1, recurrent ? s.word_width : s.hidden});
  section.linear("logit", recurrent ? s.rnn_width : s.hidden, s.vocabulary_size + 1);
  if (s.captioner == CaptionerKind::light)
    lstm(section.below("core"), s.word_width + s.hidden, s.rnn_width);
  else if (recurrent)
    attended_core(section.below("core"), s);
  else
    transformer_captioner(section, s);
}

}  // namespace

std::vector<SchemaTensor> schema_of(const ModelSettings& s) {
  std::vector<SchemaTensor> tensors;
  const Section root(tensors, "", "");
  // Layer i's module, stored under its own name or under the name of the one that all layers share.
  const auto per_layer = [&](const std::string& prefix, const std::string& stored, int64_t layer,
                             bool shared) {
    return Section(tensors, prefix + "." + std::to_string(layer) + ".",
                   stored + "." + std::to_string(shared ? 0 : layer) + ".");
  };
  temporal_encoder(root.below("base_encoder"), s);
  const Section transformer = root.below("transformer");
  transformer.tensor("level_embed", {s.levels, s.hidden});
  for (int64_t i = 0; i < s.encoder_layers; ++i)
    encoder_layer(transformer.below("encoder.layers").below(std::to_string(i)), s);
  for (int64_t i = 0; i < s.decoder_layers; ++i)
    decoder_layer(transformer.below("decoder.layers").below(std::to_string(i)), s);
  if (s.refine_boxes)
    for (int64_t i = 0; i < s.decoder_layers; ++i)
      box_head(per_layer("transformer.decoder.bbox_head", "bbox_head", i, false), s);
  transformer.linear("pos_trans", s.hidden, 2 * s.hidden);
  transformer.norm("pos_trans_norm", 2 * s.hidden);
  transformer.linear("reference_points", s.hidden, s.supervision == Supervision::captions ? 2 : 1);
  for (int64_t i = 0; i < s.decoder_layers; ++i)
    captioner(per_layer("caption_head", "caption_head", i, true), s);
  root.tensor("query_embed.weight", {s.queries, 2 * s.hidden});
  const bool shared = !s.refine_boxes;
  for (int64_t i = 0; i < s.decoder_layers; ++i) {
    const Section head = per_layer("class_head", "class_head", i, shared);
    head.tensor("weight", {1, s.hidden});
    head.tensor("bias", {1});
  }
  for (int64_t i = 0; i < s.decoder_layers; ++i) {
    const Section head = per_layer("count_head", "count_head", i, shared);
    head.tensor("weight", {s.max_events + 1, s.hidden});
    head.tensor("bias", {s.max_events + 1});
  }
  for (int64_t i = 0; i < s.decoder_layers; ++i)
    box_head(per_layer("bbox_head", "bbox_head", i, shared), s);
  return tensors;
}

}  // namespace pdvc
