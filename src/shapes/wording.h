// The words that sentences about shapes are made of.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "shapes/scene.h"

namespace pdvc {

using Words = std::span<const std::string_view>;

Words words_for(ShapeKind shape);
Words words_for(Colour colour);
Words words_for(Turning turning);
Words words_for(Pace pace);  // none for the usual one

// "from {the left}"
Words words_from(Side side);
// "moves {to the left}"
Words words_towards(Side side);
// "leaves {on the left}"
Words words_through(Side side);
// "in the upper left"
std::string place_words(Place place);

// Forms of sentences, with {a} and {b} for those who do it, {adverb}, {from}, {towards}, {through},
// {turning}, {where} and {again} for what is said now and then.
Words forms_for(Action action);
// For two who do the same.
Words forms_together(Action action);
// For one who comes in again.
Words forms_for_return();

// "is still {moving}"; empty where nothing goes on that could be said so.
std::string_view going_on(Action action);

}  // namespace pdvc
