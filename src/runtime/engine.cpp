#include "runtime/engine.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "base/parallel.h"
#include "runtime/heads.h"
#include "runtime/temporal_encoder.h"
#include "text/caption.h"

namespace pdvc {

struct Engine::Content {
  ModelDescription description;
  BlockPool room;  // of all packed weights
  std::unique_ptr<Captioner> captioner;
  TemporalEncoderLayers temporal_encoder;
  std::vector<float> level_embedding;  // [level, hidden]
  std::vector<EncoderLayer> encoder;
  std::vector<DecoderLayer> decoder;
  std::vector<float> query_embedding;  // [query, position and target]
  std::vector<Reference> references;   // of the learnt queries
  Dense proposal_projection;
  Norm proposal_norm;
  std::optional<Heads> heads;

  Content(const ModelSource& source, const EngineOptions& options);

  const ModelSettings& settings() const { return description.settings.model; }
  Queries learnt_queries(size_t videos, Workspace& workspace) const;
  Queries proposal_queries(std::span<const VideoInput> videos, Workspace& workspace) const;
  std::vector<Reference> boxes_of(const Decoded& decoded, bool proposals,
                                  Workspace& workspace) const;
  std::vector<Sentence> sentences_of(const Memory& memory, const Decoded& decoded,
                                     const SearchOptions& search, Workspace& workspace) const;
};

namespace {

// Where each learnt query looks at first: sigmoid(reference_points(position)).
std::vector<Reference> learnt_references(const LayerReader& reader,
                                         std::span<const float> embedding) {
  const std::string prefix = "transformer.reference_points.";
  const Numbers weight = reader.numbers(prefix + "weight"), bias = reader.numbers(prefix + "bias");
  const auto hidden = static_cast<size_t>(reader.settings().hidden);
  std::vector<Reference> references;
  for (size_t q = 0; q < embedding.size() / (2 * hidden); ++q) {
    const auto position = embedding.subspan(q * 2 * hidden, hidden);
    const auto at = [&](size_t i) {
      return sigmoid(vector::dot(position, weight.values().subspan(i * hidden, hidden)) + bias[i]);
    };
    Reference reference{.centre = at(0), .is_point = bias.size() == 1};
    if (!reference.is_point) reference.length = at(1);
    references.push_back(reference);
  }
  return references;
}

// A segment in seconds as a share of its video.
Reference as_reference(const Segment& segment, double duration, size_t video) {
  return {.centre = static_cast<float>(segment.centre() / duration),
          .length = static_cast<float>(segment.length() / duration),
          .is_point = false,
          .video = static_cast<int64_t>(video)};
}

Segment in_seconds(const Reference& box, double duration) {
  const double half = box.length / 2.0;
  return {std::clamp(box.centre - half, 0.0, 1.0) * duration,
          std::clamp(box.centre + half, 0.0, 1.0) * duration};
}

}  // namespace

// Packing takes longer than captioning a video: the threads share it. The captioner comes first, as
// the largest piece.
Engine::Content::Content(const ModelSource& source, const EngineOptions& options)
    : description(source.description),
      encoder(static_cast<size_t>(settings().encoder_layers)),
      decoder(static_cast<size_t>(settings().decoder_layers)) {
  const LayerReader reader(source, options.precision, room);
  std::vector<std::function<void()>> pieces;
  pieces.emplace_back([&] { captioner = read_captioner(reader, options.threads); });
  pieces.emplace_back([&] { temporal_encoder = read_temporal_encoder(reader); });
  for (size_t i = 0; i < decoder.size(); ++i)
    pieces.emplace_back(
        [&, i] { decoder[i] = read_decoder_layer(reader, static_cast<int64_t>(i)); });
  for (size_t i = 0; i < encoder.size(); ++i)
    pieces.emplace_back(
        [&, i] { encoder[i] = read_encoder_layer(reader, static_cast<int64_t>(i)); });
  pieces.emplace_back([&] {
    heads.emplace(reader);
    proposal_projection = reader.linear("transformer.pos_trans", kQueryRows);
    proposal_norm = reader.norm("transformer.pos_trans_norm");
    level_embedding = reader.copied("transformer.level_embed");
    query_embedding = reader.copied("query_embed.weight");
    references = learnt_references(reader, query_embedding);
  });
  parallel_for(options.threads, static_cast<int64_t>(pieces.size()),
               [&](int64_t i) { pieces[static_cast<size_t>(i)](); });
}

Queries Engine::Content::learnt_queries(size_t videos, Workspace& workspace) const {
  const auto count = static_cast<int64_t>(references.size());
  const int64_t rows = count * static_cast<int64_t>(videos), hidden = settings().hidden;
  Queries queries{.positions = workspace.arena.rows(rows, hidden),
                  .targets = workspace.arena.rows(rows, hidden)};
  for (size_t v = 0; v < videos; ++v) {
    const int64_t first = count * static_cast<int64_t>(v);
    queries.videos.push_back({first, count});
    for (int64_t q = 0; q < count; ++q) {
      const auto from = query_embedding.begin() + q * 2 * hidden;
      std::copy_n(from, hidden, queries.positions + (first + q) * hidden);
      std::copy_n(from + hidden, hidden, queries.targets + (first + q) * hidden);
      queries.references.push_back(references[static_cast<size_t>(q)]);
      queries.references.back().video = static_cast<int64_t>(v);
    }
  }
  return queries;
}

// A proposal's query is made of the sines of its centre and its length.
Queries Engine::Content::proposal_queries(std::span<const VideoInput> videos,
                                          Workspace& workspace) const {
  const int64_t hidden = settings().hidden;
  Queries queries;
  for (size_t v = 0; v < videos.size(); ++v) {
    queries.videos.push_back({queries.rows(), static_cast<int64_t>(videos[v].proposals.size())});
    for (const Segment& segment : videos[v].proposals)
      queries.references.push_back(as_reference(segment, videos[v].duration, v));
  }
  queries.positions = workspace.arena.rows(queries.rows(), hidden);
  queries.targets = workspace.arena.rows(queries.rows(), hidden);
  const Arena::Scope scope(workspace.arena);
  float* sines = workspace.arena.rows(queries.rows(), hidden);
  float* both = workspace.arena.rows(queries.rows(), 2 * hidden);
  const auto half = static_cast<size_t>(hidden / 2), width = static_cast<size_t>(2 * hidden);
  const auto angle = [](float x) {
    return sigmoid(inverse_sigmoid(x)) * static_cast<float>(2 * M_PI);
  };
  for (size_t q = 0; q < queries.references.size(); ++q) {
    float* row = sines + q * 2 * half;
    sine_embedding(angle(queries.references[q].centre), {row, half});
    sine_embedding(angle(queries.references[q].length), {row + half, half});
  }
  workspace.run(proposal_projection, sines, both, queries.rows());
  const std::vector<float> nothing(width, 0.0f);
  std::vector<float> normal(width);
  for (int64_t q = 0; q < queries.rows(); ++q) {
    vector::add_and_normalize({both + q * 2 * hidden, width}, nothing, proposal_norm.affine(),
                              normal);
    std::copy_n(normal.begin(), hidden, queries.positions + q * hidden);
    std::copy_n(normal.begin() + hidden, hidden, queries.targets + q * hidden);
  }
  return queries;
}

std::vector<Reference> Engine::Content::boxes_of(const Decoded& decoded, bool proposals,
                                                 Workspace& workspace) const {
  if (proposals || settings().supervision == Supervision::captions) return decoded.references;
  return heads->boxes(decoded.hidden, decoded.references, heads->last_layer(), workspace);
}

std::vector<Sentence> Engine::Content::sentences_of(const Memory& memory, const Decoded& decoded,
                                                    const SearchOptions& search,
                                                    Workspace& workspace) const {
  const CaptionQueries queries{decoded.hidden, decoded.references};
  if (queries.count() == 0) return {};
  SearchOptions options = search;
  options.beam = std::min(search.beam, settings().vocabulary_size + 1);
  const auto decoding =
      captioner->start(memory, queries, queries.count() * options.beam, workspace);
  return find_sentences(*decoding, queries.count(), options);
}

Engine::Engine(const ModelSource& source, const EngineOptions& options)
    : content_(std::make_unique<Content>(source, options)) {}
Engine::~Engine() = default;
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;

const ModelDescription& Engine::description() const { return content_->description; }

std::vector<VideoPredictions> Engine::predict(std::span<const VideoInput> videos, bool proposals,
                                              const SearchOptions& search,
                                              Workspace& workspace) const {
  const Content& c = *content_;
  const ModelSettings& s = c.settings();
  const Arena::Scope scope(workspace.arena);
  Memory memory = encode_levels(c.temporal_encoder, c.level_embedding, videos, s.feature_width,
                                s.hidden, workspace);
  encode(c.encoder, s.heads, memory, workspace);
  const Queries queries = proposals ? c.proposal_queries(videos, workspace)
                                    : c.learnt_queries(videos.size(), workspace);
  const bool refine = c.heads->refines() && !proposals;
  const Decoded decoded =
      decode(c.decoder, s.heads, queries, memory, refine ? &*c.heads : nullptr, workspace);
  const std::vector<Reference> boxes = c.boxes_of(decoded, proposals, workspace);
  const std::vector<float> labels = c.heads->labels(decoded.hidden, queries.rows());
  std::vector<Sentence> sentences;
  if (c.captioner) sentences = c.sentences_of(memory, decoded, search, workspace);

  std::vector<VideoPredictions> results(videos.size());
  for (size_t v = 0; v < videos.size(); ++v) {
    const RowRange range = queries.videos[v];
    results[v].count_scores = c.heads->counts(decoded.hidden + range.first * s.hidden, range.count);
    for (int64_t q = 0; q < range.count; ++q) {
      const auto row = static_cast<size_t>(range.first + q);
      Event event{.segment = in_seconds(boxes[row], videos[v].duration)};
      event.proposal_score = sigmoid(labels[row]);
      event.query = q;
      event.sentence_score = 0;
      if (c.captioner) {
        event.sentence = ids_to_caption(sentences[row].words, *c.description.vocabulary);
        event.sentence_score = sentences[row].log_probability;
      }
      results[v].queries.push_back(std::move(event));
    }
  }
  return results;
}

}  // namespace pdvc
