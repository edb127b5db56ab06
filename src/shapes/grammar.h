// Says in English what happens in a scene.
#pragma once

#include <string>
#include <vector>

#include "shapes/random.h"
#include "shapes/scene.h"

namespace pdvc {

// A sentence for each happening, in order. Another generator says the same in other words. A
// sentence may lean on the one before: pronouns, "the" for what is known, "meanwhile".
std::vector<std::string> sentences_of(const Scene& scene, Random random);

}  // namespace pdvc
