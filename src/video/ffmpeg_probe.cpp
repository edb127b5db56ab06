#include "video/ffmpeg_probe.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavutil/display.h>
}

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "video/ffmpeg_input.h"

namespace pdvc {
namespace {

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

bool is_film(const VideoInfo& info) {
  return !is_picture_format(info.container) &&
         std::ranges::any_of(info.streams, [](const StreamInfo& stream) {
           return stream.kind == "video" && !stream.cover_art;
         });
}

}  // namespace

VideoInfo ffmpeg_probe(const std::filesystem::path& path) {
  const Input input = open_described_input(path);
  VideoInfo info{.container = input->iformat->name};
  if (input->duration > 0) info.duration = static_cast<double>(input->duration) / AV_TIME_BASE;
  info.comment = comment_of(input);
  for (unsigned i = 0; i < input->nb_streams; ++i)
    info.streams.push_back(describe(*input->streams[i]));
  check(is_film(info), path, ": holds no video stream (FFmpeg takes it for ", info.container, ")");
  return info;
}

std::string ffmpeg_library_version() { return av_version_info(); }

}  // namespace pdvc
