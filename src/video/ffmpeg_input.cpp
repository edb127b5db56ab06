#include "video/ffmpeg_input.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavutil/log.h>
}

#include <algorithm>
#include <tuple>

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

bool is_film(const AVStream& stream) {
  constexpr int kStill = AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS;
  return stream.codecpar->codec_type == AVMEDIA_TYPE_VIDEO && (stream.disposition & kStill) == 0;
}

bool is_encrypted(const AVStream& stream) {
  constexpr unsigned kEncryptedVideo = MKTAG('e', 'n', 'c', 'v');
  return stream.codecpar->codec_tag == kEncryptedVideo ||
         av_stream_get_side_data(&stream, AV_PKT_DATA_ENCRYPTION_INIT_INFO, nullptr) != nullptr;
}

// What makes one film better than another.
auto preference(const AVStream& stream) {
  const bool decodable = avcodec_find_decoder(stream.codecpar->codec_id) != nullptr;
  const bool chosen = (stream.disposition & AV_DISPOSITION_DEFAULT) != 0;
  return std::tuple(decodable, chosen, int64_t{stream.codecpar->width} * stream.codecpar->height);
}

}  // namespace

void InputCloser::operator()(AVFormatContext* context) const {
  AVIOContext* file = context->pb;
  avformat_close_input(&context);
  avio_close(file);
}

std::string ffmpeg_error_text(int code) {
  char text[AV_ERROR_MAX_STRING_SIZE] = {};
  av_strerror(code, text, sizeof text);
  return text;
}

Input open_input(const std::filesystem::path& path) {
  av_log_set_level(AV_LOG_QUIET);
  AVIOContext* file = nullptr;
  int code = avio_open2(&file, ("file:" + path.string()).c_str(), AVIO_FLAG_READ, nullptr, nullptr);
  check(code >= 0, path, ": cannot be opened: ", ffmpeg_error_text(code));
  AVFormatContext* context = avformat_alloc_context();
  context->pb = file;
  context->io_open = refuse_to_open;
  context->protocol_whitelist = av_strdup(kNoProtocol);
  // The name helps FFmpeg to guess the format; it frees the context when it fails, but not our
  // file.
  code = avformat_open_input(&context, path.c_str(), nullptr, nullptr);
  if (code < 0) avio_close(file);
  check(code >= 0, path, ": is not a video or any other kind of file that pdvc reads (",
        ffmpeg_error_text(code), ")");
  return Input(context);
}

Input open_described_input(const std::filesystem::path& path) {
  check_is_file(path);
  Input input = open_input(path);
  // Without it, containers that keep codec parameters in the stream stay undescribed; a failure
  // leaves what is known.
  avformat_find_stream_info(input.get(), nullptr);
  return input;
}

AVStream* film_stream(const Input& input, const std::filesystem::path& path) {
  AVStream* best = nullptr;
  for (unsigned i = 0; i < input->nb_streams; ++i) {
    AVStream* stream = input->streams[i];
    if (is_film(*stream) && (!best || preference(*stream) > preference(*best))) best = stream;
  }
  check(best != nullptr && !is_picture_format(input->iformat->name), path,
        ": holds no video stream (FFmpeg takes it for ", input->iformat->name, ")");
  check(!is_encrypted(*best), path, ": is encrypted");
  check(avcodec_find_decoder(best->codecpar->codec_id) != nullptr, path,
        ": its video cannot be decoded (FFmpeg has no decoder for ",
        avcodec_get_name(best->codecpar->codec_id), ")");
  return best;
}

std::string comment_of(const Input& input) {
  const auto* tag = av_dict_get(input->metadata, "comment", nullptr, 0);
  return tag ? tag->value : "";
}

bool is_picture_format(const std::string& container) {
  return container == "tty" || container == "image2" || container.ends_with("_pipe");
}

}  // namespace pdvc
