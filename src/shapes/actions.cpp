#include "shapes/actions.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "shapes/fixed_point.h"

namespace pdvc {
namespace {

constexpr int kTogether = 22;  // percent
constexpr int kTries = 20;
constexpr int32_t kNear = 4500;                 // a move shorter than this is not worth telling
constexpr int32_t kSlow = 1500, kQuick = 4500;  // units a second

constexpr std::array kSides{Side::left, Side::right, Side::top, Side::bottom};

int64_t length(int64_t right, int64_t down) { return whole_root(right * right + down * down); }

Side direction_of(const Pose& from, const Pose& to) {
  const int32_t right = to.x - from.x, down = to.y - from.y;
  if (std::abs(right) >= std::abs(down)) return right >= 0 ? Side::right : Side::left;
  return down >= 0 ? Side::bottom : Side::top;
}

// Everything that one attempt at an action needs.
struct Attempt {
  Action action;
  FrameSpan frames;
  Stage& stage;
  const Casting& casting;
  Random& random;

  Happening happening(std::vector<size_t> actors) const {
    return {.action = action, .frames = frames, .actors = std::move(actors)};
  }
  // A random one of the actors for whom `suits` holds.
  template <class Suits>
  std::optional<size_t> choose(const Suits& suits) const {
    std::vector<size_t> found;
    for (size_t i = 0; i < stage.size(); ++i)
      if (casting.may_do(stage.actor(i), action) && suits(i)) found.push_back(i);
    if (found.empty()) return std::nullopt;
    return random.pick(std::span<const size_t>(found));
  }
  template <class Suits>
  std::optional<size_t> choose_partner(size_t first, const Suits& suits) const {
    std::vector<size_t> found;
    for (size_t i = 0; i < stage.size(); ++i)
      if (i != first && casting.may_take_part(stage.actor(i), action) && suits(i))
        found.push_back(i);
    if (found.empty()) return std::nullopt;
    return random.pick(std::span<const size_t>(found));
  }
  bool is_on(size_t i) const {
    return stage.standing(i).presence == Presence::on && stage.is_idle(i, frames.first);
  }
  bool is_waiting(size_t i) const {
    return stage.standing(i).presence == Presence::waiting && stage.is_idle(i, frames.first);
  }
  Pace pace_of(const Pose& from, const Pose& to) const {
    const int64_t speed =
        length(to.x - from.x, to.y - from.y) * stage.frames_per_second() / frames.count();
    return speed < kSlow ? Pace::slow : speed > kQuick ? Pace::quick : Pace::usual;
  }
  void glide(size_t i, const Pose& from, const Pose& to) const {
    stage.move(i, {.frames = frames, .from = from, .to = to});
  }
};

using Result = std::optional<Happening>;

Result enter(const Attempt& a) {
  const auto who = a.choose([&](size_t i) { return a.is_waiting(i); });
  if (!who) return std::nullopt;
  const auto spot = a.stage.free_spot(*who, a.random);
  if (!spot) return std::nullopt;
  Happening happening = a.happening({*who});
  happening.side = a.random.pick(kSides);
  const Pose from = a.stage.outside(*who, *spot, *happening.side);
  happening.pace = a.pace_of(from, *spot);
  a.glide(*who, from, *spot);
  a.stage.standing(*who).presence = Presence::on;
  return happening;
}

Result leave(const Attempt& a) {
  const auto who = a.choose([&](size_t i) { return a.is_on(i); });
  if (!who) return std::nullopt;
  Happening happening = a.happening({*who});
  happening.side = a.random.pick(kSides);
  const Pose from = a.stage.standing(*who).pose;
  const Pose to = a.stage.outside(*who, from, *happening.side);
  happening.pace = a.pace_of(from, to);
  a.glide(*who, from, to);
  a.stage.send_away(*who, a.frames.end);
  return happening;
}

// A free spot far enough away that going there can be seen.
std::optional<Pose> distant_spot(const Attempt& a, size_t who) {
  const Pose& from = a.stage.standing(who).pose;
  for (int tries = 0; tries < kTries; ++tries) {
    const auto spot = a.stage.free_spot(who, a.random);
    if (spot && length(spot->x - from.x, spot->y - from.y) >= kNear) return spot;
  }
  return std::nullopt;
}

Result move(const Attempt& a) {
  const auto who = a.choose([&](size_t i) { return a.is_on(i); });
  if (!who) return std::nullopt;
  const auto spot = distant_spot(a, *who);
  if (!spot) return std::nullopt;
  const Pose from = a.stage.standing(*who).pose;
  Happening happening = a.happening({*who});
  happening.side = direction_of(from, *spot);
  happening.pace = a.pace_of(from, *spot);
  a.glide(*who, from, *spot);
  return happening;
}

Result hide(const Attempt& a) {
  // Behind a broad shape in front of it.
  const auto hides = [&](size_t who, size_t whom) {
    const ShapeKind shape = a.stage.actor(whom).shape;
    const bool broad =
        shape == ShapeKind::circle || shape == ShapeKind::square || shape == ShapeKind::heart;
    return whom > who && broad && a.is_on(whom) &&
           a.stage.reach(who) * 10 <= a.stage.reach(whom) * 8;
  };
  const auto who = a.choose([&](size_t i) {
    for (size_t other = 0; other < a.stage.size(); ++other)
      if (a.casting.may_take_part(a.stage.actor(other), a.action) && hides(i, other))
        return a.is_on(i);
    return false;
  });
  if (!who) return std::nullopt;
  const auto whom = a.choose_partner(*who, [&](size_t i) { return hides(*who, i); });
  if (!whom) return std::nullopt;
  const Pose from = a.stage.standing(*who).pose;
  Pose to = from;
  to.x = a.stage.standing(*whom).pose.x;
  to.y = a.stage.standing(*whom).pose.y;
  Happening happening = a.happening({*who, *whom});
  happening.pace = a.pace_of(from, to);
  a.glide(*who, from, to);
  a.stage.standing(*who).presence = Presence::hidden;
  a.stage.standing(*who).behind = *whom;
  a.stage.standing(*whom).free_from = a.stage.standing(*who).free_from;
  return happening;
}

Result emerge(const Attempt& a) {
  const auto who = a.choose([&](size_t i) {
    const Standing& standing = a.stage.standing(i);
    return standing.presence == Presence::hidden && standing.free_from <= a.frames.first &&
           a.casting.may_take_part(a.stage.actor(*standing.behind), a.action);
  });
  if (!who) return std::nullopt;
  const auto spot = a.stage.free_spot(*who, a.random);
  if (!spot) return std::nullopt;
  Standing& standing = a.stage.standing(*who);
  const size_t whom = *standing.behind;
  Happening happening = a.happening({*who, whom});
  happening.side = direction_of(standing.pose, *spot);
  a.glide(*who, standing.pose, *spot);
  standing.presence = Presence::on;
  standing.behind.reset();
  a.stage.standing(whom).free_from = std::max(a.stage.standing(whom).free_from, a.frames.end);
  return happening;
}

Result collide(const Attempt& a) {
  const auto who = a.choose([&](size_t i) { return a.is_on(i); });
  if (!who) return std::nullopt;
  const auto apart = [&](size_t other) {
    const Pose &one = a.stage.standing(*who).pose, &two = a.stage.standing(other).pose;
    return length(two.x - one.x, two.y - one.y);
  };
  // A little less than their reaches: few shapes fill their circle.
  const auto touching = [&](size_t other) {
    return int64_t{a.stage.reach(*who) + a.stage.reach(other)} * 80 / 100;
  };
  const auto whom = a.choose_partner(
      *who, [&](size_t i) { return a.is_on(i) && apart(i) > touching(i) + kNear / 2; });
  if (!whom) return std::nullopt;
  const Pose one = a.stage.standing(*who).pose, two = a.stage.standing(*whom).pose;
  const int64_t distance = apart(*whom), step = (distance - touching(*whom)) / 2;
  const int64_t right = (two.x - one.x) * step / distance, down = (two.y - one.y) * step / distance;
  const int middle = a.frames.first + a.frames.count() / 2;
  const auto bounce = [&](size_t i, const Pose& from, int64_t sign) {
    Pose met = from;
    met.x += static_cast<int32_t>(sign * right);
    met.y += static_cast<int32_t>(sign * down);
    a.stage.move(i, {.frames = {a.frames.first, middle}, .from = from, .to = met});
    a.stage.move(i, {.frames = {middle, a.frames.end}, .from = met, .to = from});
  };
  bounce(*who, one, 1);
  bounce(*whom, two, -1);
  return a.happening({*who, *whom});
}

Result follow(const Attempt& a) {
  const auto who = a.choose([&](size_t i) { return a.is_on(i); });
  if (!who) return std::nullopt;
  const auto ahead = a.choose_partner(*who, [&](size_t i) { return a.is_on(i); });
  if (!ahead) return std::nullopt;
  const Pose mine = a.stage.standing(*who).pose, first = a.stage.standing(*ahead).pose;
  for (int tries = 0; tries < kTries; ++tries) {
    const auto spot = distant_spot(a, *ahead);
    if (!spot) return std::nullopt;
    const int64_t right = spot->x - first.x, down = spot->y - first.y, way = length(right, down);
    const bool from_behind = (first.x - mine.x) * right + (first.y - mine.y) * down > 0;
    const int64_t behind = int64_t{a.stage.reach(*who) + a.stage.reach(*ahead)} * 12 / 10;
    Pose mine_last = mine;
    mine_last.x = spot->x - static_cast<int32_t>(right * behind / way);
    mine_last.y = spot->y - static_cast<int32_t>(down * behind / way);
    const int32_t margin = a.stage.reach(*who) / 2;
    const int32_t in_view = mine_last.x - a.stage.camera();
    const bool inside = in_view > margin && in_view < kStageWidth - margin &&
                        mine_last.y > margin && mine_last.y < kStageHeight - margin;
    const bool goes = length(mine_last.x - mine.x, mine_last.y - mine.y) >= kNear;
    if (!from_behind || !inside || !goes) continue;
    const int head_start = a.frames.count() / 6;
    a.stage.move(
        *ahead,
        {.frames = {a.frames.first, a.frames.end - head_start}, .from = first, .to = *spot});
    a.stage.move(
        *who,
        {.frames = {a.frames.first + head_start, a.frames.end}, .from = mine, .to = mine_last});
    Happening happening = a.happening({*who, *ahead});
    happening.side = direction_of(first, *spot);
    return happening;
  }
  return std::nullopt;
}

Result appear(const Attempt& a) {
  const auto who = a.choose([&](size_t i) { return a.is_waiting(i); });
  if (!who) return std::nullopt;
  const auto spot = a.stage.free_spot(*who, a.random);
  if (!spot) return std::nullopt;
  Pose from = *spot;
  from.opacity = 0;
  a.glide(*who, from, *spot);
  a.stage.standing(*who).presence = Presence::on;
  Happening happening = a.happening({*who});
  happening.place = a.stage.place_of(*spot);
  return happening;
}

Result vanish(const Attempt& a) {
  const auto who = a.choose([&](size_t i) { return a.is_on(i); });
  if (!who) return std::nullopt;
  const Pose from = a.stage.standing(*who).pose;
  Pose to = from;
  to.opacity = 0;
  a.glide(*who, from, to);
  a.stage.standing(*who).presence = Presence::waiting;
  Happening happening = a.happening({*who});
  happening.place = a.stage.place_of(from);
  return happening;
}

// Actions of a shape that stays where it is; `can` says who can, `motion_of` what it does.
template <class Can, class MotionOf>
Result on_the_spot(const Attempt& a, const Can& can, const MotionOf& motion_of) {
  const auto suits = [&](size_t i) { return a.is_on(i) && can(i); };
  const auto who = a.choose(suits);
  if (!who) return std::nullopt;
  Happening happening = a.happening({*who});
  happening.place = a.stage.place_of(a.stage.standing(*who).pose);
  if (a.random.chance(kTogether))
    if (const auto partner = a.choose_partner(*who, suits)) {
      happening.actors.push_back(*partner);
      happening.together = true;
    }
  for (const size_t i : happening.actors) a.stage.move(i, motion_of(a.stage.standing(i).pose));
  return happening;
}

// How often something happens that happens `hundredths` / 100 times a second.
int repeats(const Attempt& a, int hundredths) {
  return std::max(1, a.frames.count() * 100 / a.stage.frames_per_second() * hundredths / 10000);
}

Result spin(const Attempt& a) {
  const auto turning = a.random.chance(50) ? Turning::clockwise : Turning::counterclockwise;
  // A quarter to a half turn a second.
  const int32_t rate = a.random.between(kTurn / 4, kTurn / 2);
  const int32_t angle = a.frames.count() * rate / a.stage.frames_per_second();
  auto happening = on_the_spot(
      a,
      [&](size_t i) {
        const ShapeKind shape = a.stage.actor(i).shape;
        return shape != ShapeKind::circle && shape != ShapeKind::ring;
      },
      [&](Pose pose) {
        Motion motion{.frames = a.frames, .from = pose, .to = pose};
        motion.to.angle += turning == Turning::clockwise ? angle : -angle;
        return motion;
      });
  if (happening) happening->turning = turning;
  return happening;
}

Result change_size(const Attempt& a) {
  const bool growing = a.action == Action::grow;
  const int32_t percent = growing ? a.random.between(160, 200) : a.random.between(50, 62);
  return on_the_spot(
      a,
      [&](size_t i) {
        const int32_t scale = a.stage.standing(i).pose.scale, reach = a.stage.reach(i);
        return growing ? scale <= kFullScale * 5 / 4 && reach < kStageHeight / 5
                       : scale >= kFullScale * 4 / 5 && reach > kStageHeight / 9;
      },
      [&](Pose pose) {
        Motion motion{.frames = a.frames, .from = pose, .to = pose};
        motion.to.scale = pose.scale * percent / 100;
        return motion;
      });
}

Result repeat(const Attempt& a, MotionKind kind, int cycles) {
  return on_the_spot(
      a, [](size_t) { return true; },
      [&](Pose pose) {
        return Motion{.frames = a.frames, .kind = kind, .from = pose, .to = pose, .cycles = cycles};
      });
}

Result pan(const Attempt& a) {
  if (!a.stage.all_rest(a.frames.first)) return std::nullopt;
  if (a.stage.shot().background.texture == Texture::plain ||
      a.stage.shot().background.texture == Texture::gradient)
    return std::nullopt;  // over an even background nobody could tell
  Happening happening = a.happening({});
  happening.side = a.random.chance(50) ? Side::left : Side::right;
  const int32_t distance = a.random.between(kStageWidth / 4, kStageWidth * 6 / 10);
  a.stage.pan(a.frames, happening.side == Side::right ? distance : -distance);
  return happening;
}

}  // namespace

bool Casting::may_do(const Actor& actor, Action action) const {
  const bool held_out = is_held_out(actor.colour, actor.shape, action);
  return kind == FilmKind::training ? !held_out : held_out || !only_held_out;
}

bool Casting::may_take_part(const Actor& actor, Action action) const {
  return kind == FilmKind::testing || !is_held_out(actor.colour, actor.shape, action);
}

std::optional<Happening> act(Action action, FrameSpan frames, Stage& stage, const Casting& casting,
                             Random& random) {
  const Attempt attempt{action, frames, stage, casting, random};
  switch (action) {
    case Action::enter:
      return enter(attempt);
    case Action::leave:
      return leave(attempt);
    case Action::move:
      return move(attempt);
    case Action::spin:
      return spin(attempt);
    case Action::grow:
    case Action::shrink:
      return change_size(attempt);
    case Action::collide:
      return collide(attempt);
    case Action::hide:
      return hide(attempt);
    case Action::emerge:
      return emerge(attempt);
    case Action::blink:
      return repeat(attempt, MotionKind::blink, repeats(attempt, 190));
    case Action::follow:
      return follow(attempt);
    case Action::appear:
      return appear(attempt);
    case Action::vanish:
      return vanish(attempt);
    case Action::hop:
      return repeat(attempt, MotionKind::hop, repeats(attempt, 120));
    case Action::pan:
      return pan(attempt);
  }
  return std::nullopt;
}

}  // namespace pdvc
