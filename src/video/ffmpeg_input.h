// Inside libpdvc_video.so: opens files that strangers have made.
#pragma once

extern "C" {
#include <libavformat/avformat.h>
}

#include <filesystem>
#include <memory>
#include <string>

namespace pdvc {

struct InputCloser {
  void operator()(AVFormatContext* context) const;
};
using Input = std::unique_ptr<AVFormatContext, InputCloser>;

std::string ffmpeg_error_text(int code);

// Only this one file is read: formats that name other files cannot open them. FFmpeg says nothing
// on the terminal.
Input open_input(const std::filesystem::path& path);
// The same, with what the first packets tell about the streams.
Input open_described_input(const std::filesystem::path& path);

// The film: neither cover art nor a stream without decoder; the default one, else the largest.
// Throws when there is none.
AVStream* film_stream(const Input& input, const std::filesystem::path& path);

// The comment in its metadata; empty: none.
std::string comment_of(const Input& input);

// FFmpeg takes any text for a terminal's picture, and pictures for films of one frame.
bool is_picture_format(const std::string& container);

}  // namespace pdvc
