#include "runtime/transformer.h"

#include <algorithm>

namespace pdvc {
namespace {

// out = norm(x + y), row by row; out may be x.
void add_and_normalize(const float* x, const float* y, const Norm& norm, float* out, int64_t rows,
                       Workspace& workspace) {
  const size_t width = norm.scale.size();
  workspace.split(rows, [&](int64_t first, int64_t last, int) {
    for (auto r = static_cast<size_t>(first); r < static_cast<size_t>(last); ++r)
      vector::add_and_normalize({x + r * width, width}, {y + r * width, width}, norm.affine(),
                                {out + r * width, width});
  });
}

void add_rows(const float* a, const float* b, float* out, int64_t rows, int64_t width) {
  const auto count = static_cast<size_t>(rows * width);
  vector::add({a, count}, {b, count}, {out, count});
}

// x = norm(x + feed_forward(x))
void feed_forward(const FeedForwardLayers& layers, const Norm& norm, float* x, int64_t rows,
                  Workspace& workspace) {
  const Arena::Scope scope(workspace.arena);
  float* inner = workspace.arena.rows(rows, layers.first.outputs());
  float* outer = workspace.arena.rows(rows, layers.second.outputs());
  workspace.run(layers.first, x, inner, rows);
  workspace.run(layers.second, inner, outer, rows);
  add_and_normalize(x, outer, norm, x, rows, workspace);
}

// Every position looks from its own place, the same share of every level.
std::vector<Reference> own_references(const Memory& memory) {
  std::vector<Reference> references;
  references.reserve(static_cast<size_t>(memory.rows));
  for (size_t v = 0; v < memory.videos.size(); ++v)
    for (const int64_t length : memory.videos[v].lengths)
      for (int64_t j = 0; j < length; ++j)
        references.push_back({.centre = (static_cast<float>(j) + 0.5f) / static_cast<float>(length),
                              .video = static_cast<int64_t>(v)});
  return references;
}

// Queries of each video, and the video's memory as keys.
std::vector<AttentionGroup> groups_of(std::span<const RowRange> queries, const Memory& memory) {
  std::vector<AttentionGroup> groups;
  for (size_t v = 0; v < memory.videos.size(); ++v)
    groups.push_back({queries[v], {memory.videos[v].first, memory.videos[v].count()}});
  return groups;
}

void encoder_layer(const EncoderLayer& layer, int64_t heads, std::span<const Reference> references,
                   std::span<const AttentionGroup> groups, Memory& memory, Workspace& workspace) {
  const Arena::Scope scope(workspace.arena);
  const auto hidden = static_cast<int64_t>(layer.norm1.scale.size());
  float* query = workspace.arena.rows(memory.rows, hidden);
  float* looked = workspace.arena.rows(memory.rows, hidden);
  add_rows(memory.features, memory.positions, query, memory.rows, hidden);
  attend_memory(layer.attention, heads, query, references, groups, memory, looked, workspace);
  add_and_normalize(memory.features, looked, layer.norm1, memory.features, memory.rows, workspace);
  feed_forward(layer.feed_forward, layer.norm2, memory.features, memory.rows, workspace);
}

void decoder_layer(const DecoderLayer& layer, int64_t heads, const Queries& queries,
                   std::span<const Reference> references, std::span<const AttentionGroup> among,
                   std::span<const AttentionGroup> groups, const Memory& memory, float* x,
                   Workspace& workspace) {
  const Arena::Scope scope(workspace.arena);
  const auto hidden = static_cast<int64_t>(layer.norm1.scale.size());
  const int64_t rows = queries.rows();
  float* placed = workspace.arena.rows(rows, hidden);
  float* looked = workspace.arena.rows(rows, hidden);
  add_rows(x, queries.positions, placed, rows, hidden);
  softmax_attention(layer.self_attention, heads, placed, placed, x, among, looked, workspace);
  add_and_normalize(x, looked, layer.norm2, x, rows, workspace);
  add_rows(x, queries.positions, placed, rows, hidden);
  attend_memory(layer.cross_attention, heads, placed, references, groups, memory, looked,
                workspace);
  add_and_normalize(x, looked, layer.norm1, x, rows, workspace);
  feed_forward(layer.feed_forward, layer.norm3, x, rows, workspace);
}

}  // namespace

void encode(std::span<const EncoderLayer> layers, int64_t heads, Memory& memory,
            Workspace& workspace) {
  std::vector<RowRange> own;
  for (const VideoLevels& video : memory.videos) own.push_back({video.first, video.count()});
  const std::vector<Reference> references = own_references(memory);
  const std::vector<AttentionGroup> groups = groups_of(own, memory);
  for (const EncoderLayer& layer : layers)
    encoder_layer(layer, heads, references, groups, memory, workspace);
}

Decoded decode(std::span<const DecoderLayer> layers, int64_t heads, const Queries& queries,
               const Memory& memory, const BoxRule* refine, Workspace& workspace) {
  const auto hidden = static_cast<int64_t>(layers.front().norm1.scale.size());
  Decoded result{.hidden = workspace.arena.rows(queries.rows(), hidden),
                 .references = queries.references};
  std::copy_n(queries.targets, queries.rows() * hidden, result.hidden);
  std::vector<AttentionGroup> among;
  for (const RowRange& video : queries.videos) among.push_back({video, video});
  const std::vector<AttentionGroup> groups = groups_of(queries.videos, memory);
  for (size_t i = 0; i < layers.size(); ++i) {
    if (i > 0 && refine != nullptr)
      result.references = refine->boxes(result.hidden, result.references, i - 1, workspace);
    decoder_layer(layers[i], heads, queries, result.references, among, groups, memory,
                  result.hidden, workspace);
  }
  return result;
}

}  // namespace pdvc
