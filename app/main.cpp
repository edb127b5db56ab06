// pdvc: dispatches to a command.
#include "program.h"

int main(int count, char** words) {
  return pdvc::run_program("pdvc", {words + 1, words + count}, pdvc::all_commands());
}
