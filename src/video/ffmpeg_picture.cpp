#include "video/ffmpeg_picture.h"

#include <cstdlib>
#include <cstring>
#include <utility>

namespace pdvc {
namespace {

constexpr int64_t kAlignment = 64;
constexpr size_t kSlack = 64;  // libswscale's vector code writes past the end of a row

void resize(Picture& picture, FrameSize size) {
  picture.size = size;
  picture.stride = (size.width * 3 + kAlignment - 1) / kAlignment * kAlignment;
  picture.bytes.resize(static_cast<size_t>(picture.stride * size.height) + kSlack);
}

void turn(const Picture& lying, const Orientation& orientation, Picture& out) {
  resize(out, turned(lying.size, orientation));
  const auto [width, height] = out.size;
  for (int64_t y = 0; y < height; ++y) {
    const int64_t from_y = orientation.mirror_rows ? height - 1 - y : y;
    uint8_t* row = out.row(y);
    for (int64_t x = 0; x < width; ++x) {
      const int64_t from_x = orientation.mirror_columns ? width - 1 - x : x;
      const uint8_t* pixel =
          orientation.transposed ? lying.row(from_x) + 3 * from_y : lying.row(from_y) + 3 * from_x;
      std::memcpy(row + 3 * x, pixel, 3);
    }
  }
}

}  // namespace

// The matrix takes a point (x, y) of the frame to (a x + c y, b x + d y) on the screen.
Orientation orientation_of(const AVStream& stream) {
  size_t size = 0;
  const uint8_t* data = av_stream_get_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
  int32_t matrix[9];
  if (!data || size < sizeof matrix) return {};
  std::memcpy(matrix, data, sizeof matrix);
  const int64_t a = matrix[0], b = matrix[1], c = matrix[3], d = matrix[4];
  if (std::abs(a) + std::abs(d) >= std::abs(b) + std::abs(c)) return {false, a < 0, d < 0};
  return {true, c < 0, b < 0};
}

FrameSize turned(FrameSize size, const Orientation& orientation) {
  if (orientation.transposed) std::swap(size.width, size.height);
  return size;
}

bool PictureMaker::make(const AVFrame& frame, FrameSize wanted, Picture& out) {
  const FrameSize size =
      wanted == FrameSize{} ? FrameSize{frame.width, frame.height} : turned(wanted, orientation_);
  if (orientation_.is_upright()) return convert(frame, size, out);
  if (!convert(frame, size, lying_)) return false;
  turn(lying_, orientation_, out);
  return true;
}

bool PictureMaker::convert(const AVFrame& frame, FrameSize size, Picture& out) {
  resize(out, size);
  const auto width = static_cast<int>(size.width), height = static_cast<int>(size.height);
  scaler_.reset(sws_getCachedContext(scaler_.release(), frame.width, frame.height,
                                     static_cast<AVPixelFormat>(frame.format), width, height,
                                     AV_PIX_FMT_RGB24, SWS_BILINEAR, nullptr, nullptr, nullptr));
  if (!scaler_) return false;
  uint8_t* planes[4] = {out.bytes.data()};
  const int strides[4] = {static_cast<int>(out.stride)};
  return sws_scale(scaler_.get(), frame.data, frame.linesize, 0, frame.height, planes, strides) ==
         height;
}

}  // namespace pdvc
