// pdvc info: what a file holds.
#include <memory>
#include <nlohmann/json.hpp>

#include "command.h"
#include "output/description.h"
#include "video/probe.h"

namespace pdvc {
namespace {

struct InfoOptions {
  std::string file;
  bool json = false;
};

void fields(InfoOptions& o, FieldList& visit) {
  visit(
      "file", o.file,
      "model, checkpoint, features, annotations, predictions, vocabulary, settings or video; or a "
      "folder of features")
      .positional()
      .required();
  visit("json", o.json, "print JSON instead of text");
}

Description stream_description(const StreamInfo& stream) {
  Description row = {{"kind", stream.kind}, {"codec", stream.codec}};
  if (stream.kind != "video") return row;
  row["width"] = stream.width;
  row["height"] = stream.height;
  if (stream.frames_per_second) row["frames_per_second"] = *stream.frames_per_second;
  if (stream.frames) row["frames"] = *stream.frames;
  if (stream.rotation != 0) row["rotation"] = stream.rotation;
  if (stream.cover_art) row["cover_art"] = true;
  return row;
}

Description describe_video(const std::filesystem::path& path) {
  const VideoInfo info = probe_video(path);
  Description result = {
      {"file", path.string()}, {"bytes", std::filesystem::file_size(path)}, {"kind", "video"}};
  result["container"] = info.container;
  result["duration"] = info.duration ? Description(*info.duration) : Description(nullptr);
  if (!info.comment.empty()) result["comment"] = info.comment;
  Description streams = Description::array();
  for (const StreamInfo& stream : info.streams) streams.push_back(stream_description(stream));
  result["streams"] = std::move(streams);
  return result;
}

int run(const InfoOptions& options, Session& session) {
  const FileKind kind = kind_of_file(options.file);
  const Description description =
      kind == FileKind::other
          ? describe_video(options.file)
          : describe_file(options.file, kind, {session.log, session.progress, session.threads});
  if (options.json)
    session.out << description.dump(2, ' ', false, Description::error_handler_t::replace) << '\n';
  else
    session.out << description_text(description);
  if (!description.contains("failures") || description["failures"].empty()) return 0;
  for (const Description& failure : description["failures"])
    session.log.error(failure.get<std::string>());
  return 1;
}

}  // namespace

Command info_command() {
  auto options = std::make_shared<InfoOptions>();
  return {.name = "info",
          .summary = "show what a file holds",
          .examples =
              "  pdvc info model.safetensors\n  pdvc info features/ --json\n  pdvc info talk.mp4",
          .options = fields_of(*options),
          .run = [options](Session& session) { return run(*options, session); }};
}

}  // namespace pdvc
