// Files of whole descriptions: {video: text}.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pdvc {

struct VideoParagraph {
  std::string video, text;
};

// In file order. Throws on anything but an object of texts, and on a video that stands twice.
std::vector<VideoParagraph> read_paragraphs(const std::filesystem::path& path);
std::vector<VideoParagraph> parse_paragraphs(std::string_view text, const std::string& name);

// The whole file, one video a line.
std::string paragraphs_text(std::span<const VideoParagraph> paragraphs);

}  // namespace pdvc
