// Writes a model file that captions features of width 6, with random weights:   write_small_model
// FILE
#include "support/models.h"

int main(int count, char** words) {
  if (count != 2) return 2;
  pdvc::write_small_model(words[1], pdvc::small_settings(pdvc::CaptionerKind::standard));
}
