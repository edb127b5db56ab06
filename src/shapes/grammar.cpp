#include "shapes/grammar.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "shapes/wording.h"

namespace pdvc {
namespace {

// How often something is said that could be left out, in percent.
constexpr int kPronoun = 55, kAdverb = 65, kWhere = 35, kAgain = 60, kSize = 15,
              kWithoutColour = 12, kMeanwhile = 45, kThen = 25, kNewScene = 50;
constexpr int32_t kSmall = 1750, kLarge = 2500;  // radius from which it is worth a word

void replace(std::string& text, std::string_view key, std::string_view value) {
  for (size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + value.size()))
    text.replace(at, key.size(), value);
}

// Tells a film event by event and remembers what has been said.
class Teller {
 public:
  Teller(const Scene& scene, Random& random) : scene_(scene), random_(random) {}

  std::string tell(size_t index) {
    const Happening& now = scene_.happenings[index];
    const Happening* before = index > 0 ? &scene_.happenings[index - 1] : nullptr;
    if (before && before->shot != now.shot) before = nullptr;
    std::string text = opening(index, before);
    text += clause(now, before);
    text += said_meanwhile_ ? "" : ending(now, before);
    for (const size_t actor : now.actors) mentioned_.insert({now.shot, actor});
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text + ".";
  }

 private:
  std::string one_of(Words words) { return std::string(random_.pick(words)); }

  static bool overlap(const Happening& now, const Happening* before) {
    return before && before->frames.end > now.frames.first + now.frames.count() / 6;
  }

  std::string opening(size_t index, const Happening* before) {
    const Happening& now = scene_.happenings[index];
    said_meanwhile_ = false;
    if (index == 0) return "";
    if (!before)
      return random_.chance(kNewScene)
                 ? random_.chance(50) ? "in the next scene " : "after the cut "
                 : "";
    if (overlap(now, before)) {
      said_meanwhile_ = random_.chance(kMeanwhile);
      return !said_meanwhile_ ? "" : random_.chance(50) ? "meanwhile " : "at the same time ";
    }
    if (!random_.chance(kThen)) return "";
    const int choice = random_.below(3);
    return choice == 0 ? "then " : choice == 1 ? "next " : "after that ";
  }

  // "while the red circle is still moving"
  std::string ending(const Happening& now, const Happening* before) {
    if (!overlap(now, before) || before->actors.size() != 1 || going_on(before->action).empty() ||
        !random_.chance(kMeanwhile))
      return "";
    if (std::ranges::count(now.actors, before->actors[0]) > 0) return "";
    return " while " + name(now.shot, before->actors[0]) + " is still " +
           std::string(going_on(before->action));
  }

  std::string clause(const Happening& now, const Happening* before) {
    std::string text = form_for(now);
    if (!now.actors.empty()) {
      // The doer is named before the other, also where the form turns them around.
      std::string doer = subject(now, before);
      const bool doer_is_pronoun = doer == "it";
      replace(text, "{a}", doer);
      if (now.actors.size() > 1) replace(text, "{b}", other(now, before, doer_is_pronoun));
    }
    fill(text, now);
    return text;
  }

  std::string form_for(const Happening& now) {
    if (now.together) return one_of(forms_together(now.action));
    if (now.action == Action::enter && has_left_.contains({now.shot, now.actors[0]})) {
      has_left_.erase({now.shot, now.actors[0]});
      return one_of(forms_for_return());
    }
    if (now.action == Action::leave || now.action == Action::vanish)
      has_left_.insert({now.shot, now.actors[0]});
    return one_of(forms_for(now.action));
  }

  void fill(std::string& text, const Happening& now) {
    const auto adverb = words_for(now.pace);
    replace(text, "{adverb}",
            !adverb.empty() && random_.chance(kAdverb) ? " " + one_of(adverb) : "");
    if (now.side) {
      replace(text, "{from}", one_of(words_from(*now.side)));
      replace(text, "{towards}", one_of(words_towards(*now.side)));
      replace(text, "{through}", one_of(words_through(*now.side)));
    }
    if (now.turning) replace(text, "{turning}", one_of(words_for(*now.turning)));
    fill_place(text, now);
    const bool repeated = !now.actors.empty() && !done_.insert(deed(now)).second;
    replace(text, "{again}", repeated && random_.chance(kAgain) ? " again" : "");
  }

  void fill_place(std::string& text, const Happening& now) {
    if (!now.place) return;
    const std::string words = place_words(*now.place);
    if (text.starts_with("{where}"))
      replace(text, "{where}", words + " ");
    else
      replace(text, "{where}", random_.chance(kWhere) ? " " + words : "");
  }

  // Who did what: the second time it is done again.
  using Deed = std::pair<size_t, std::pair<size_t, Action>>;
  static Deed deed(const Happening& now) { return {now.shot, {now.actors[0], now.action}}; }

  // Only one that was spoken of alone just before can be "it".
  bool was_last(const Happening* before, size_t actor) const {
    return before && before->actors.size() == 1 && before->actors[0] == actor;
  }

  std::string subject(const Happening& now, const Happening* before) {
    if (was_last(before, now.actors[0]) && random_.chance(kPronoun)) return "it";
    return name(now.shot, now.actors[0]);
  }

  std::string other(const Happening& now, const Happening* before, bool doer_is_pronoun) {
    if (!doer_is_pronoun && was_last(before, now.actors[1]) && random_.chance(kPronoun))
      return "it";
    return name(now.shot, now.actors[1]);
  }

  bool is_only_one_of_its_shape(const Shot& shot, const Actor& actor) const {
    return std::ranges::count(shot.actors, actor.shape, &Actor::shape) == 1;
  }

  // "an orange star" the first time, then "the orange star" or, now and then, "the star".
  std::string name(size_t shot_index, size_t index) {
    const Shot& shot = scene_.shots[shot_index];
    const Actor& actor = shot.actors[index];
    const std::string shape = one_of(words_for(actor.shape));
    std::string words = one_of(words_for(actor.colour)) + " " + shape;
    if (mentioned_.contains({shot_index, index})) {
      const bool bare = is_only_one_of_its_shape(shot, actor) && random_.chance(kWithoutColour);
      return "the " + (bare ? shape : words);
    }
    if (random_.chance(kSize)) words = size_word(actor) + words;
    const bool vowel = std::string_view("aeiou").find(words[0]) != std::string_view::npos;
    return (vowel ? "an " : "a ") + words;
  }

  std::string size_word(const Actor& actor) {
    if (actor.radius < kSmall) return "small ";
    if (actor.radius < kLarge) return "";
    return random_.chance(50) ? "large " : "big ";
  }

  const Scene& scene_;
  Random& random_;
  std::set<std::pair<size_t, size_t>> mentioned_, has_left_;  // shot, actor
  std::set<Deed> done_;
  bool said_meanwhile_ = false;
};

}  // namespace

std::vector<std::string> sentences_of(const Scene& scene, Random random) {
  Teller teller(scene, random);
  std::vector<std::string> sentences;
  for (size_t i = 0; i < scene.happenings.size(); ++i) sentences.push_back(teller.tell(i));
  return sentences;
}

}  // namespace pdvc
