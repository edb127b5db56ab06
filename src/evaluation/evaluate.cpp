#include "evaluation/evaluate.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "base/interrupt.h"
#include "base/parallel.h"
#include "text/ptb_tokenizer.h"

namespace pdvc {
namespace {

constexpr std::string_view kNamePrefix = "v_";

// Names of videos in the order in which they are first seen.
class VideoList {
 public:
  void add(const std::string& video) {
    if (rows_.emplace(video, names_.size()).second) names_.push_back(video);
  }
  const std::vector<std::string>& names() const { return names_; }
  bool contains(const std::string& video) const { return rows_.contains(video); }

  // Of each video of the list its events, or null; of a repeated video the first.
  std::vector<const VideoEvents*> rows(const std::vector<VideoEvents>& videos) const {
    std::vector<const VideoEvents*> result(names_.size());
    for (const VideoEvents& video : videos)
      if (const auto at = rows_.find(video.video); at != rows_.end() && !result[at->second])
        result[at->second] = &video;
    return result;
  }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, size_t> rows_;
};

TokenizedEvents tokenized_events(const VideoEvents* video) {
  TokenizedEvents result;
  if (!video) return result;
  for (const Event& event : video->events) {
    result.segments.push_back(event.segment);
    result.captions.push_back(tokenized(event.sentence));
  }
  return result;
}

// As SODA sees a video; it cuts a video's captions into tokens in this order.
TokenizedEvents by_start(const TokenizedEvents& events) {
  std::vector<size_t> order(events.segments.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t i) { return events.segments[i].start; });
  TokenizedEvents sorted;
  for (const size_t i : order) {
    sorted.segments.push_back(events.segments[i]);
    sorted.captions.push_back(events.captions[i]);
  }
  for (size_t i = 0; i + 1 < order.size(); ++i)
    if (TokenizedCaption& own = sorted.captions[i]; depends_on_next(own.caption))
      own.text = evaluation_text(own.caption, sorted.captions[i + 1].caption);
  return sorted;
}

// Both sides by rising start.
SodaSums soda_sums(const TokenizedEvents& events, const TokenizedEvents& predictions,
                   const std::vector<SodaKind>& kinds, MeteorPairs* meteor) {
  SodaSums sums;
  const size_t rows = events.segments.size(), columns = predictions.segments.size();
  if (columns == 0) return sums;
  sums.videos = 1;
  sums.events = static_cast<double>(rows);
  sums.predictions = static_cast<double>(columns);
  const SodaVideo video{
      .events = rows,
      .predictions = columns,
      .iou = [&](size_t e,
                 size_t p) { return evaluation_iou(events.segments[e], predictions.segments[p]); },
      // The published code hands METEOR the prediction as its reference.
      .meteor =
          [&](size_t e, size_t p) {
            return meteor->score(predictions.captions[p].text, events.captions[e].text);
          }};
  for (const SodaKind kind : kinds) {
    const bool known = meteor || kind == SodaKind::d;
    const double total = known ? soda_total(kind, video) : kNotComputed;
    sums.add(kind, total, soda_score(total, sums.events, sums.predictions));
  }
  return sums;
}

// One video and its annotators, for all systems: texts are cut once, METEOR pairs kept.
class VideoEvaluation {
 public:
  VideoEvaluation(const std::vector<const VideoEvents*>& annotators, const EvaluationPlan& plan)
      : plan_(plan) {
    if (plan.meteor) meteor_.emplace(*plan.meteor);
    for (const VideoEvents* annotator : annotators) {
      by_start_.emplace_back();
      if (!annotator) continue;
      annotators_.push_back(tokenized_events(annotator));
      by_start_.back() = by_start(annotators_.back());
    }
  }

  VideoResult evaluate(const std::string& name, const VideoEvents* system) {
    VideoResult result{.video = name};
    for (const TokenizedEvents& events : annotators_) result.events += std::ssize(events.captions);
    const TokenizedEvents predictions = tokenized_events(system);
    result.predictions = std::ssize(predictions.captions);
    result.sums.soda.resize(by_start_.size());
    if (annotators_.empty()) return result;
    result.sums.videos = 1;
    result.sums.dense = dense_scores(annotators_, predictions, meteor());
    const TokenizedEvents sorted = by_start(predictions);
    for (size_t a = 0; a < by_start_.size(); ++a)
      if (by_start_[a])
        result.sums.soda[a] = soda_sums(*by_start_[a], sorted, plan_.soda, meteor());
    return result;
  }

 private:
  MeteorPairs* meteor() { return meteor_ ? &*meteor_ : nullptr; }

  const EvaluationPlan& plan_;
  std::optional<MeteorPairs> meteor_;
  std::vector<TokenizedEvents> annotators_;               // those that have the video
  std::vector<std::optional<TokenizedEvents>> by_start_;  // of each reference file
};

std::vector<const VideoEvents*> column(const std::vector<std::vector<const VideoEvents*>>& files,
                                       size_t row) {
  std::vector<const VideoEvents*> result;
  for (const auto& file : files) result.push_back(file[row]);
  return result;
}

std::vector<std::string> unknown_videos(const NamedEvents& system, const VideoList& known) {
  std::vector<std::string> unknown;
  for (const VideoEvents& video : system.videos)
    if (!known.contains(video.video)) unknown.push_back(video.video);
  return unknown;
}

// Dense and SODA scores, video by video.
std::vector<SystemResult> evaluate_events(const EvaluationInput& input, const VideoList& list,
                                          const EvaluationPlan& plan) {
  std::vector<std::vector<const VideoEvents*>> references, systems;
  std::vector<SystemResult> results;
  for (const NamedEvents& file : input.references) references.push_back(list.rows(file.videos));
  for (const NamedEvents& system : input.systems) {
    systems.push_back(list.rows(system.videos));
    results.push_back({.name = system.name, .unknown = unknown_videos(system, list)});
    results.back().videos.resize(list.names().size());
  }
  parallel_for(plan.threads, std::ssize(list.names()), [&](int64_t index) {
    check_interrupt();
    const auto row = static_cast<size_t>(index);
    VideoEvaluation video(column(references, row), plan);
    for (size_t i = 0; i < results.size(); ++i)
      results[i].videos[row] = video.evaluate(list.names()[row], systems[i][row]);
    plan.video_done();
  });
  return results;
}

// Paragraph files name videos with a prefix that some prediction files leave out.
std::string with_prefix(const std::string& video) {
  return video.starts_with(kNamePrefix) ? video : std::string(kNamePrefix) + video;
}

struct NamedParagraphs {
  std::vector<std::string> videos;
  std::vector<Paragraph> paragraphs;  // of each video
};

NamedParagraphs reference_paragraphs(const EvaluationInput& input) {
  NamedParagraphs result;
  std::unordered_map<std::string, size_t> rows;
  for (const auto& annotator : input.paragraphs)
    for (const VideoParagraph& video : annotator) {
      const std::string name = with_prefix(video.video);
      const auto [at, is_new] = rows.emplace(name, result.videos.size());
      if (is_new) {
        result.videos.push_back(name);
        result.paragraphs.emplace_back();
      }
      result.paragraphs[at->second].references.push_back(paragraph_text(video.text));
    }
  return result;
}

std::unordered_map<std::string, std::string> predicted_paragraphs(const NamedEvents& system) {
  std::unordered_map<std::string, std::string> result;
  for (const VideoEvents& video : system.videos) {
    std::vector<std::string> sentences;
    for (const Event& event : video.events) sentences.push_back(event.sentence);
    result.emplace(with_prefix(video.video), joined_paragraph(sentences));
  }
  return result;
}

// Adds each paragraph's sums to its video, which is a new one where no reference file has it.
void add_sums(SystemResult& result, const std::vector<std::string>& videos,
              const std::vector<ParagraphSums>& sums) {
  std::unordered_map<std::string, size_t> rows;
  for (size_t row = 0; row < result.videos.size(); ++row)
    rows.emplace(with_prefix(result.videos[row].video), row);
  for (size_t i = 0; i < videos.size(); ++i) {
    const auto [at, is_new] = rows.emplace(videos[i], result.videos.size());
    if (is_new) result.videos.push_back({.video = videos[i]});
    result.videos[at->second].sums.paragraph = sums[i];
  }
}

void evaluate_paragraphs(const EvaluationInput& input, const EvaluationPlan& plan,
                         std::vector<SystemResult>& results) {
  NamedParagraphs named = reference_paragraphs(input);
  for (size_t s = 0; s < results.size(); ++s) {
    const auto predicted = predicted_paragraphs(input.systems[s]);
    for (size_t i = 0; i < named.videos.size(); ++i) {
      const auto at = predicted.find(named.videos[i]);
      named.paragraphs[i].prediction = at == predicted.end() ? "" : at->second;
    }
    add_sums(results[s], named.videos,
             score_paragraphs(named.paragraphs, plan.meteor, plan.threads));
  }
}

VideoList list_videos(const EvaluationInput& input) {
  VideoList list;
  for (const NamedEvents& file : input.references)
    for (const VideoEvents& video : file.videos) list.add(video.video);
  return list;
}

}  // namespace

ScoreSums SystemResult::total() const {
  ScoreSums sum;
  for (const VideoResult& video : videos) sum += video.sums;
  return sum;
}

std::vector<SystemResult> evaluate(const EvaluationInput& input, const EvaluationPlan& plan) {
  std::vector<SystemResult> results = evaluate_events(input, list_videos(input), plan);
  if (!input.paragraphs.empty()) evaluate_paragraphs(input, plan, results);
  return results;
}

int64_t count_videos(const EvaluationInput& input) {
  return std::ssize(list_videos(input).names());
}

VideoCounts count_videos(const SystemResult& system) {
  VideoCounts counts;
  for (const VideoResult& video : system.videos) {
    counts.paragraphs += video.sums.paragraph.videos > 0;
    counts.predicted_paragraphs += video.sums.paragraph.bleu.length > 0;
    if (video.sums.videos == 0) continue;  // only paragraphs have it
    ++counts.references;
    counts.events += video.events;
    counts.predictions += video.predictions;
    counts.with_predictions += video.predictions > 0;
    if (video.predictions == 0) counts.missing.push_back(video.video);
  }
  return counts;
}

}  // namespace pdvc
