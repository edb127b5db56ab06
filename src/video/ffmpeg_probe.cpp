#include "video/ffmpeg_probe.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/log.h>
}

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/error.h"
#include "base/mapped_file.h"

namespace pdvc {
namespace {

// A file from a stranger must not make FFmpeg open another one, neither directly nor through a
// format that opens inputs of its own, as play lists do; those inherit the list of allowed
// protocols.
constexpr const char* kNoProtocol = "none";
int refuse_to_open(AVFormatContext*, AVIOContext**, const char*, int, AVDictionary**) {
  return AVERROR(EPERM);
}

struct Closer {
  void operator()(AVFormatContext* context) const {
    AVIOContext* file = context->pb;
    avformat_close_input(&context);
    avio_close(file);
  }
};
using Input = std::unique_ptr<AVFormatContext, Closer>;

std::string error_text(int code) {
  char text[AV_ERROR_MAX_STRING_SIZE] = {};
  av_strerror(code, text, sizeof text);
  return text;
}

Input open_input(const std::filesystem::path& path) {
  av_log_set_level(AV_LOG_QUIET);
  AVIOContext* file = nullptr;
  int code = avio_open2(&file, ("file:" + path.string()).c_str(), AVIO_FLAG_READ, nullptr, nullptr);
  check(code >= 0, path, ": cannot be opened: ", error_text(code));
  AVFormatContext* context = avformat_alloc_context();
  context->pb = file;
  context->io_open = refuse_to_open;
  context->protocol_whitelist = av_strdup(kNoProtocol);
  // The name helps FFmpeg to guess the format; it frees the context when it fails, but not our
  // file.
  code = avformat_open_input(&context, path.c_str(), nullptr, nullptr);
  if (code < 0) avio_close(file);
  check(code >= 0, path, ": is not a video or any other kind of file that pdvc reads (",
        error_text(code), ")");
  return Input(context);
}

double rotation_of(const AVStream& stream) {
  const auto* matrix = av_stream_get_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, nullptr);
  if (!matrix) return 0;
  const double angle = -av_display_rotation_get(reinterpret_cast<const int32_t*>(matrix));
  return std::isfinite(angle) ? std::fmod(angle + 360, 360) : 0;
}

StreamInfo describe(const AVStream& stream) {
  const AVCodecParameters& codec = *stream.codecpar;
  const char* kind = av_get_media_type_string(codec.codec_type);
  StreamInfo info{.kind = kind ? kind : "unknown", .codec = avcodec_get_name(codec.codec_id)};
  if (codec.codec_type != AVMEDIA_TYPE_VIDEO) return info;
  info.width = codec.width;
  info.height = codec.height;
  if (stream.avg_frame_rate.num > 0 && stream.avg_frame_rate.den > 0)
    info.frames_per_second = av_q2d(stream.avg_frame_rate);
  if (stream.nb_frames > 0) info.frames = stream.nb_frames;
  info.rotation = rotation_of(stream);
  info.cover_art = (stream.disposition & AV_DISPOSITION_ATTACHED_PIC) != 0;
  return info;
}

// FFmpeg takes any text for a terminal's picture, and pictures for films of one frame.
bool is_film(const VideoInfo& info) {
  const bool picture =
      info.container == "tty" || info.container == "image2" || info.container.ends_with("_pipe");
  return !picture && std::ranges::any_of(info.streams, [](const StreamInfo& stream) {
    return stream.kind == "video" && !stream.cover_art;
  });
}

}  // namespace

VideoInfo ffmpeg_probe(const std::filesystem::path& path) {
  check_is_file(path);
  const Input input = open_input(path);
  // Without it, containers that keep codec parameters in the stream stay undescribed; a failure
  // leaves what is known.
  avformat_find_stream_info(input.get(), nullptr);
  VideoInfo info{.container = input->iformat->name};
  if (input->duration > 0) info.duration = static_cast<double>(input->duration) / AV_TIME_BASE;
  if (const auto* tag = av_dict_get(input->metadata, "comment", nullptr, 0))
    info.comment = tag->value;
  for (unsigned i = 0; i < input->nb_streams; ++i)
    info.streams.push_back(describe(*input->streams[i]));
  check(is_film(info), path, ": holds no video stream (FFmpeg takes it for ", info.container, ")");
  return info;
}

std::string ffmpeg_library_version() { return av_version_info(); }

}  // namespace pdvc
