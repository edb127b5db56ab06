#include "shapes/script.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "shapes/corpus.h"

namespace pdvc {
namespace {

constexpr uint64_t kSeed = 11;
constexpr int64_t kFilms = 300;

std::vector<Scene> scenes_of(const char* split) {
  std::vector<Scene> scenes;
  for (const FilmPlan& film : plan_films(kFilms, kSeed, parse_split(std::string(split) + "=1")))
    scenes.push_back(scene_of(film));
  return scenes;
}

const std::vector<Scene>& training() {
  static const std::vector<Scene> scenes = scenes_of("train");
  return scenes;
}
const std::vector<Scene>& testing_films() {
  static const std::vector<Scene> scenes = scenes_of("val");
  return scenes;
}

const Actor& actor_of(const Scene& scene, const Happening& happening, size_t i) {
  return scene.shots[happening.shot].actors[happening.actors[i]];
}

// Where an actor's middle is in the picture, 0..1, or outside of it.
struct InPicture {
  double x, y;
};
InPicture in_picture(const Scene& scene, const Happening& happening, size_t i, int frame) {
  const Pose pose = pose_at(actor_of(scene, happening, i).track, frame);
  const int32_t camera = pose_at(scene.shots[happening.shot].camera, frame).x;
  return {static_cast<double>(pose.x - camera) / kStageWidth,
          static_cast<double>(pose.y) / kStageHeight};
}

}  // namespace

TEST(ShapesScript, FilmsLast20To120SecondsWith2To10Events) {
  for (const Scene& scene : training()) {
    EXPECT_GE(scene.frames, 20 * scene.frames_per_second);
    EXPECT_LE(scene.frames, 120 * scene.frames_per_second);
    EXPECT_GE(scene.happenings.size(), 2);
    EXPECT_LE(scene.happenings.size(), 10);
    EXPECT_LE(scene.width, 256);
    EXPECT_LE(scene.height, 192);
  }
}

TEST(ShapesScript, EventsLieInTheirShotInOrderAndLastTwoSecondsOrMore) {
  for (const Scene& scene : training()) {
    int before = 0;
    for (const Happening& happening : scene.happenings) {
      const Shot& shot = scene.shots.at(happening.shot);
      EXPECT_GE(happening.frames.first, std::max(before, shot.frames.first));
      EXPECT_LE(happening.frames.end, shot.frames.end);
      EXPECT_GE(happening.frames.count(), 2 * scene.frames_per_second);
      before = happening.frames.first;
    }
    EXPECT_EQ(scene.shots.front().frames.first, 0);
    EXPECT_EQ(scene.shots.back().frames.end, scene.frames);
    for (size_t i = 1; i < scene.shots.size(); ++i)
      EXPECT_EQ(scene.shots[i].frames.first, scene.shots[i - 1].frames.end);
  }
}

TEST(ShapesScript, EveryActionShapeAndColourOccursAndSoDoCutsPausesAndOverlaps) {
  std::set<Action> actions;
  std::set<ShapeKind> shapes;
  std::set<Colour> colours;
  int cuts = 0, overlaps = 0, pauses = 0, together = 0;
  for (const Scene& scene : training()) {
    cuts += scene.shots.size() > 1;
    for (size_t i = 0; i < scene.happenings.size(); ++i) {
      const Happening& now = scene.happenings[i];
      actions.insert(now.action);
      together += now.together;
      for (size_t k = 0; k < now.actors.size(); ++k) {
        shapes.insert(actor_of(scene, now, k).shape);
        colours.insert(actor_of(scene, now, k).colour);
      }
      if (i == 0) continue;
      const int gap = now.frames.first - scene.happenings[i - 1].frames.end;
      overlaps += gap < 0;
      pauses += gap > scene.frames_per_second;
    }
  }
  EXPECT_EQ(actions.size(), static_cast<size_t>(kActions));
  EXPECT_EQ(shapes.size(), static_cast<size_t>(kShapes));
  EXPECT_EQ(colours.size(), static_cast<size_t>(kColours));
  EXPECT_GT(cuts, kFilms / 10);
  EXPECT_GT(overlaps, kFilms / 2);
  EXPECT_GT(pauses, kFilms / 2);
  EXPECT_GT(together, kFilms / 10);
}

TEST(ShapesScript, TrainingNeverShowsAHeldOutCombinationAndTestingAlwaysDoes) {
  for (const Scene& scene : training())
    for (const Happening& happening : scene.happenings) EXPECT_FALSE(is_held_out(scene, happening));
  for (const Scene& scene : testing_films())
    EXPECT_TRUE(std::ranges::any_of(scene.happenings, [&](const Happening& happening) {
      return is_held_out(scene, happening);
    }));
}

TEST(ShapesScript, TrainingShowsEveryShapeInEveryColourAndDoingEveryAction) {
  std::set<std::pair<ShapeKind, Colour>> looks;
  std::set<std::pair<ShapeKind, Action>> deeds;
  for (int shape = 0; shape < kShapes; ++shape)
    for (int colour = 0; colour < kColours; ++colour)
      for (int action = 0; action < kActions; ++action) {
        const auto s = static_cast<ShapeKind>(shape);
        const auto c = static_cast<Colour>(colour);
        const auto a = static_cast<Action>(action);
        if (is_held_out(c, s, a)) continue;
        looks.insert({s, c});
        deeds.insert({s, a});
      }
  EXPECT_EQ(looks.size(), static_cast<size_t>(kShapes * kColours));
  EXPECT_EQ(deeds.size(), static_cast<size_t>(kShapes * kActions));
}

// What is said to happen does: read off the poses, not the script.
TEST(ShapesScript, ActionsDoWhatTheirNamesSay) {
  for (const Scene& scene : training())
    for (const Happening& now : scene.happenings) {
      if (now.action == Action::pan) continue;
      const int first = now.frames.first, last = now.frames.end;
      const Track& track = actor_of(scene, now, 0).track;
      const Pose start = pose_at(track, first), end = pose_at(track, last - 1);
      const InPicture from = in_picture(scene, now, 0, first),
                      to = in_picture(scene, now, 0, last - 1);
      switch (now.action) {
        case Action::enter:
          EXPECT_TRUE(from.x < 0 || from.x > 1 || from.y < 0 || from.y > 1);
          EXPECT_TRUE(to.x > 0 && to.x < 1 && to.y > 0 && to.y < 1);
          EXPECT_TRUE(now.side != Side::left || from.x < 0);
          EXPECT_TRUE(now.side != Side::bottom || from.y > 1);
          break;
        case Action::leave:
          EXPECT_TRUE(from.x > 0 && from.x < 1 && from.y > 0 && from.y < 1);
          EXPECT_EQ(pose_at(track, last + 1).opacity, 0);
          break;
        case Action::move:
          EXPECT_TRUE(now.side != Side::right || to.x > from.x);
          EXPECT_TRUE(now.side != Side::top || to.y < from.y);
          break;
        case Action::spin:
          EXPECT_EQ(end.angle > start.angle, now.turning == Turning::clockwise);
          break;
        case Action::grow:
          EXPECT_GT(end.scale, start.scale * 5 / 4);
          break;
        case Action::shrink:
          EXPECT_LT(end.scale, start.scale * 4 / 5);
          break;
        case Action::appear:
          EXPECT_EQ(start.opacity, 0);
          EXPECT_GT(end.opacity, kOpaque / 2);
          break;
        case Action::vanish:
          EXPECT_EQ(start.opacity, kOpaque);
          EXPECT_LT(end.opacity, kOpaque / 2);
          break;
        case Action::hide: {
          const InPicture cover = in_picture(scene, now, 1, last);
          const InPicture hidden = in_picture(scene, now, 0, last);
          EXPECT_NEAR(cover.x, hidden.x, 0.01);
          EXPECT_NEAR(cover.y, hidden.y, 0.01);
          EXPECT_LT(now.actors[0], now.actors[1]) << "the farther one hides";
          break;
        }
        case Action::collide: {
          const InPicture other = in_picture(scene, now, 1, first);
          const InPicture meets = in_picture(scene, now, 0, (first + last) / 2);
          const InPicture met = in_picture(scene, now, 1, (first + last) / 2);
          EXPECT_LT(std::hypot(meets.x - met.x, meets.y - met.y),
                    std::hypot(from.x - other.x, from.y - other.y));
          break;
        }
        default:
          break;
      }
    }
}

TEST(ShapesScript, FilmsThatAreAddedLeaveTheOthersAsTheyAre) {
  const auto split = parse_split("train=0.5,val=0.5");
  const auto few = plan_films(4, 1, split), many = plan_films(40, 1, split);
  EXPECT_EQ(few[0].name, "shapes1_train_00000");
  EXPECT_EQ(few[2].name, "shapes1_val_00000");
  EXPECT_EQ(few[1].seed, many[1].seed);
  EXPECT_EQ(few[3].seed, many[21].seed);
  EXPECT_NE(few[0].seed, few[2].seed);
}

}  // namespace pdvc
