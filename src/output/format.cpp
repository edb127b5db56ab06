#include "output/format.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/printable.h"
#include "data/predictions.h"
#include "output/chapter_formats.h"
#include "output/html.h"
#include "output/listing.h"
#include "output/subtitles.h"
#include "output/tsv.h"

namespace pdvc {
namespace {

using RenderOne = std::string (*)(const VideoEvents&);
using RenderMany = std::string (*)(std::span<const VideoEvents>);

// One of the two functions is there.
struct FormatEntry {
  OutputFormat format;
  std::string_view name;
  std::string_view extension;
  RenderMany many = nullptr;
  RenderOne one = nullptr;
};

std::string json_of(std::span<const VideoEvents> videos) {
  return predictions_text({.videos = {videos.begin(), videos.end()}});
}

// In the order of the enumeration.
constexpr std::array kFormats{
    FormatEntry{OutputFormat::json, "json", ".json", json_of},
    FormatEntry{OutputFormat::srt, "srt", ".srt", nullptr, srt_text},
    FormatEntry{OutputFormat::vtt, "vtt", ".vtt", nullptr, vtt_text},
    FormatEntry{OutputFormat::txt, "txt", ".txt", listing_text},
    FormatEntry{OutputFormat::tsv, "tsv", ".tsv", tsv_text},
    FormatEntry{OutputFormat::chapters_ffmetadata, "chapters-ffmetadata", ".ffmetadata", nullptr,
                ffmetadata_chapters},
    FormatEntry{OutputFormat::chapters_youtube, "chapters-youtube", ".chapters.txt", nullptr,
                youtube_chapters},
    FormatEntry{OutputFormat::chapters_vtt, "chapters-vtt", ".chapters.vtt", nullptr, vtt_chapters},
    FormatEntry{OutputFormat::html, "html", ".html", nullptr, html_page},
};

const FormatEntry& entry_of(OutputFormat format) {
  return *std::ranges::find(kFormats, format, &FormatEntry::format);
}

OutputFormat parse_format(std::string_view name) {
  const std::string_view full = name == "chapters" ? "chapters-ffmetadata" : name;
  const auto entry = std::ranges::find(kFormats, full, &FormatEntry::name);
  check(entry != kFormats.end(), "unknown output format \"", printable(name), "\" (there are ",
        format_names(), ")");
  return entry->format;
}

}  // namespace

std::string_view name_of(OutputFormat format) { return entry_of(format).name; }

std::string format_names() {
  std::string names;
  for (const FormatEntry& entry : kFormats)
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  return names;
}

std::string_view extension_of(OutputFormat format) { return entry_of(format).extension; }

std::optional<OutputFormat> format_of_file(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  const FormatEntry* best = nullptr;  // ".chapters.txt" rather than ".txt"
  for (const FormatEntry& entry : kFormats) {
    const bool longer = !best || entry.extension.size() > best->extension.size();
    if (name.ends_with(entry.extension) && longer) best = &entry;
  }
  return best ? std::optional(best->format) : std::nullopt;
}

std::vector<OutputFormat> parse_formats(std::string_view list) {
  std::vector<OutputFormat> formats;
  for (size_t start = 0; start <= list.size();) {
    const size_t end = std::min(list.find(',', start), list.size());
    const OutputFormat format = parse_format(list.substr(start, end - start));
    if (std::ranges::count(formats, format) == 0) formats.push_back(format);
    start = end + 1;
  }
  return formats;
}

bool holds_many_videos(OutputFormat format) { return entry_of(format).many != nullptr; }

std::string render(OutputFormat format, std::span<const VideoEvents> videos) {
  const FormatEntry& entry = entry_of(format);
  if (entry.many) return entry.many(videos);
  check(videos.size() == 1, "a file of format ", entry.name, " holds one video, not ",
        videos.size());
  return entry.one(videos[0]);
}

std::optional<std::string> format_warning(OutputFormat format, const VideoEvents& video) {
  if (format != OutputFormat::chapters_youtube) return std::nullopt;
  const size_t count = youtube_chapter_count(video);
  if (count >= kFewestYoutubeChapters) return std::nullopt;
  return join_text(printable(video.video), ": YouTube ignores fewer than ", kFewestYoutubeChapters,
                   " chapters; of at least ", kShortestYoutubeChapter / 1000, " s there are ",
                   count);
}

}  // namespace pdvc
