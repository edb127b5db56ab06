#include "runtime/attention.h"

#include <cmath>

#include "kernels/sampling.h"

namespace pdvc {
namespace {

int64_t rows_of(std::span<const AttentionGroup> groups, RowRange AttentionGroup::*range) {
  return groups.empty() ? 0 : (groups.back().*range).first + (groups.back().*range).count;
}

// Where point k of a level is read.
float place_of(const DeformableLayers& layers, const Reference& reference, float offset, int64_t k,
               int64_t length) {
  if (!layers.even) return sampling_place(reference, offset, layers.points, length);
  const float share =
      layers.points == 1 ? 0 : static_cast<float>(k) / static_cast<float>(layers.points - 1) - 0.5f;
  return (reference.centre + reference.length * share) * static_cast<float>(length) - 0.5f;
}

// What one thread needs to sample.
struct SamplingRoom {
  DeformableSampler sampler;
  std::vector<LevelRows> levels;
  std::vector<float> places;
};

// One query: `sampling` holds its offsets and its weights, not yet softmaxed.
void sample_query(const DeformableLayers& layers, int64_t heads, const Reference& reference,
                  const VideoLevels& video, const float* values, float* sampling,
                  SamplingRoom& room, std::span<float> out) {
  const size_t levels = video.lengths.size(), points = static_cast<size_t>(layers.points),
               samples = levels * points;
  const int64_t hidden = layers.values.outputs(), width = hidden / heads;
  room.levels.resize(levels);
  room.places.resize(samples);
  for (int64_t h = 0; h < heads; ++h) {
    const float* offsets = sampling + static_cast<size_t>(h) * samples;
    const std::span<float> weights(sampling + static_cast<size_t>(heads + h) * samples, samples);
    vector::softmax(weights);
    for (size_t l = 0; l < levels; ++l) {
      room.levels[l] = {values + (video.first + video.starts[l]) * hidden + h * width, hidden,
                        video.lengths[l]};
      for (size_t k = 0; k < points; ++k)
        room.places[l * points + k] = place_of(layers, reference, offsets[l * points + k],
                                               static_cast<int64_t>(k), video.lengths[l]);
    }
    room.sampler.attend(room.levels, room.places, weights,
                        out.subspan(static_cast<size_t>(h * width), static_cast<size_t>(width)));
  }
}

void deformable_attention(const DeformableLayers& layers, int64_t heads, const float* query,
                          std::span<const Reference> references, const Memory& memory, float* out,
                          Workspace& workspace) {
  const Arena::Scope scope(workspace.arena);
  const auto rows = static_cast<int64_t>(references.size());
  const int64_t hidden = layers.values.outputs(), samples = layers.sampling.outputs();
  float* values = workspace.arena.rows(memory.rows, hidden);
  float* sampling = workspace.arena.rows(rows, samples);
  float* looked = workspace.arena.rows(rows, hidden);
  workspace.run(layers.values, memory.features, values, memory.rows);
  workspace.run(layers.sampling, query, sampling, rows);
  workspace.split(rows, [&](int64_t first, int64_t last, int) {
    SamplingRoom room;
    for (int64_t r = first; r < last; ++r) {
      const Reference& reference = references[static_cast<size_t>(r)];
      sample_query(layers, heads, reference, memory.videos[static_cast<size_t>(reference.video)],
                   values, sampling + r * samples, room,
                   {looked + r * hidden, static_cast<size_t>(hidden)});
    }
  });
  workspace.run(layers.output, looked, out, rows);
}

}  // namespace

void softmax_query(const float* query, const float* keys, const float* values, RowRange range,
                   int64_t heads, int64_t hidden, AttentionTerms& terms, float* out) {
  const auto width = static_cast<size_t>(hidden / heads);
  const float scale = 1 / std::sqrt(static_cast<float>(width));
  for (size_t h = 0; h < static_cast<size_t>(heads); ++h) {
    terms.clear();
    for (int64_t j = range.first; j < range.first + range.count; ++j) {
      const size_t at = static_cast<size_t>(j * hidden) + h * width;
      terms.add(values + at, scale * vector::dot({query + h * width, width}, {keys + at, width}));
    }
    vector::softmax(terms.factors);
    vector::weighted_sum(terms.rows, terms.factors, {out + h * width, width});
  }
}

void softmax_attention(const SoftmaxLayers& layers, int64_t heads, const float* query,
                       const float* key, const float* value, std::span<const AttentionGroup> groups,
                       float* out, Workspace& workspace) {
  const Arena::Scope scope(workspace.arena);
  const int64_t queries = rows_of(groups, &AttentionGroup::queries),
                keys = rows_of(groups, &AttentionGroup::keys), hidden = layers.output.inputs();
  float* q = workspace.arena.rows(queries, hidden);
  float* k = workspace.arena.rows(keys, hidden);
  float* v = workspace.arena.rows(keys, hidden);
  float* looked = workspace.arena.rows(queries, hidden);
  workspace.run(layers.query, query, q, queries);
  workspace.run(layers.key, key, k, keys);
  workspace.run(layers.value, value, v, keys);
  std::vector<const AttentionGroup*> group_of(static_cast<size_t>(queries));
  for (const AttentionGroup& group : groups)
    for (int64_t i = 0; i < group.queries.count; ++i)
      group_of[static_cast<size_t>(group.queries.first + i)] = &group;
  workspace.split(queries, [&](int64_t first, int64_t last, int) {
    AttentionTerms terms;
    for (int64_t r = first; r < last; ++r)
      softmax_query(q + r * hidden, k, v, group_of[static_cast<size_t>(r)]->keys, heads, hidden,
                    terms, looked + r * hidden);
  });
  workspace.run(layers.output, looked, out, queries);
}

void attend_memory(const MemoryLayers& layers, int64_t heads, const float* query,
                   std::span<const Reference> references, std::span<const AttentionGroup> groups,
                   const Memory& memory, float* out, Workspace& workspace) {
  if (const auto* deformable = std::get_if<DeformableLayers>(&layers))
    return deformable_attention(*deformable, heads, query, references, memory, out, workspace);
  const auto& softmax = std::get<SoftmaxLayers>(layers);
  const Arena::Scope scope(workspace.arena);
  const auto numbers = static_cast<size_t>(memory.rows * softmax.key.inputs());
  float* keys = workspace.arena.rows(memory.rows, softmax.key.inputs());
  vector::add({memory.features, numbers}, {memory.positions, numbers}, {keys, numbers});
  softmax_attention(softmax, heads, query, keys, memory.features, groups, out, workspace);
}

}  // namespace pdvc
