#include "video/ffmpeg_timing.h"

extern "C" {
#include <libavcodec/avcodec.h>
}

#include <cmath>
#include <functional>
#include <queue>

#include "base/error.h"
#include "video/ffmpeg_packet.h"

namespace pdvc {
namespace {

constexpr double kTolerance = 1e-3;  // seconds; coarse time bases round
constexpr Rate kUsualRate = {25, 1};
constexpr double kSlowest = 0.01, kFastest = 1000;
// No codec shows a frame later than this many packets after its own.
constexpr size_t kReordered = 64;

std::optional<Rate> sensible(AVRational rate) {
  if (rate.num <= 0 || rate.den <= 0) return std::nullopt;
  const double value = av_q2d(rate);
  if (value < kSlowest || value > kFastest) return std::nullopt;
  return Rate{rate.num, rate.den};
}

// Puts time stamps into the order of presentation and measures their gaps, with little memory.
class GapCheck {
 public:
  GapCheck(std::vector<Rate> candidates, double seconds_per_tick)
      : candidates_(std::move(candidates)), seconds_per_tick_(seconds_per_tick) {}

  void add(int64_t stamp) {
    waiting_.push(stamp);
    if (waiting_.size() > kReordered) take();
  }
  // The first rate that all gaps agree with, and that does not lose half a frame over the whole
  // video either: an average is wrong where the file does not say how long the last frame is.
  std::optional<Rate> finish() {
    while (!waiting_.empty()) take();
    for (const Rate& rate : candidates_)
      if (std::abs(span_ * rate.value() - static_cast<double>(gaps_)) < 0.5) return rate;
    return std::nullopt;
  }

 private:
  void take() {
    const int64_t stamp = waiting_.top();
    waiting_.pop();
    if (last_) {
      const double gap =
          (static_cast<double>(stamp) - static_cast<double>(*last_)) * seconds_per_tick_;
      std::erase_if(candidates_, [&](const Rate& rate) {
        return !(std::abs(gap - 1 / rate.value()) <= kTolerance);
      });
      span_ += gap;
      ++gaps_;
    }
    last_ = stamp;
  }

  std::vector<Rate> candidates_;
  double seconds_per_tick_;
  std::priority_queue<int64_t, std::vector<int64_t>, std::greater<>> waiting_;
  std::optional<int64_t> last_;
  double span_ = 0;
  int64_t gaps_ = 0;
};

void check_readable(const AVPacket& packet, const std::filesystem::path& path) {
  check(av_packet_get_side_data(&packet, AV_PKT_DATA_ENCRYPTION_INFO, nullptr) == nullptr, path,
        ": is encrypted");
}

}  // namespace

StreamTiming timing_of(const Input& input, const AVStream& stream,
                       const std::filesystem::path& path) {
  std::vector<Rate> candidates;
  for (const AVRational rate : {stream.avg_frame_rate, stream.r_frame_rate})
    if (const auto usable = sensible(rate)) candidates.push_back(*usable);
  StreamTiming timing{.nominal = candidates.empty() ? kUsualRate : candidates.front()};
  bool stamped = false;
  GapCheck gaps(std::move(candidates), av_q2d(stream.time_base));
  PacketReader packets(input, stream.index);
  while (const AVPacket* packet = packets.next()) {
    check_readable(*packet, path);
    if (packet->size == 0 || (packet->flags & AV_PKT_FLAG_DISCARD) != 0) continue;
    const int64_t stamp = packet->pts != AV_NOPTS_VALUE ? packet->pts : packet->dts;
    if (stamp == AV_NOPTS_VALUE) continue;
    stamped = true;
    gaps.add(stamp);
  }
  timing.constant = stamped ? gaps.finish() : timing.nominal;
  return timing;
}

}  // namespace pdvc
