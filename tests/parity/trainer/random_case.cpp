#include "parity/trainer/random_case.h"

#include <algorithm>

namespace pdvc {
namespace {

int64_t between(int64_t least, int64_t most, Random& random) {
  return std::uniform_int_distribution<int64_t>(least, most)(random);
}

template <class T>
T one_of(const std::vector<T>& choices, Random& random) {
  return choices[static_cast<size_t>(between(0, static_cast<int64_t>(choices.size()) - 1, random))];
}

// A divisor of `whole` that is at most `most`.
int64_t divisor_of(int64_t whole, int64_t least, int64_t most, Random& random) {
  std::vector<int64_t> divisors;
  for (int64_t d = least; d <= most; ++d)
    if (whole % d == 0) divisors.push_back(d);
  return one_of(divisors, random);
}

struct Captioning {
  const char* name;
  CaptionerKind kind;
  int64_t heads;  // 1, or more than one
};
constexpr Captioning kCaptioning[] = {
    {"none", CaptionerKind::none, 1},         {"light", CaptionerKind::light, 1},
    {"standard", CaptionerKind::standard, 1}, {"standard_heads", CaptionerKind::standard, 2},
    {"soft", CaptionerKind::soft, 1},         {"transformer", CaptionerKind::transformer, 1}};

Variant variant_of(const Captioning& captioning) {
  Variant variant{.name = captioning.name};
  variant.settings.captioner = captioning.kind;
  variant.settings.caption_heads = captioning.heads;
  return variant;
}

void add_transformers(const Captioning& captioning, std::vector<Variant>& variants) {
  for (const TransformerKind transformer : {TransformerKind::deformable, TransformerKind::ordinary})
    for (const QuerySource source : {QuerySource::queries, QuerySource::gt_proposals})
      for (const bool refine : {false, true}) {
        Variant variant = variant_of(captioning);
        variant.name += "_" + std::string(names_of(transformer)[static_cast<size_t>(transformer)]) +
                        "_" + std::string(names_of(source)[static_cast<size_t>(source)]) +
                        (refine ? "_refined" : "");
        variant.settings.transformer = transformer;
        variant.settings.query_source = source;
        variant.settings.refine_boxes = refine;
        variants.push_back(variant);
      }
}

void add_caption_supervision(const Captioning& captioning, std::vector<Variant>& variants) {
  if (captioning.kind == CaptionerKind::none) return;
  for (const bool refine : {false, true}) {
    Variant variant = variant_of(captioning);
    variant.name += std::string("_weak") + (refine ? "_refined" : "");
    variant.settings.supervision = Supervision::captions;
    variant.settings.refine_boxes = refine;
    variants.push_back(variant);
  }
}

// Anywhere in the video, now and then all of it or a single instant.
std::pair<double, double> random_segment(double duration, Random& random) {
  const int64_t kind = between(0, 9, random);
  std::uniform_real_distribution<double> anywhere(0, duration);
  if (kind == 0) return {0, duration};
  double start = anywhere(random), end = kind == 1 ? start : anywhere(random);
  if (end < start) std::swap(start, end);
  return {start, end};
}

}  // namespace

std::vector<Variant> all_variants() {
  std::vector<Variant> variants;
  for (const Captioning& captioning : kCaptioning) {
    add_transformers(captioning, variants);
    add_caption_supervision(captioning, variants);
  }
  return variants;
}

ModelSettings random_sizes(const Variant& variant, Random& random) {
  ModelSettings s = variant.settings;
  s.feature_width = 2 * between(2, 18, random) + 1;
  s.frames = between(1, 24, random);
  s.resample = between(0, 1, random) == 1;
  s.padding = one_of<Padding>({Padding::exact, Padding::published}, random);
  s.hidden = 32 * between(1, 3, random);
  s.heads = divisor_of(s.hidden / 2, 1, 8, random);
  s.feed_forward = between(5, 90, random);
  s.levels = s.caption_levels = between(1, 5, random);
  s.encoder_layers = between(1, 3, random);
  s.decoder_layers = between(1, 3, random);
  s.encoder_points = between(1, 5, random);
  s.decoder_points = between(1, 5, random);
  s.queries = between(1, 7, random);
  s.max_events = between(1, 12, random);
  s.vocabulary_size = one_of<int64_t>({5, 17, 30, 45, 70, 133}, random);
  s.word_width = between(3, 70, random);
  s.rnn_width = between(5, 80, random);
  s.attention_width = between(1, 50, random);
  if (s.caption_heads > 1) s.caption_heads = divisor_of(s.hidden, 2, 8, random);
  s.caption_points = between(1, 5, random);
  s.caption_layers = between(1, 3, random);
  s.longest_caption = one_of<int64_t>({3, 6, 12, 30}, random);
  return s;
}

RecordedVideo random_video(const ModelSettings& s, Random& random) {
  RecordedVideo video;
  video.duration = one_of<double>({0.4, 1, 7.3, 59.99, 100, 255.9, 256, 257.1, 3000.5}, random);
  video.rows = between(0, 2, random) == 0 ? between(1, 3, random) : between(4, 45, random);
  std::normal_distribution<float> normal;
  for (int64_t i = 0; i < video.rows * s.feature_width; ++i)
    video.features.push_back(normal(random));
  for (int64_t i = between(1, 6, random); i > 0; --i)
    video.proposals.push_back(random_segment(video.duration, random));
  return video;
}

}  // namespace pdvc
