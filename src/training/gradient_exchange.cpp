#include "training/gradient_exchange.h"

#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

namespace pdvc {
namespace {

constexpr int64_t kBucketBytes = int64_t{8} << 20;

}  // namespace

struct GradientExchange::Bucket {
  std::vector<size_t> parameters;
  torch::Tensor flat;  // their gradients end to end
  size_t missing = 0;
  Workers::Sum sum;
};

// Called by autograd after it has added to a parameter's gradient.
struct GradientExchange::Hook : public torch::autograd::FunctionPostHook {
  Hook(GradientExchange& owner, size_t which) : exchange(owner), parameter(which) {}
  torch::autograd::variable_list operator()(const torch::autograd::variable_list& outputs,
                                            const torch::autograd::variable_list&) override {
    exchange.parameter_ready(parameter);
    return outputs;
  }

  GradientExchange& exchange;
  size_t parameter;
};

GradientExchange::GradientExchange(std::vector<torch::Tensor> parameters, Workers& workers)
    : parameters_(std::move(parameters)), bucket_of_(parameters_.size()), workers_(workers) {
  if (workers_.size() == 1) return;
  int64_t bytes = kBucketBytes;
  for (size_t i = parameters_.size(); i-- > 0;) {
    const int64_t size = parameters_[i].numel() * static_cast<int64_t>(sizeof(float));
    if (bytes + size > kBucketBytes) {
      buckets_.emplace_back();
      bytes = 0;
    }
    bytes += size;
    bucket_of_[i] = buckets_.size() - 1;
    buckets_.back().parameters.push_back(i);
    accumulators_.push_back(torch::autograd::impl::grad_accumulator(parameters_[i]));
    accumulators_.back()->add_post_hook(std::make_unique<Hook>(*this, i));
  }
  for (Bucket& bucket : buckets_) {
    int64_t elements = 0;
    for (const size_t i : bucket.parameters) elements += parameters_[i].numel();
    bucket.flat = torch::zeros({elements});
  }
}

// The accumulators hold hooks that point here.
GradientExchange::~GradientExchange() { active_ = false; }

void GradientExchange::begin() {
  next_ = 0;
  for (Bucket& bucket : buckets_) bucket.missing = bucket.parameters.size();
  active_ = workers_.size() > 1;
}

void GradientExchange::parameter_ready(size_t parameter) {
  if (!active_) return;
  --buckets_[bucket_of_[parameter]].missing;
  start_ready_buckets();
}

void GradientExchange::start_ready_buckets() {
  while (next_ < buckets_.size() && buckets_[next_].missing == 0) start(buckets_[next_++]);
}

void GradientExchange::start(Bucket& bucket) {
  torch::NoGradGuard no_grad;
  int64_t at = 0;
  for (const size_t i : bucket.parameters) {
    const torch::Tensor& gradient = parameters_[i].grad();
    torch::Tensor room = bucket.flat.narrow(0, at, parameters_[i].numel());
    if (gradient.defined())
      room.copy_(gradient.flatten());
    else
      room.zero_();
    at += parameters_[i].numel();
  }
  bucket.sum = workers_.start_sum(bucket.flat);
}

void GradientExchange::finish(std::vector<double>& numbers) {
  if (workers_.size() == 1) return;
  active_ = false;
  while (next_ < buckets_.size()) start(buckets_[next_++]);
  const size_t given = numbers.size();
  for (const torch::Tensor& parameter : parameters_)
    numbers.push_back(parameter.grad().defined() ? 1 : 0);
  workers_.sum(numbers);
  torch::NoGradGuard no_grad;
  for (Bucket& bucket : buckets_) {
    bucket.sum.wait();
    bucket.flat.div_(workers_.size());
    int64_t at = 0;
    for (const size_t i : bucket.parameters) {
      torch::Tensor& parameter = parameters_[i];
      if (numbers[given + i] > 0)
        parameter.mutable_grad() = bucket.flat.narrow(0, at, parameter.numel()).view_as(parameter);
      at += parameter.numel();
    }
  }
  numbers.resize(given);
}

}  // namespace pdvc
