#include "video/pixels.h"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <vector>

#include "shapes/fixed_point.h"
#include "shapes/renderer.h"

namespace pdvc {
namespace {

constexpr int kFrames = 16;
enum { kRed = 0, kBlue = 5, kWhite = 7 };

// Places in a class's part of the row.
enum {
  kSizes = 0,
  kFewest = 4,
  kFlicker = 6,
  kGrowth = 7,
  kStrength = 9,
  kFading = 10,
  kPlaces = 12,
  kRight = 20,
  kDown = 21,
  kShapeMoments = 26,
  kTurning = 38,
  kCloseness = 40
};

using Change = std::function<void(Actor&, int frame)>;

// A scene of kFrames frames in which `change` sets the actors' first poses.
std::vector<FrameMeasure> measured(std::vector<Actor> actors, const Change& change,
                                   int32_t camera_step = 0) {
  std::vector<FrameMeasure> measures(kFrames);
  for (int frame = 0; frame < kFrames; ++frame) {
    // A pixel is 128 units.
    Scene scene{.width = kPixelsWidth, .height = kPixelsHeight, .frames = 1};
    Shot shot{.frames = {0, 1}};
    shot.background = {
        .texture = Texture::clouds, .first = {60, 62, 58}, .second = {90, 92, 88}, .seed = 1};
    shot.camera.initial.x = frame * camera_step;
    shot.actors = actors;
    for (Actor& actor : shot.actors) change(actor, frame);
    scene.shots.push_back(shot);
    const Renderer renderer(scene);
    std::vector<uint8_t> rgb(renderer.frame_bytes());
    renderer.draw(0, rgb);
    measure_frame(rgb.data(), kPixelsWidth * 3, measures[static_cast<size_t>(frame)]);
  }
  return measures;
}

std::vector<float> row_of(const std::vector<FrameMeasure>& measures) {
  std::vector<const FrameMeasure*> clip;
  for (const FrameMeasure& one : measures) clip.push_back(&one);
  std::vector<float> row(kPixelsRow, std::nanf(""));
  describe_clip(clip, row);
  return row;
}

Actor red_actor(ShapeKind shape = ShapeKind::square) {
  Actor actor{.shape = shape, .paint = {215, 40, 40}, .radius = 2400};
  actor.track.initial = {.x = kStageWidth / 2, .y = kStageHeight / 2};
  return actor;
}

float of_class(const std::vector<float>& row, int colour, int number) {
  return row[static_cast<size_t>(colour * kPixelsPerClass + number)];
}

void rest(Actor&, int) {}

}  // namespace

TEST(Pixels, EveryNumberIsFiniteAlsoOfAnEmptyPicture) {
  std::vector<FrameMeasure> measures(kFrames);
  const std::vector<uint8_t> black(size_t{kPixelsWidth} * kPixelsHeight * 3);
  for (FrameMeasure& one : measures) measure_frame(black.data(), kPixelsWidth * 3, one);
  for (const float value : row_of(measures)) EXPECT_EQ(value, 0);
}

TEST(Pixels, NumbersAreOfTheOrderOfOne) {
  for (const float value : row_of(measured({red_actor()}, rest))) EXPECT_LT(std::abs(value), 4);
}

// As an encoder leaves them at the edges of other shapes.
TEST(Pixels, StrayPixelsOfAColourChangeLittle) {
  const auto clean = measured({red_actor()}, rest);
  std::vector<Actor> actors{red_actor()};
  for (int i = 0; i < 4; ++i) {
    Actor speck = red_actor(ShapeKind::circle);
    speck.radius = 200;
    speck.track.initial = {.x = i % 2 * (kStageWidth - 800) + 400,
                           .y = i / 2 * (kStageHeight - 800) + 400};
    actors.push_back(speck);
  }
  const auto strewn = measured(actors, rest);
  ASSERT_NE(clean[0].brightness[0][3], strewn[0].brightness[0][3]) << "the specks can be seen";
  const auto one = row_of(clean), two = row_of(strewn);
  for (int number = 0; number < kCloseness; ++number)
    EXPECT_NEAR(of_class(one, kRed, number), of_class(two, kRed, number), 0.05) << number;
}

TEST(Pixels, NoNumberIsFarOffInAnyPicture) {
  std::vector<FrameMeasure> measures(kFrames);
  std::vector<uint8_t> noise(size_t{kPixelsWidth} * kPixelsHeight * 3);
  uint32_t state = 1;
  for (FrameMeasure& one : measures) {
    for (uint8_t& value : noise)
      value = static_cast<uint8_t>((state = state * 1664525 + 1013904223) >> 24);
    measure_frame(noise.data(), kPixelsWidth * 3, one);
  }
  for (const float value : row_of(measures)) EXPECT_LE(std::abs(value), kPixelsLargest);
}

// The shipped model was trained on these numbers: whoever changes them raises the version of
// known_backbone("pixels") and trains it again.
TEST(Pixels, AreTheNumbersThatTheShippedModelKnows) {
  Actor star = red_actor(ShapeKind::star), bar = red_actor(ShapeKind::bar);
  star.paint = {48, 76, 214};
  star.track.initial.x -= 3000;
  const auto row = row_of(measured({bar, star}, [](Actor& actor, int frame) {
    actor.track.initial.y += frame * 90;
    actor.track.initial.angle += frame * 300;
  }));
  double sum = 0, weighted = 0;
  for (size_t i = 0; i < row.size(); ++i) {
    sum += static_cast<double>(row[i]);
    weighted += static_cast<double>(row[i]) * std::sin(static_cast<double>(i));
  }
  EXPECT_NEAR(sum, 44.058, 0.01);
  EXPECT_NEAR(weighted, -2.300, 0.01);
}

TEST(Pixels, TellColoursApart) {
  const std::vector<Rgb> paints{{215, 40, 40},  {236, 128, 24}, {232, 216, 48}, {44, 172, 64},
                                {56, 204, 214}, {48, 76, 214},  {164, 56, 190}, {236, 236, 236}};
  for (size_t colour = 0; colour < paints.size(); ++colour) {
    Actor actor = red_actor();
    actor.paint = paints[colour];
    const auto row = row_of(measured({actor}, rest));
    for (size_t other = 0; other < paints.size(); ++other)
      EXPECT_EQ(of_class(row, static_cast<int>(other), kFewest) > 0.9F, other == colour)
          << colour << " " << other;
  }
}

TEST(Pixels, MeasureAreaAndPlace) {
  const auto measures = measured({red_actor()}, rest);
  const double side = 2 * 0.78 * 2400;  // of the square, in units
  EXPECT_NEAR(measures[0].colours[kRed].area, side * side / (kStageWidth * kStageHeight), 0.005);
  EXPECT_NEAR(measures[0].colours[kRed].x, 0.5, 0.02);
  EXPECT_NEAR(measures[0].colours[kRed].y, 0.5, 0.02);
}

TEST(Pixels, AWayToTheRightIsSeenAsOne) {
  const auto row = row_of(measured({red_actor()}, [](Actor& actor, int frame) {
    actor.track.initial.x += frame * 200;  // 0.0122 of the width each frame
  }));
  EXPECT_NEAR(of_class(row, kRed, kRight), 150 * 200.0 / kStageWidth, 0.1);
  EXPECT_NEAR(of_class(row, kRed, kDown), 0, 0.02);
}

TEST(Pixels, GrowingFadingAndBlinkingAreSeenAsSuch) {
  const auto growing = row_of(measured(
      {red_actor()}, [](Actor& actor, int frame) { actor.track.initial.scale += frame * 100; }));
  EXPECT_GT(of_class(growing, kRed, kGrowth), 0.5);
  const auto fading = row_of(measured(
      {red_actor()}, [](Actor& actor, int frame) { actor.track.initial.opacity -= frame * 8; }));
  EXPECT_LT(of_class(fading, kRed, kFading), -0.5);
  const auto blinking = row_of(measured({red_actor()}, [](Actor& actor, int frame) {
    actor.track.initial.opacity = frame / 4 % 2 == 0 ? kOpaque : 0;
  }));
  EXPECT_EQ(of_class(blinking, kRed, kFewest), 0);
  EXPECT_GT(of_class(blinking, kRed, kFlicker), 0.5);
  const auto resting = row_of(measured({red_actor()}, rest));
  EXPECT_NEAR(of_class(resting, kRed, kGrowth), 0, 0.05);
  EXPECT_NEAR(of_class(resting, kRed, kFading), 0, 0.05);
  EXPECT_NEAR(of_class(resting, kRed, kFlicker), 0, 0.05);
}

TEST(Pixels, SpinningIsSeenWithItsDirection) {
  for (const ShapeKind shape : {ShapeKind::square, ShapeKind::triangle, ShapeKind::star,
                                ShapeKind::cross, ShapeKind::bar, ShapeKind::heart})
    for (const int32_t step : {kTurn / 45, -kTurn / 45}) {
      const auto row = row_of(measured({red_actor(shape)}, [&](Actor& actor, int frame) {
        actor.track.initial.angle += frame * step;
      }));
      EXPECT_GT(of_class(row, kRed, kTurning) * (step > 0 ? 1 : -1), 0.25)
          << static_cast<int>(shape);
    }
  EXPECT_NEAR(of_class(row_of(measured({red_actor()}, rest)), kRed, kTurning), 0, 0.05);
}

// By the five numbers that say how a shape repeats itself, and the two that say how compact it is:
// turned and smaller, each is still nearest to itself.
TEST(Pixels, TellShapesApartHoweverTheyAreTurned) {
  const auto moments = [](ShapeKind shape, int32_t angle, int32_t scale) {
    const auto row = row_of(measured({red_actor(shape)}, [&](Actor& actor, int) {
      actor.track.initial.angle = angle;
      actor.track.initial.scale = scale;
    }));
    const auto from = row.begin() + kShapeMoments;
    return std::vector<float>(from, from + 7);
  };
  for (int s = 0; s < kShapes; ++s) {
    const auto seen = moments(static_cast<ShapeKind>(s), kTurn / 13, kFullScale * 3 / 4);
    int nearest = -1;
    double least = 1e9;
    for (int other = 0; other < kShapes; ++other) {
      const auto known = moments(static_cast<ShapeKind>(other), 0, kFullScale);
      double distance = 0;
      for (size_t i = 0; i < 7; ++i)
        distance += std::pow(static_cast<double>(seen[i] - known[i]), 2);
      if (distance < least) {
        least = distance;
        nearest = other;
      }
    }
    EXPECT_EQ(nearest, s);
  }
}

TEST(Pixels, NeighboursAreClose) {
  Actor blue = red_actor();
  blue.paint = {48, 76, 214};
  const auto with_blue_at = [&](int32_t right) {
    Actor moved = blue;
    moved.track.initial.x += right;
    return of_class(row_of(measured({red_actor(), moved}, rest)), kRed, kCloseness);
  };
  EXPECT_GT(with_blue_at(4200), 3 * with_blue_at(7000));
}

TEST(Pixels, APanMovesThePictureAsAWhole) {
  const size_t shift = size_t{kPixelsClasses} * kPixelsPerClass + 5;  // certainty, then pixels
  const auto panned = row_of(measured({}, rest, /*camera_step=*/170));
  EXPECT_GT(panned[shift], 0.5);
  EXPECT_GT(std::abs(panned[shift + 1]), 0.5);
  const auto other_way = row_of(measured({}, rest, -170));
  EXPECT_LT(panned[shift + 1] * other_way[shift + 1], 0);
  EXPECT_NEAR(row_of(measured({}, rest))[shift + 1], 0, 1e-6);
}

}  // namespace pdvc
