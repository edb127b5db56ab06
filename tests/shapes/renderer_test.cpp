#include "shapes/renderer.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "base/checksum.h"
#include "shapes/corpus.h"
#include "shapes/fixed_point.h"
#include "shapes/outline.h"
#include "support/files.h"

namespace pdvc {
namespace {

// A grey stage with one red actor in the middle.
Scene one_actor(ShapeKind shape) {
  Scene scene{.frames = 30};
  Shot shot{.frames = {0, 30}};
  shot.background.first = shot.background.second = {60, 60, 60};
  Actor actor{.shape = shape, .paint = {200, 0, 0}, .radius = kStageHeight / 4};
  actor.track.initial = {.x = kStageWidth / 2, .y = kStageHeight / 2};
  shot.actors.push_back(actor);
  scene.shots.push_back(shot);
  return scene;
}

std::vector<uint8_t> drawn(const Scene& scene, int frame) {
  const Renderer renderer(scene);
  std::vector<uint8_t> rgb(renderer.frame_bytes());
  renderer.draw(frame, rgb);
  return rgb;
}

int red_at(const Scene& scene, const std::vector<uint8_t>& rgb, int x, int y) {
  return rgb[static_cast<size_t>(y * scene.width + x) * 3];
}

// Pixels that show the actor, those it half covers by half.
double area_of(const Scene& scene, int frame) {
  double area = 0;
  const auto rgb = drawn(scene, frame);
  for (size_t i = 0; i < rgb.size(); i += 3) area += (rgb[i] - 60) / 140.0;
  return area;
}

uint64_t checksum_of_film(const FilmPlan& film, int step) {
  const Scene scene = scene_of(film);
  const Renderer renderer(scene);
  std::vector<uint8_t> rgb(renderer.frame_bytes());
  uint64_t sum = 0;
  for (int frame = 0; frame < scene.frames; frame += step) {
    renderer.draw(frame, rgb);
    sum = sum * 31 + checksum_of(std::as_bytes(std::span(rgb)));
  }
  return sum;
}

}  // namespace

// Bit for bit on every machine: whoever changes these raises kShapesVersion.
TEST(ShapesRenderer, TheSameSeedGivesTheSameFrames) {
  ASSERT_EQ(kShapesVersion, 1);
  const auto films = plan_films(4, 1, parse_split("train=0.5,val=0.5"));
  std::vector<uint64_t> sums;
  for (const FilmPlan& film : films) sums.push_back(checksum_of_film(film, 11));
  EXPECT_THAT(sums, testing::ElementsAre(1182630694691056737U, 10374313596942903674U,
                                         16017831756963123017U, 2927683685585204319U));
}

TEST(ShapesRenderer, ShapesHaveTheAreaOfTheirOutline) {
  for (int s = 0; s < kShapes; ++s) {
    const auto shape = static_cast<ShapeKind>(s);
    int64_t inside_count = 0;
    for (int32_t y = -6000; y <= 6000; y += 20)
      for (int32_t x = -6000; x <= 6000; x += 20) inside_count += inside(shape, x, y);
    const double radius = 192.0 / 4;  // pixels
    const double share = static_cast<double>(inside_count) * 20 * 20 / kUnitRadius / kUnitRadius;
    EXPECT_NEAR(area_of(one_actor(shape), 0) / (share * radius * radius), 1, 0.02) << s;
  }
}

TEST(ShapesRenderer, EdgesAreBlendedNotJagged) {
  const auto rgb = drawn(one_actor(ShapeKind::circle), 0);
  int between = 0;
  for (size_t i = 0; i < rgb.size(); i += 3) between += rgb[i] > 70 && rgb[i] < 190;
  EXPECT_GT(between, 100);
}

TEST(ShapesRenderer, TurningClockwiseTakesTheTipOfATriangleToTheRight) {
  Scene scene = one_actor(ShapeKind::triangle);
  EXPECT_GT(red_at(scene, drawn(scene, 0), 128, 96 - 40), 190) << "the tip is above";
  scene.shots[0].actors[0].track.initial.angle = kTurn / 4;
  EXPECT_GT(red_at(scene, drawn(scene, 0), 128 + 40, 96), 190);
  EXPECT_LT(red_at(scene, drawn(scene, 0), 128 - 40, 96), 70);
}

TEST(ShapesRenderer, LaterActorsHideEarlierOnes) {
  Scene scene = one_actor(ShapeKind::square);
  Actor front = scene.shots[0].actors[0];
  front.paint = {0, 0, 255};
  scene.shots[0].actors.push_back(front);
  EXPECT_EQ(red_at(scene, drawn(scene, 0), 128, 96), 0);
}

TEST(ShapesRenderer, TheCameraMovesThePictureTheOtherWay) {
  Scene scene = one_actor(ShapeKind::circle);
  Motion pan{.frames = {0, 20}};
  pan.to.x = kStageWidth / 4;
  scene.shots[0].camera.motions.push_back(pan);
  EXPECT_GT(red_at(scene, drawn(scene, 20), 64, 96), 190);
  EXPECT_LT(red_at(scene, drawn(scene, 20), 128 + 30, 96), 70);
}

TEST(ShapesRenderer, NoiseStaysWithinItsBoundsAndDiffersFromFrameToFrame) {
  Scene scene = one_actor(ShapeKind::circle);
  const auto clean = drawn(scene, 3);
  scene.noise = 4;
  const auto noisy = drawn(scene, 3);
  int largest = 0;
  for (size_t i = 0; i < clean.size(); ++i)
    largest = std::max(largest, std::abs(noisy[i] - clean[i]));
  EXPECT_EQ(largest, 4);
  EXPECT_NE(noisy, drawn(scene, 4));
}

}  // namespace pdvc
