#include "runtime/temporal_encoder.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace pdvc {
namespace {

constexpr int64_t kGroups = 32;
constexpr size_t kKeptSines = 64;

// The rows of one level of all videos, end to end.
struct Level {
  float* rows = nullptr;
  std::vector<RowRange> videos;
  int64_t total = 0;
};

Level input_level(std::span<const VideoInput> videos, int64_t width, Workspace& workspace) {
  Level level;
  for (const VideoInput& video : videos) {
    const auto count = static_cast<int64_t>(video.features.size()) / width;
    level.videos.push_back({level.total, count});
    level.total += count;
  }
  level.rows = workspace.arena.rows(level.total, width);
  for (size_t v = 0; v < videos.size(); ++v)
    std::ranges::copy(videos[v].features, level.rows + level.videos[v].first * width);
  return level;
}

// Row j of a video is its input rows 2j - 1, 2j and 2j + 1 side by side, zero where there is none.
void gather_triples(const Level& input, int64_t width, const Level& output, float* gathered) {
  const auto bytes = static_cast<size_t>(width) * sizeof(float);
  for (size_t v = 0; v < input.videos.size(); ++v)
    for (int64_t j = 0; j < output.videos[v].count; ++j)
      for (int64_t tap = 0; tap < 3; ++tap) {
        float* target = gathered + ((output.videos[v].first + j) * 3 + tap) * width;
        const int64_t from = 2 * j - 1 + tap;
        if (from < 0 || from >= input.videos[v].count)
          std::memset(target, 0, bytes);
        else
          std::memcpy(target, input.rows + (input.videos[v].first + from) * width, bytes);
      }
}

Level project(const LevelProjection& projection, const Level& input, Workspace& workspace) {
  const int64_t width = projection.convolution.inputs() / projection.kernel,
                hidden = projection.convolution.outputs();
  Level output;
  for (const RowRange& video : input.videos) {
    const int64_t count = projection.kernel == 1 ? video.count : (video.count + 1) / 2;
    output.videos.push_back({output.total, count});
    output.total += count;
  }
  output.rows = workspace.arena.rows(output.total, hidden);
  const Arena::Scope scope(workspace.arena);
  const float* rows = input.rows;
  if (projection.kernel == 3) {
    float* gathered = workspace.arena.rows(output.total, 3 * width);
    gather_triples(input, width, output, gathered);
    rows = gathered;
  }
  workspace.run(projection.convolution, rows, output.rows, output.total);
  workspace.split(
      static_cast<int64_t>(output.videos.size()), [&](int64_t first, int64_t last, int) {
        for (int64_t v = first; v < last; ++v) {
          const RowRange& video = output.videos[static_cast<size_t>(v)];
          vector::group_normalize(
              {output.rows + video.first * hidden, static_cast<size_t>(video.count * hidden)},
              hidden, kGroups, projection.norm.affine());
        }
      });
  return output;
}

VideoLevels place_video(const std::vector<Level>& levels, size_t video, int64_t first) {
  VideoLevels place{.first = first};
  int64_t start = 0;
  for (const Level& level : levels) {
    place.starts.push_back(start);
    place.lengths.push_back(level.videos[video].count);
    start += level.videos[video].count;
  }
  return place;
}

// The sine half of a level's positions [length, width], made once for each length.
const std::vector<float>& level_sines(int64_t length, int64_t width, Workspace& workspace) {
  if (workspace.sines.size() > kKeptSines) workspace.sines.clear();
  auto [found, is_new] = workspace.sines.try_emplace({length, width});
  std::vector<float>& sines = found->second;
  if (!is_new) return sines;
  sines.resize(static_cast<size_t>(length * width));
  for (int64_t j = 0; j < length; ++j) {
    const float share = (static_cast<float>(j + 1) - 0.5f) / (static_cast<float>(length) + 1e-6f);
    sine_embedding(
        share * static_cast<float>(2 * M_PI),
        std::span(sines).subspan(static_cast<size_t>(j * width), static_cast<size_t>(width)));
  }
  return sines;
}

// Half sine, half duration, and the level's own vector on top.
void write_positions(const VideoLevels& place, std::span<const float> duration,
                     std::span<const float> level_embedding, float* positions,
                     Workspace& workspace) {
  const size_t half = duration.size(), hidden = 2 * half;
  for (size_t l = 0; l < place.starts.size(); ++l) {
    const auto embedding = level_embedding.subspan(l * hidden, hidden);
    const std::vector<float>& sines =
        level_sines(place.lengths[l], static_cast<int64_t>(half), workspace);
    for (int64_t j = 0; j < place.lengths[l]; ++j) {
      float* row = positions + static_cast<size_t>(place.first + place.starts[l] + j) * hidden;
      const auto sine = std::span(sines).subspan(static_cast<size_t>(j) * half, half);
      vector::add(sine, embedding.first(half), {row, half});
      vector::add(duration, embedding.last(half), {row + half, half});
    }
  }
}

std::span<const float> duration_embedding(const std::vector<float>& table, double duration,
                                          int64_t half) {
  const auto rows = static_cast<int64_t>(table.size()) / half;
  const auto seconds =
      static_cast<int64_t>(std::clamp(std::floor(duration), 0.0, static_cast<double>(rows - 1)));
  return std::span(table).subspan(static_cast<size_t>(seconds * half), static_cast<size_t>(half));
}

}  // namespace

void sine_embedding(float x, std::span<float> out) {
  const auto channels = static_cast<float>(out.size());
  for (size_t i = 0; i < out.size(); ++i) {
    const size_t pair = i / 2;  // of a sine and a cosine
    const float period = std::pow(10000.0f, 2 * static_cast<float>(pair) / channels);
    out[i] = i % 2 == 0 ? std::sin(x / period) : std::cos(x / period);
  }
}

Memory encode_levels(const TemporalEncoderLayers& layers, std::span<const float> level_embedding,
                     std::span<const VideoInput> videos, int64_t feature_width, int64_t hidden,
                     Workspace& workspace) {
  int64_t positions = 0;
  for (const VideoInput& video : videos) {
    auto length = static_cast<int64_t>(video.features.size()) / feature_width;
    for (size_t l = 0; l < layers.levels.size(); ++l) {
      if (l > 0) length = (length + 1) / 2;
      positions += length;
    }
  }
  Memory memory{.rows = positions,
                .features = workspace.arena.rows(positions, hidden),
                .positions = workspace.arena.rows(positions, hidden)};
  const Arena::Scope scope(workspace.arena);
  const Level input = input_level(videos, feature_width, workspace);
  std::vector<Level> levels;
  for (size_t l = 0; l < layers.levels.size(); ++l)
    levels.push_back(project(layers.levels[l], l < 2 ? input : levels.back(), workspace));
  int64_t first = 0;
  for (size_t v = 0; v < videos.size(); ++v) {
    const VideoLevels place = place_video(levels, v, first);
    for (size_t l = 0; l < levels.size(); ++l)
      std::copy_n(levels[l].rows + levels[l].videos[v].first * hidden, place.lengths[l] * hidden,
                  memory.features + (first + place.starts[l]) * hidden);
    write_positions(place, duration_embedding(layers.durations, videos[v].duration, hidden / 2),
                    level_embedding, memory.positions, workspace);
    first += place.count();
    memory.videos.push_back(place);
  }
  return memory;
}

}  // namespace pdvc
