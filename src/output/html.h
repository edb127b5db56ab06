// One page that opens from disk: the film, a timeline to click on, the sentences. Nothing is loaded
// from elsewhere.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "event/event.h"

namespace pdvc {

// Text as it may stand between tags and in quoted attributes.
std::string html_escaped(std::string_view text);

// `film`: what the page plays, a data: or relative address; empty: no film, only the timeline.
std::string html_page(const VideoEvents& video, std::string_view film);
std::string html_page(const VideoEvents& video);

// Films up to this many bytes become part of the page.
constexpr uintmax_t kLargestEmbeddedFilm = 20'000'000;

// The film as part of a page, or, when it is larger, its address as seen from the page's folder.
std::string film_address(const std::filesystem::path& film,
                         const std::filesystem::path& page_folder);

}  // namespace pdvc
