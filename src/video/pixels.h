// The `pixels` descriptor: what colours are where, how they are shaped and how they move, without
// any weights. A frame is measured once, a clip is described from the measures of its frames.
#pragma once

#include <cstdint>
#include <span>

namespace pdvc {

constexpr int kPixelsWidth = 128, kPixelsHeight = 96;  // of the frames it looks at

// Classes of colour: seven hues, and white. Dull pixels are in none.
constexpr int kPixelsClasses = 8;

// Brightness in bands of a few rows, for what moves as a whole.
constexpr int kPixelsBands = 24;

// One class in one frame, its pixels weighted by how colourful they are.
struct ColourMeasure {
  float area = 0;           // share of the frame
  float x = 0, y = 0;       // its middle, 0..1
  float strength = 0;       // how colourful its pixels are: it fades with the shape
  float inertia = 0;        // mean squared distance from the middle over area: least for a disc
  float fourth = 0;         // the same of the distance's fourth power
  float real[5] = {};       // how it looks the same after 1/1 ... 1/5 of a turn: moments that turn
  float imaginary[5] = {};  // with the shape, k times as fast
};

struct FrameMeasure {
  ColourMeasure colours[kPixelsClasses];
  float brightness[kPixelsBands][kPixelsWidth];  // 0..1
};

// rgb [kPixelsHeight, kPixelsWidth, 3], `stride` bytes from row to row
void measure_frame(const uint8_t* rgb, int64_t stride, FrameMeasure& measure);

// Numbers for each class, and for the frame as a whole.
constexpr int kPixelsPerClass = 43, kPixelsOverall = 26;
constexpr int kPixelsRow = kPixelsClasses * kPixelsPerClass + kPixelsOverall;

// Beyond this a number says nothing more; one that is far off would drown all others in a network.
constexpr float kPixelsLargest = 4;

// The frames of a clip in order, at least 8. row [kPixelsRow]; all numbers are of the order of 1.
void describe_clip(std::span<const FrameMeasure* const> clip, std::span<float> row);

}  // namespace pdvc
