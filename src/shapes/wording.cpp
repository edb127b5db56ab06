#include "shapes/wording.h"

#include <array>

namespace pdvc {
namespace {

// So that lists of different lengths can stand in one table.
template <size_t count>
constexpr auto list(const std::string_view (&words)[count]) {
  return std::to_array(words);
}

constexpr auto kCircle = list({"circle", "disc", "circle"});
constexpr auto kSquare = list({"square", "square", "box"});
constexpr auto kTriangle = list({"triangle"});
constexpr auto kStar = list({"star"});
constexpr auto kCross = list({"cross", "cross", "plus sign"});
constexpr auto kRing = list({"ring", "ring", "hoop"});
constexpr auto kBar = list({"bar", "bar", "stick"});
constexpr auto kHeart = list({"heart"});

constexpr auto kRed = list({"red"});
constexpr auto kOrange = list({"orange"});
constexpr auto kYellow = list({"yellow"});
constexpr auto kGreen = list({"green"});
constexpr auto kCyan = list({"cyan", "cyan", "turquoise"});
constexpr auto kBlue = list({"blue"});
constexpr auto kPurple = list({"purple", "purple", "violet"});
constexpr auto kWhite = list({"white"});

constexpr auto kClockwise = list({"clockwise", "clockwise", "to the right"});
constexpr auto kCounterclockwise =
    list({"counterclockwise", "counterclockwise", "anticlockwise", "to the left"});
constexpr auto kSlow = list({"slowly"});
constexpr auto kQuick = list({"quickly", "quickly", "rapidly"});

constexpr auto kFromLeft = list({"the left", "the left", "the left side"});
constexpr auto kFromRight = list({"the right", "the right", "the right side"});
constexpr auto kFromTop = list({"the top", "above"});
constexpr auto kFromBottom = list({"the bottom", "below"});
constexpr auto kToLeft = list({"to the left", "to the left", "leftwards"});
constexpr auto kToRight = list({"to the right", "to the right", "rightwards"});
constexpr auto kToTop = list({"up", "upwards", "to the top"});
constexpr auto kToBottom = list({"down", "downwards", "to the bottom"});
constexpr auto kThroughLeft = list({"on the left", "to the left", "on the left side"});
constexpr auto kThroughRight = list({"on the right", "to the right", "on the right side"});
constexpr auto kThroughTop = list({"at the top", "through the top"});
constexpr auto kThroughBottom = list({"at the bottom", "through the bottom"});

constexpr auto kEnter =
    list({"{a}{adverb} enters from {from}", "{a}{adverb} comes in from {from}",
          "{a}{adverb} moves into the picture from {from}", "{a}{adverb} slides in from {from}",
          "from {from} {a}{adverb} comes into view"});
constexpr auto kReturn = list({"{a}{adverb} comes back from {from}",
                               "{a}{adverb} returns from {from}", "{a} enters again from {from}"});
constexpr auto kLeave =
    list({"{a}{adverb} leaves {through}", "{a}{adverb} moves out of the picture {through}",
          "{a}{adverb} exits {through}", "{a}{adverb} slides out {through}"});
constexpr auto kMove =
    list({"{a}{adverb} moves {towards}{again}", "{a}{adverb} slides {towards}{again}",
          "{a}{adverb} travels {towards}{again}", "{a}{adverb} goes {towards}{again}"});
constexpr auto kSpin =
    list({"{a} spins {turning}{where}{again}", "{a} rotates {turning}{where}{again}",
          "{a} turns {turning}{where}{again}", "{where}{a} spins {turning}"});
constexpr auto kSpinTogether =
    list({"{a} and {b} spin {turning}", "{a} and {b} rotate {turning} at the same time",
          "{a} spins {turning} together with {b}", "both {a} and {b} turn {turning}"});
constexpr auto kGrow = list({"{a} grows{where}{again}", "{a} gets bigger{where}{again}",
                             "{a} becomes larger{where}{again}", "{where}{a} grows"});
constexpr auto kGrowTogether =
    list({"{a} and {b} grow", "{a} and {b} get bigger at the same time",
          "{a} grows together with {b}", "both {a} and {b} become larger"});
constexpr auto kShrink = list({"{a} shrinks{where}{again}", "{a} gets smaller{where}{again}",
                               "{a} becomes smaller{where}{again}", "{where}{a} shrinks"});
constexpr auto kShrinkTogether =
    list({"{a} and {b} shrink", "{a} and {b} get smaller at the same time",
          "{a} shrinks together with {b}", "both {a} and {b} become smaller"});
constexpr auto kCollide = list({"{a} and {b} collide{again}", "{a} bumps into {b}{again}",
                                "{a} and {b} crash into each other and bounce back{again}",
                                "{a} hits {b} and they bounce apart{again}"});
constexpr auto kHide =
    list({"{a}{adverb} hides behind {b}{again}", "{a}{adverb} moves behind {b}{again}",
          "{a}{adverb} disappears behind {b}{again}", "behind {b} {a}{adverb} disappears"});
constexpr auto kEmerge = list({"{a} comes out from behind {b}", "{a} reappears from behind {b}",
                               "{a} moves out from behind {b}", "from behind {b} {a} comes out"});
constexpr auto kBlink =
    list({"{a} blinks{where}{again}", "{a} flashes{where}{again}",
          "{a} blinks on and off{where}{again}", "{where}{a} blinks several times"});
constexpr auto kBlinkTogether =
    list({"{a} and {b} blink", "{a} and {b} flash at the same time", "{a} blinks together with {b}",
          "both {a} and {b} blink on and off"});
constexpr auto kFollow =
    list({"{a} follows {b} {towards}{again}", "{a} chases {b} {towards}{again}",
          "{b} moves {towards} and {a} follows", "{a} goes {towards} after {b}{again}"});
constexpr auto kAppear =
    list({"{a} appears{where}{again}", "{a} fades in{where}{again}",
          "{a} slowly becomes visible{where}{again}", "{where}{a} slowly appears"});
constexpr auto kVanish = list({"{a} fades away{where}{again}", "{a} vanishes{where}{again}",
                               "{a} slowly disappears{where}{again}", "{a} fades out{where}"});
constexpr auto kHop =
    list({"{a} hops up and down{where}{again}", "{a} jumps up and down{where}{again}",
          "{a} bounces on the spot{where}{again}", "{where}{a} jumps several times"});
constexpr auto kHopTogether =
    list({"{a} and {b} hop up and down", "{a} and {b} jump at the same time",
          "{a} jumps up and down together with {b}", "both {a} and {b} bounce on the spot"});
constexpr auto kPan = list({"the camera pans {towards}", "the camera turns {towards}",
                            "the view moves {towards}", "the camera moves {towards}"});

}  // namespace

Words words_for(ShapeKind shape) {
  static constexpr std::array<Words, kShapes> kWords{kCircle, kSquare, kTriangle, kStar,
                                                     kCross,  kRing,   kBar,      kHeart};
  return kWords[static_cast<size_t>(shape)];
}

Words words_for(Colour colour) {
  static constexpr std::array<Words, kColours> kWords{kRed,  kOrange, kYellow, kGreen,
                                                      kCyan, kBlue,   kPurple, kWhite};
  return kWords[static_cast<size_t>(colour)];
}

Words words_for(Turning turning) {
  return turning == Turning::clockwise ? Words(kClockwise) : Words(kCounterclockwise);
}

Words words_for(Pace pace) {
  if (pace == Pace::usual) return {};
  return pace == Pace::slow ? Words(kSlow) : Words(kQuick);
}

Words words_from(Side side) {
  static constexpr std::array<Words, 4> kWords{kFromLeft, kFromRight, kFromTop, kFromBottom};
  return kWords[static_cast<size_t>(side)];
}

Words words_towards(Side side) {
  static constexpr std::array<Words, 4> kWords{kToLeft, kToRight, kToTop, kToBottom};
  return kWords[static_cast<size_t>(side)];
}

Words words_through(Side side) {
  static constexpr std::array<Words, 4> kWords{kThroughLeft, kThroughRight, kThroughTop,
                                               kThroughBottom};
  return kWords[static_cast<size_t>(side)];
}

std::string place_words(Place place) {
  static constexpr std::array<std::string_view, 9> kWords{
      "in the upper left", "at the top",    "in the upper right",
      "on the left",       "in the middle", "on the right",
      "in the lower left", "at the bottom", "in the lower right"};
  return std::string(
      kWords[static_cast<size_t>(place.row) * 3 + static_cast<size_t>(place.column)]);
}

Words forms_for(Action action) {
  static constexpr std::array<Words, kActions> kForms{kEnter,  kLeave,   kMove,   kSpin,   kGrow,
                                                      kShrink, kCollide, kHide,   kEmerge, kBlink,
                                                      kFollow, kAppear,  kVanish, kHop,    kPan};
  return kForms[static_cast<size_t>(action)];
}

Words forms_together(Action action) {
  switch (action) {
    case Action::spin:
      return kSpinTogether;
    case Action::grow:
      return kGrowTogether;
    case Action::shrink:
      return kShrinkTogether;
    case Action::blink:
      return kBlinkTogether;
    case Action::hop:
      return kHopTogether;
    default:
      return {};
  }
}

Words forms_for_return() { return kReturn; }

std::string_view going_on(Action action) {
  static constexpr std::array<std::string_view, kActions> kWords{
      "coming in",  "leaving",  "moving", "spinning",  "growing",     "shrinking", "", "moving",
      "coming out", "blinking", "",       "fading in", "fading away", "jumping",   ""};
  return kWords[static_cast<size_t>(action)];
}

}  // namespace pdvc
