// pdvc-train: the trainer, on LibTorch. `pdvc train` will run it.
#include <iostream>
#include <string>

#include "base/version.h"
#include "training/environment.h"

int main(int count, char** words) {
  pdvc::prefer_fast_blas(words);
  const std::string word = count == 2 ? words[1] : "";
  if (word == "--version") {
    std::cout << "pdvc-train " << pdvc::version() << " (" << pdvc::commit() << ")\nLibTorch "
              << pdvc::torch_version() << ", devices: " << pdvc::torch_devices() << '\n';
    return 0;
  }
  std::cerr << "pdvc-train: expected --version\n";
  return 2;
}
