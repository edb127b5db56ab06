#include "output/description.h"

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/mapped_file.h"
#include "base/parallel.h"
#include "data/annotations.h"
#include "data/features.h"
#include "data/model_file.h"
#include "data/predictions.h"
#include "data/ranking.h"
#include "tensor/checkpoint.h"
#include "tensor/npz.h"

namespace pdvc {
namespace {

namespace fs = std::filesystem;

Description array_description(const std::string& name, const ArrayView& view) {
  Description row;
  if (!name.empty()) row["name"] = name;
  row["type"] = name_of(view.type);
  row["shape"] = view.shape;
  if (view.type == DType::c64 || view.type == DType::c128 || view.elements() == 0) return row;
  const Statistics statistics = statistics_of(view);
  if (statistics.finite > 0) {
    row["least"] = statistics.least;
    row["most"] = statistics.most;
    row["mean"] = statistics.mean;
  }
  row["nan"] = statistics.not_a_number;
  row["infinite"] = statistics.infinite;
  return row;
}

// The statistics of many arrays, on all threads, in the order given.
Description array_table(const std::vector<NamedView>& arrays, DescriptionContext context) {
  std::vector<Description> rows(arrays.size());
  Progress progress(context.log, context.progress, "reading", static_cast<int64_t>(arrays.size()));
  parallel_for(context.threads, static_cast<int64_t>(arrays.size()), [&](int64_t i) {
    check_interrupt();
    const NamedView& array = arrays[static_cast<size_t>(i)];
    rows[static_cast<size_t>(i)] = array_description(array.name, array.view);
    progress.advance();
  });
  return rows;
}

// Numbers that a model has learnt: a tensor under several names counts once, what training or
// packing adds not at all.
int64_t parameter_count(const std::vector<NamedView>& arrays) {
  int64_t total = 0;
  std::set<const std::byte*> seen;
  for (const auto& [name, view] : arrays) {
    const bool extra = name.ends_with(".scale") || name.starts_with("optimizer");
    if (!extra && seen.insert(view.bytes.data()).second) total += view.elements();
  }
  return total;
}

Description describe_npy(const fs::path& path) {
  Description result = {{"kind", "array"}, {"format", "npy"}};
  result.update(array_description("", read_npy(path).view()));
  return result;
}

Description describe_npz(const fs::path& path, DescriptionContext context) {
  const std::vector<NamedArray> arrays = read_npz(path);
  std::vector<NamedView> views;
  for (const NamedArray& array : arrays) views.push_back({array.name, array.array.view()});
  return {{"kind", "arrays"}, {"format", "npz"}, {"arrays", array_table(views, context)}};
}

Description describe_hdf5(const fs::path& path, DescriptionContext context) {
  const Hdf5File file(path);
  auto [data_sets, failures] = file.contents();
  Description rows = Description::array();
  Progress progress(context.log, context.progress, "reading",
                    static_cast<int64_t>(data_sets.size()));
  for (const Hdf5DataSet& data_set : data_sets) {
    check_interrupt();
    try {
      rows.push_back(array_description(data_set.name, file.read(data_set.name).view()));
    } catch (const Error& error) {
      failures.emplace_back(error.what());
    }
    progress.advance();
  }
  return {{"kind", "arrays"},
          {"format", "hdf5"},
          {"data_sets", data_sets.size()},
          {"arrays", std::move(rows)},
          {"failures", failures}};
}

std::vector<NamedView> views_of(const std::map<std::string, ArrayView>& tensors) {
  std::vector<NamedView> views;
  for (const auto& [name, view] : tensors) views.push_back({name, view});
  return views;
}

Description describe_model(Safetensors file, const std::string& name, DescriptionContext context) {
  const ModelFile model(std::move(file), name, context.log);
  const auto& [settings, vocabulary, backbone, note] = model.description();
  const std::vector<NamedView> views = views_of(model.tensors());
  Description result = {{"kind", "model"}, {"format", "safetensors"}};
  result["parameters"] = parameter_count(views);
  result["words"] = vocabulary ? Description(vocabulary->size()) : Description(nullptr);
  result["backbone"] = backbone_json(backbone);
  result["note"] = note;
  result["settings"] = model_file_settings(settings);
  result["tensors"] = array_table(views, context);
  return result;
}

Description describe_safetensors(const fs::path& path, DescriptionContext context) {
  Safetensors file(path);
  if (is_model_file(file)) return describe_model(std::move(file), path.string(), context);
  const std::vector<NamedView> views = views_of(file.tensors());
  return {{"kind", "tensors"},
          {"format", "safetensors"},
          {"parameters", parameter_count(views)},
          {"metadata", file.metadata()},
          {"tensors", array_table(views, context)}};
}

Description value_description(const CheckpointValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  if (const auto* integer = std::get_if<int64_t>(&value)) return *integer;
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* object = std::get_if<OpaqueObject>(&value)) return {{"opaque", object->type}};
  return nullptr;
}

Description describe_checkpoint(const fs::path& path, DescriptionContext context) {
  const Checkpoint checkpoint(path);
  std::vector<NamedView> tensors;
  Description values = Description::array();
  for (const CheckpointEntry& entry : checkpoint.entries())
    if (const auto* view = std::get_if<ArrayView>(&entry.value))
      tensors.push_back({entry.path, *view});
    else
      values.push_back({{"name", entry.path}, {"value", value_description(entry.value)}});
  constexpr std::array kFormats = {"zip", "stream", "pickle"};
  return {{"kind", "checkpoint"},
          {"format", kFormats[static_cast<size_t>(checkpoint.format())]},
          {"parameters", parameter_count(tensors)},
          {"values", std::move(values)},
          {"tensors", array_table(tensors, context)}};
}

Description describe_vocabulary(const fs::path& path) {
  const Vocabulary vocabulary = Vocabulary::read(path);
  return {{"kind", "vocabulary"},
          {"words", vocabulary.size()},
          {"first", vocabulary.words().front()},
          {"last", vocabulary.words().back()}};
}

// Counts that annotations and predictions share.
Description events_description(const std::vector<VideoEvents>& videos) {
  int64_t events = 0, words = 0;
  size_t most_events = 0;
  double seconds = 0, covered = 0;
  for (const VideoEvents& video : videos) {
    events += static_cast<int64_t>(video.events.size());
    most_events = std::max(most_events, video.events.size());
    seconds += video.duration.value_or(0);
    for (const Event& event : video.events) {
      covered += event.segment.length();
      words += word_count(event.sentence);
    }
  }
  const auto mean = [](double sum, auto count) {
    return count > 0 ? sum / static_cast<double>(count) : 0;
  };
  Description result = {
      {"videos", videos.size()}, {"events", events}, {"most_events", most_events}};
  result["events_per_video"] = mean(static_cast<double>(events), videos.size());
  result["words_per_sentence"] = mean(static_cast<double>(words), events);
  result["seconds_per_event"] = mean(covered, events);
  if (seconds > 0) result["seconds_per_video"] = mean(seconds, videos.size());
  return result;
}

Description describe_annotations(const fs::path& path, DescriptionContext context) {
  const AnnotationRules rules{ReversedTimes::leave_out, Sentences::optional};
  Description result = {{"kind", "annotations"}};
  result.update(events_description(read_annotations(path, rules, context.log)));
  return result;
}

Description describe_predictions(const fs::path& path) {
  const Predictions predictions = read_predictions(path);
  Description result = {{"kind", "predictions"}, {"version", predictions.version}};
  result.update(events_description(predictions.videos));
  return result;
}

Description describe_paragraphs(const fs::path& path) {
  const MappedFile file(path);
  int64_t videos = 0, words = 0;
  for_each_json_entry(as_text(file.bytes()), path.string(), "",
                      [&](const std::string& video, Json&& text) {
                        check(text.is_string(), path, ": ", video, ": expected a paragraph, got ",
                              json_excerpt(text));
                        ++videos;
                        words += word_count(text.get<std::string>());
                      });
  return {{"kind", "paragraphs"},
          {"videos", videos},
          {"words_per_paragraph",
           static_cast<double>(words) / static_cast<double>(std::max<int64_t>(videos, 1))}};
}

Description describe_settings(const fs::path& path, DescriptionContext context) {
  return {{"kind", "settings"},
          {"settings", settings_to_json(load_settings(path, {}, context.log))}};
}

std::vector<fs::path> feature_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".npy" || entry.path().extension() == ".npz")
      files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

// A folder of features: every file is read once; a bad one is named and the others go on.
Description describe_folder(const fs::path& folder, DescriptionContext context) {
  const std::vector<fs::path> files = feature_files(folder);
  check(!files.empty(), folder, ": holds no .npy or .npz features");
  std::vector<std::string> failures(files.size());
  std::vector<Shape> shapes(files.size());
  Progress progress(context.log, context.progress, "reading", static_cast<int64_t>(files.size()));
  parallel_for(context.threads, static_cast<int64_t>(files.size()), [&](int64_t index) {
    const auto i = static_cast<size_t>(index);
    check_interrupt();
    try {
      shapes[i] = read_feature_file(files[i], context.log).shape();
    } catch (const Error& error) {
      failures[i] = error.what();
    }
    progress.advance();
  });
  std::erase(failures, "");
  std::erase(shapes, Shape{});
  std::set<int64_t> widths;
  int64_t rows = 0, most = 0;
  for (const Shape& shape : shapes) {
    widths.insert(shape[1]);
    rows += shape[0];
    most = std::max(most, shape[0]);
  }
  return {{"kind", "features"}, {"files", files.size()}, {"widths", widths},
          {"rows", rows},       {"most_rows", most},     {"failures", failures}};
}

Description describe_contents(const fs::path& path, FileKind kind, DescriptionContext context) {
  switch (kind) {
    case FileKind::folder:
      return describe_folder(path, context);
    case FileKind::npy:
      return describe_npy(path);
    case FileKind::npz:
      return describe_npz(path, context);
    case FileKind::hdf5:
      return describe_hdf5(path, context);
    case FileKind::safetensors:
      return describe_safetensors(path, context);
    case FileKind::checkpoint:
      return describe_checkpoint(path, context);
    case FileKind::vocabulary:
      return describe_vocabulary(path);
    case FileKind::annotations:
      return describe_annotations(path, context);
    case FileKind::predictions:
      return describe_predictions(path);
    case FileKind::paragraphs:
      return describe_paragraphs(path);
    case FileKind::video_list:
      return {{"kind", "list of videos"}, {"videos", read_video_list(path).size()}};
    case FileKind::settings:
      return describe_settings(path, context);
    case FileKind::other:
      break;
  }
  fail(path, ": is of no known kind");
}

}  // namespace

Description describe_file(const fs::path& path, FileKind kind, DescriptionContext context) {
  Description result = {{"file", path.string()}};
  if (kind != FileKind::folder) result["bytes"] = fs::file_size(path);
  result.update(describe_contents(path, kind, context));
  return result;
}

}  // namespace pdvc
