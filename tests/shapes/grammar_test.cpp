#include "shapes/grammar.h"

#include <gmock/gmock.h>

#include <set>
#include <sstream>

#include "shapes/corpus.h"

namespace pdvc {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// A stage with an orange star and a blue ring, and what they do.
Scene told(std::vector<Happening> happenings) {
  Scene scene{.frames = 600};
  Shot shot{.frames = {0, 600}};
  shot.actors = {{.shape = ShapeKind::star, .colour = Colour::orange, .radius = 2000},
                 {.shape = ShapeKind::ring, .colour = Colour::blue, .radius = 2000}};
  scene.shots.push_back(shot);
  scene.happenings = std::move(happenings);
  return scene;
}

// All that many tellings of one event say.
std::set<std::string> tellings(const Scene& scene, size_t event) {
  std::set<std::string> all;
  for (uint64_t seed = 0; seed < 400; ++seed) all.insert(sentences_of(scene, Random(seed))[event]);
  return all;
}

Happening star_moves(int first) {
  return {.action = Action::move, .frames = {first, first + 60}, .actors = {0}, .side = Side::left};
}

}  // namespace

TEST(ShapesGrammar, SaysOneThingInManyWays) {
  const auto all = tellings(told({star_moves(0)}), 0);
  EXPECT_GE(all.size(), 8);
  for (const std::string& sentence : all) {
    EXPECT_THAT(sentence, StartsWith("An orange star "));
    EXPECT_THAT(sentence, AnyOf(HasSubstr("to the left."), HasSubstr("leftwards.")));
  }
}

TEST(ShapesGrammar, PronounsStandForWhatWasSpokenOfJustBefore) {
  const auto all = tellings(told({star_moves(0), star_moves(100)}), 1);
  EXPECT_THAT(all, testing::Contains(StartsWith("It ")));
  EXPECT_THAT(all, testing::Contains(StartsWith("The orange star ")));
  for (const std::string& sentence : all) EXPECT_THAT(sentence, Not(HasSubstr("n orange")));
}

TEST(ShapesGrammar, NobodyIsItWhoWasNotSpokenOfJustBefore) {
  Happening ring_spins{.action = Action::blink, .frames = {100, 160}, .actors = {1}};
  ring_spins.place = Place{};
  for (const std::string& sentence : tellings(told({star_moves(0), ring_spins}), 1)) {
    EXPECT_THAT(sentence, AnyOf(HasSubstr("a blue "), StartsWith("A blue ")));
    EXPECT_THAT(sentence, Not(AnyOf(StartsWith("It "), HasSubstr(" it "))));
  }
}

TEST(ShapesGrammar, WhatOverlapsMayBeTiedToWhatGoesOn) {
  Happening ring{.action = Action::vanish, .frames = {20, 90}, .actors = {1}};
  ring.place = Place{};
  const auto all = tellings(told({star_moves(0), ring}), 1);
  EXPECT_THAT(all, testing::Contains(StartsWith("Meanwhile ")));
  EXPECT_THAT(all, testing::Contains(HasSubstr("while the orange star is still moving.")));
  EXPECT_THAT(all, Not(testing::Contains(StartsWith("Then "))));
}

// Over many films: no gap of a form is left open, and sentences are sentences.
TEST(ShapesGrammar, SentencesAreWhole) {
  std::set<std::string> sentences, words;
  for (const FilmPlan& film : plan_films(200, 3, parse_split("train=0.5,val=0.5"))) {
    const Scene scene = scene_of(film);
    for (const Wording wording : {Wording::first, Wording::paraphrase})
      for (const Event& event : events_of(film, scene, wording).events)
        sentences.insert(event.sentence);
  }
  for (const std::string& sentence : sentences) {
    EXPECT_EQ(sentence.find_first_of("{}"), std::string::npos) << sentence;
    EXPECT_EQ(sentence.find("  "), std::string::npos) << sentence;
    EXPECT_TRUE(sentence.front() >= 'A' && sentence.front() <= 'Z') << sentence;
    EXPECT_EQ(sentence.back(), '.');
    std::istringstream text(sentence);
    for (std::string word; text >> word;) words.insert(word);
  }
  EXPECT_GT(sentences.size(), 1500);
  EXPECT_LT(words.size(), 300);
}

TEST(ShapesGrammar, AParaphraseTellsTheSameEventsInOtherWords) {
  const auto films = plan_films(50, 3, parse_split("val=1"));
  int same = 0, all = 0;
  for (const FilmPlan& film : films) {
    const Scene scene = scene_of(film);
    const auto one = events_of(film, scene, Wording::first),
               two = events_of(film, scene, Wording::paraphrase);
    ASSERT_EQ(one.events.size(), two.events.size());
    for (size_t i = 0; i < one.events.size(); ++i, ++all) {
      EXPECT_EQ(one.events[i].segment.start, two.events[i].segment.start);
      same += one.events[i].sentence == two.events[i].sentence;
    }
  }
  EXPECT_LT(same * 4, all);
}

}  // namespace pdvc
