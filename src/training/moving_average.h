// An exponential moving average of the weights: what is validated and written when it is on.
#pragma once

#include <torch/torch.h>

#include <vector>

namespace pdvc {

class MovingAverage {
 public:
  // decay 0: there is none, and every call does nothing.
  MovingAverage(std::vector<torch::Tensor> parameters, double decay);

  bool is_on() const { return decay_ > 0; }
  // After each optimiser step.
  void update();
  // Exchanges the weights and their averages; a second call exchanges them back.
  void swap();

  std::vector<torch::Tensor>& averages() { return averages_; }

 private:
  double decay_;
  std::vector<torch::Tensor> parameters_, averages_;
};

// Has the averages stand in for the weights until its end.
class AveragedWeights {
 public:
  explicit AveragedWeights(MovingAverage& average) : average_(average) { average_.swap(); }
  ~AveragedWeights() { average_.swap(); }
  AveragedWeights(const AveragedWeights&) = delete;
  AveragedWeights& operator=(const AveragedWeights&) = delete;

 private:
  MovingAverage& average_;
};

}  // namespace pdvc
