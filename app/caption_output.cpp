#include "caption_output.h"

#include <algorithm>

#include "base/atomic_file.h"
#include "base/error.h"
#include "output/html.h"

namespace pdvc {
namespace {

namespace fs = std::filesystem;

std::vector<OutputFormat> formats_from(const std::string& list) try {
  return parse_formats(list);
} catch (const Error& error) {
  throw UsageError(std::string("--format: ") + error.what());
}

bool names_folder(const std::string& out) { return out.ends_with('/') || fs::is_directory(out); }

void check_many(OutputFormat format, size_t videos) {
  if (videos > 1 && !holds_many_videos(format))
    throw UsageError("caption: " + std::string(name_of(format)) +
                     " holds one video a file; give a folder for several (-o FOLDER/)");
}

}  // namespace

OutputPlan plan_output(const std::string& out, const std::string& formats, size_t videos,
                       bool terminal) {
  OutputPlan plan;
  if (!formats.empty()) plan.formats = formats_from(formats);
  if (out.empty() || out == "-") {
    if (plan.formats.empty())
      plan.formats = {out.empty() && terminal ? OutputFormat::txt : OutputFormat::json};
    if (plan.formats.size() > 1)
      throw UsageError("caption: several formats need a folder (-o FOLDER/)");
    check_many(plan.formats[0], videos);
    return plan;
  }
  plan.path = out;
  if (names_folder(out) || plan.formats.size() > 1) {
    plan.place = OutputPlan::Place::folder;
    if (plan.formats.empty()) plan.formats = {OutputFormat::json};
    if (fs::exists(out) && !fs::is_directory(out))
      throw UsageError("caption: " + out + ": is a file; several formats need a folder");
    return plan;
  }
  plan.place = OutputPlan::Place::file;
  if (plan.formats.empty()) {
    const auto format = format_of_file(out);
    if (!format)
      throw UsageError("caption: " + out +
                       ": its name tells no format; say --format, or end a folder in /");
    plan.formats = {*format};
  }
  check_many(plan.formats[0], videos);
  return plan;
}

CaptionOutput::CaptionOutput(const OutputPlan& plan, std::vector<std::string> names,
                             const std::string& run, bool resume, Session& session)
    : plan_(plan), names_(std::move(names)), session_(session) {
  if (plan_.place == OutputPlan::Place::standard_output) {
    if (resume) throw UsageError("caption: --resume needs an output file or folder (-o)");
    return;
  }
  if (plan_.place == OutputPlan::Place::folder) {
    fs::create_directories(plan_.path);
    journal_.emplace(plan_.path / ".pdvc-caption.part", run, resume);
  } else {
    journal_.emplace(plan_.path.string() + ".part", run, resume);
    done_ = journal_->finished();
  }
}

bool CaptionOutput::has(const std::string& video) const {
  if (plan_.place != OutputPlan::Place::folder) return done_.contains(video);
  return journal_->finished().contains(video) &&
         std::ranges::all_of(plan_.formats, [&](OutputFormat format) {
           return fs::exists(file_of(video, format));
         });
}

void CaptionOutput::add(VideoEvents video) {
  for (const OutputFormat format : plan_.formats)
    if (const auto warning = format_warning(format, video))
      session_.log.warning(video.video + ": " + *warning);
  if (plan_.place == OutputPlan::Place::folder)
    for (const OutputFormat format : plan_.formats)
      write_file(file_of(video.video, format), text_of(format, {&video, 1}));
  if (journal_) journal_->add(video);
  if (plan_.place != OutputPlan::Place::folder) done_[video.video] = std::move(video);
}

void CaptionOutput::finish(bool complete) {
  if (plan_.place != OutputPlan::Place::folder) {
    std::vector<VideoEvents> videos;
    for (const std::string& name : names_)
      if (const auto found = done_.find(name); found != done_.end())
        videos.push_back(found->second);
    if (!videos.empty()) {
      const std::string text = text_of(plan_.formats[0], videos);
      if (plan_.place == OutputPlan::Place::file)
        write_file(plan_.path, text);
      else
        session_.out << text;
    }
  }
  if (complete && journal_) journal_->remove();
}

std::string CaptionOutput::text_of(OutputFormat format, std::span<const VideoEvents> videos) const {
  const auto film = videos.size() == 1 ? films_.find(videos[0].video) : films_.end();
  if (format != OutputFormat::html || film == films_.end()) return render(format, videos);
  const fs::path folder = plan_.place == OutputPlan::Place::folder ? plan_.path
                          : plan_.place == OutputPlan::Place::file ? plan_.path.parent_path()
                                                                   : fs::path();
  return html_page(videos[0], film_address(film->second, folder.empty() ? "." : folder));
}

fs::path CaptionOutput::file_of(const std::string& video, OutputFormat format) const {
  // A data set's name may hold the names of its groups.
  std::string name = video;
  std::ranges::replace(name, '/', '_');
  return plan_.path / (name + std::string(extension_of(format)));
}

}  // namespace pdvc
