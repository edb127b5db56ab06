// Says what happens in a video, and when:   caption_features MODEL FEATURES SECONDS
//
// FEATURES holds 32-bit floats, row after row, as wide as the model expects; SECONDS is how long
// the video is.
#include <pdvc/pdvc.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace {

std::vector<float> read_floats(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw std::runtime_error(path + ": cannot be opened");
  std::vector<float> values(static_cast<std::size_t>(file.tellg()) / sizeof(float));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(float)));
  return values;
}

}  // namespace

int main(int count, char** words) try {
  if (count != 4) {
    std::cerr << "usage: caption_features MODEL FEATURES SECONDS\n";
    return 2;
  }
  const pdvc::Model model = pdvc::Model::load(words[1]);
  const std::vector<float> values = read_floats(words[2]);
  const std::size_t width = model.feature_width();
  const pdvc::Features features{values.data(), values.size() / width, width};
  for (const pdvc::Caption& caption : model.caption(features, std::atof(words[3])))
    std::cout << caption.start << " to " << caption.end << " s: " << caption.sentence << '\n';
  return 0;
} catch (const std::exception& error) {  // pdvc::Exception among them
  std::cerr << "caption_features: " << error.what() << '\n';
  return 1;
}
