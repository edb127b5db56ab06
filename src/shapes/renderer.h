// From a scene to frames.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shapes/scene.h"

namespace pdvc {

// Draws the frames of one scene, in any order, with whole numbers only: the same scene gives the
// same bytes everywhere.
class Renderer {
 public:
  explicit Renderer(const Scene& scene);

  size_t frame_bytes() const;
  // rgb [height, width, 3]
  void draw(int frame, std::span<uint8_t> rgb) const;

 private:
  // A shot's background, as far as its camera ever sees.
  struct Backdrop {
    int32_t left = 0;  // units
    int width = 0;     // pixels
    std::vector<uint8_t> pixels;
  };

  Backdrop backdrop_of(const Shot& shot) const;
  void draw_backdrop(const Backdrop& backdrop, int32_t camera, std::span<uint8_t> rgb) const;
  void draw_actor(const Actor& actor, int frame, int32_t camera, std::span<uint8_t> rgb) const;
  void add_noise(int frame, std::span<uint8_t> rgb) const;

  const Scene& scene_;
  int32_t units_;  // in a pixel
  std::vector<Backdrop> backdrops_;
  std::vector<int8_t> noise_;
};

}  // namespace pdvc
