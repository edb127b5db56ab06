// Captions for people to read.
#pragma once

#include <span>
#include <string>

#include "event/event.h"

namespace pdvc {

// One line an event, in the order given: "  0:03.2 -  0:15.0  a man runs." Several videos each have
// a heading with name and duration, and an empty line between them.
std::string listing_text(std::span<const VideoEvents> videos);

// "  0:03.2 -  0:15.0  a man runs."
std::string event_line(const Event& event);

}  // namespace pdvc
