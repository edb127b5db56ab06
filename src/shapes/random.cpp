#include "shapes/random.h"

namespace pdvc {
namespace {

constexpr uint64_t kGoldenGamma = 0x9e3779b97f4a7c15;

uint64_t mixed(uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

}  // namespace

uint64_t Random::next() { return mixed(state_ += kGoldenGamma); }

Random Random::branch(uint64_t purpose) const {
  return Random(mixed(state_ ^ mixed(purpose + kGoldenGamma)));
}

}  // namespace pdvc
