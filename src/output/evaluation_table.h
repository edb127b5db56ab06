// Scores as a table, for people.
#pragma once

#include <string>

#include "output/evaluation_json.h"

namespace pdvc {

// All scores times 100, as papers print them. One system: thresholds side by side; several: systems
// side by side.
std::string evaluation_table(const EvaluationReport& report);

}  // namespace pdvc
