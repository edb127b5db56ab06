#include "shapes/script.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "shapes/actions.h"

namespace pdvc {
namespace {

constexpr int kMostAttempts = 1000;  // far more than any film has needed
constexpr int kDraws = 30;           // actions tried for one place in the film
constexpr int kLongFilm = 25, kCut = 25, kOverlap = 35, kQuickFilm = 30, kNoisy = 70;  // percent
constexpr int kHeldOut = 40;  // percent of a testing film's events, at least where possible

struct Weight {
  Action action;
  int weight;
};
constexpr std::array kWeights{
    Weight{Action::enter, 14},   Weight{Action::leave, 8},   Weight{Action::move, 13},
    Weight{Action::spin, 11},    Weight{Action::grow, 8},    Weight{Action::shrink, 8},
    Weight{Action::collide, 24}, Weight{Action::hide, 70},   Weight{Action::emerge, 250},
    Weight{Action::blink, 8},    Weight{Action::follow, 34}, Weight{Action::appear, 9},
    Weight{Action::vanish, 7},   Weight{Action::hop, 8},     Weight{Action::pan, 9}};

Action draw_action(Random& random) {
  int total = 0;
  for (const Weight& one : kWeights) total += one.weight;
  int at = random.below(total);
  for (const Weight& one : kWeights) {
    if (at < one.weight) return one.action;
    at -= one.weight;
  }
  return Action::move;
}

Background make_background(Random& random) {
  Background background;
  background.texture = static_cast<Texture>(random.below(5));
  const int grey = random.between(38, 104);
  const int step = random.between(10, 26);
  const int contrast = random.chance(50) ? step : -step;
  const auto tinted = [&](int value) { return value + random.between(-7, 7); };
  background.first.red = tinted(grey);
  background.first.green = tinted(grey);
  background.first.blue = tinted(grey);
  background.second = {background.first.red + contrast, background.first.green + contrast,
                       background.first.blue + contrast};
  background.grain = random.between(900, 2600);
  background.seed = random.next();
  return background;
}

// Fills one film, shot by shot, event by event.
class Script {
 public:
  Script(Scene& scene, FilmKind kind, Random& random)
      : scene_(scene), casting_{.kind = kind}, random_(random) {}

  void write() {
    const int tenths = random_.chance(kLongFilm) ? random_.between(600, kLongestFilm * 10)
                                                 : random_.between(kShortestFilm * 10, 600);
    const int longest = frames_of(tenths);
    // Long films have longer events, not more than can be counted.
    tempo_ = random_.between(std::max(35, tenths / 10), std::max(110, tenths / 6));
    const bool has_cut = random_.chance(kCut);
    const int cut = longest * random_.between(35, 65) / 100;
    if (has_cut) write_shot(cut);
    write_shot(longest);
    finish(longest);
  }

 private:
  int frames_of(int tenths) const { return tenths * scene_.frames_per_second / 10; }

  void write_shot(int end) {
    Shot& shot = scene_.shots.emplace_back();
    shot.frames = {begin_, end};
    shot.background = make_background(random_);
    shot.actors = make_cast(seen_, random_);
    Stage stage(shot, scene_.frames_per_second);
    stage.set_up(random_);
    for (size_t i = 0; i < stage.size(); ++i) stage.standing(i).free_from = begin_;
    int at = begin_ + frames_of(random_.between(5, 25));
    while (scene_.happenings.size() < kMostHappenings) {
      const int length = event_length();
      if (at + length >= end) break;
      const auto happening = happen({at, at + length}, stage);
      at = happening && random_.chance(kOverlap) ? at + length * random_.between(20, 60) / 100
                                                 : at + length + pause();
    }
    begin_ = end;
  }

  // Two seconds to twelve.
  int event_length() {
    return frames_of(std::clamp(tempo_ * random_.between(45, 95) / 100, 20, 120));
  }
  int pause() { return frames_of(std::max(4, tempo_ * random_.between(5, 45) / 100)); }

  std::optional<Happening> happen(FrameSpan frames, Stage& stage) {
    casting_.only_held_out = casting_.kind == FilmKind::testing && random_.chance(kHeldOut);
    for (int draw = 0; draw < kDraws; ++draw) {
      const Action action = draw_action(random_);
      if (action == Action::pan && !may_pan(frames)) continue;
      auto happening = act(action, frames, stage, casting_, random_);
      if (!happening) continue;
      happening->shot = scene_.shots.size() - 1;
      scene_.happenings.push_back(*happening);
      busy_until_ = std::max(busy_until_, frames.end);
      return happening;
    }
    return std::nullopt;
  }

  // Over a resting scene, not twice in a row: who looks wants to see what is there.
  bool may_pan(FrameSpan frames) const {
    return frames.first >= busy_until_ && !casting_.only_held_out &&
           (scene_.happenings.empty() || scene_.happenings.back().action != Action::pan);
  }

  // A film ends a moment after its last event.
  void finish(int longest) {
    const int last = scene_.happenings.empty() ? 0 : busy_until_;
    const int tail = frames_of(random_.between(10, 40));
    scene_.frames = std::min(longest, std::max(frames_of(kShortestFilm * 10), last + tail));
    std::erase_if(scene_.shots,
                  [&](const Shot& shot) { return shot.frames.first >= scene_.frames; });
    scene_.shots.back().frames.end = scene_.frames;
  }

  Scene& scene_;
  Casting casting_;
  Random& random_;
  int tempo_ = 60;  // tenths of a second from event to event, about
  int begin_ = 0;   // of the next shot
  int busy_until_ = 0;
  std::vector<Look> seen_;
};

bool is_film(const Scene& scene, FilmKind kind) {
  const auto held_out = [&](const Happening& one) { return is_held_out(scene, one); };
  return scene.happenings.size() >= kFewestHappenings &&
         (kind == FilmKind::training || std::ranges::any_of(scene.happenings, held_out));
}

Scene try_scene(Random random, FilmKind kind) {
  Scene scene;
  if (random.chance(40)) {
    scene.width = 192;
    scene.height = 144;
  }
  scene.frames_per_second = random.chance(kQuickFilm) ? 30 : 15;
  scene.noise = random.chance(kNoisy) ? random.between(1, 5) : 0;
  scene.noise_seed = random.next();
  Script(scene, kind, random).write();
  return scene;
}

}  // namespace

Scene make_scene(const Random& random, FilmKind kind) {
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    Scene scene = try_scene(random.branch(static_cast<uint64_t>(attempt)), kind);
    if (is_film(scene, kind)) return scene;
  }
  fail("no film has come of ", kMostAttempts, " attempts");
}

}  // namespace pdvc
