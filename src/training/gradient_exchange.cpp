#include "training/gradient_exchange.h"

#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>
#include <xmmintrin.h>

#include <algorithm>
#include <cmath>

namespace pdvc {
namespace {

constexpr int64_t kBucketBytes = int64_t{8} << 20;

// Past the cache: what is written here is read by another worker, after all the rest.
void copy_past_cache(const float* from, int64_t count, float* to) {
  constexpr int64_t kTogether = 4;
  int64_t i = 0;
  for (; i < count && reinterpret_cast<uintptr_t>(to + i) % 16 != 0; ++i) to[i] = from[i];
  for (; i + kTogether <= count; i += kTogether) _mm_stream_ps(to + i, _mm_loadu_ps(from + i));
  for (; i < count; ++i) to[i] = from[i];
  _mm_sfence();
}

// Returns the sum of the means' squares. Blocks are small enough to stay in the cache from the
// first part to the last.
__attribute__((target_clones("avx512f", "avx2", "default"))) double average(
    const std::vector<const float*>& parts, float* result, int64_t begin, int64_t end) {
  constexpr int64_t kBlock = 4096, kLanes = 16;
  const auto share = 1 / static_cast<float>(parts.size());
  double total = 0;
  for (int64_t first = begin; first < end; first += kBlock) {
    const int64_t last = std::min(first + kBlock, end);
    float sums[kBlock];  // the result may be one of the parts
    for (int64_t i = first; i < last; ++i) sums[i - first] = parts[0][i] + parts[1][i];
    for (size_t part = 2; part < parts.size(); ++part)
      for (int64_t i = first; i < last; ++i) sums[i - first] += parts[part][i];
    for (int64_t i = first; i < last; ++i) result[i] = sums[i - first];
    float squares[kLanes] = {};
    int64_t i = first;
    for (; i + kLanes <= last; i += kLanes)
      for (int64_t lane = 0; lane < kLanes; ++lane) {
        const float mean = result[i + lane] *= share;
        squares[lane] += mean * mean;
      }
    for (; i < last; ++i) {
      const float mean = result[i] *= share;
      squares[0] += mean * mean;
    }
    for (const float square : squares) total += static_cast<double>(square);
  }
  return total;
}

}  // namespace

struct GradientExchange::Bucket {
  std::vector<size_t> parameters;
  int64_t first = 0, elements = 0;  // among those of all buckets
  torch::Tensor flat;               // their gradients end to end
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
    : parameters_(std::move(parameters)),
      bucket_of_(parameters_.size()),
      workers_(workers),
      first_(parameters_.size()) {
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
    bucket.first = elements_;
    for (const size_t i : bucket.parameters) {
      first_[i] = elements_;
      elements_ += parameters_[i].numel();
    }
    bucket.elements = elements_ - bucket.first;
  }
  const bool in_memory = std::ranges::all_of(
      parameters_, [](const torch::Tensor& parameter) { return parameter.is_cpu(); });
  constexpr int kParts = 3;
  const auto copies = static_cast<size_t>(in_memory ? workers_.size() + kParts : 0);
  shared_ = SharedMemory::open(workers_, copies * static_cast<size_t>(elements_) * sizeof(float));
  for (Bucket& bucket : buckets_)
    bucket.flat =
        shared_ ? torch::from_blob(gradients_of(workers_.rank()) + bucket.first, {bucket.elements})
                : torch::zeros({bucket.elements}, parameters_[0].options().requires_grad(false));
  if (!shared_) return;
  torch::NoGradGuard no_grad;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const torch::Tensor weights = shared_view(Part::weights, i);
    if (workers_.is_first()) weights.copy_(parameters_[i]);
    parameters_[i].set_data(weights);
  }
  workers_.barrier();
}

float* GradientExchange::gradients_of(int worker) const {
  return reinterpret_cast<float*>(shared_->data()) + worker * elements_;
}

float* GradientExchange::shared_part(Part part) const {
  return gradients_of(workers_.size() + static_cast<int>(part));
}

torch::Tensor GradientExchange::shared_view(Part part, size_t parameter) const {
  return torch::from_blob(shared_part(part) + first_[parameter], parameters_[parameter].sizes());
}

// Equal parts, but for whole parameters.
bool GradientExchange::is_own(size_t parameter) const {
  const int64_t middle = first_[parameter] + parameters_[parameter].numel() / 2;
  return middle * workers_.size() / elements_ == workers_.rank();
}

void GradientExchange::share(Adam& optimizer) {
  for (size_t i = 0; i < parameters_.size(); ++i) {
    Adam::Slot& slot = optimizer.slots()[i];
    slot.is_own = is_own(i);
    slot.mean = shared_view(Part::optimizer_means, i);
    slot.square = shared_view(Part::optimizer_squares, i);
    if (!slot.is_own) continue;
    slot.mean.zero_();
    slot.square.zero_();
  }
  workers_.barrier();
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
    if (!gradient.defined())
      room.zero_();
    else if (shared_)
      copy_past_cache(gradient.contiguous().data_ptr<float>(), gradient.numel(),
                      room.data_ptr<float>());
    else
      room.copy_(gradient.flatten());
    at += parameters_[i].numel();
  }
  if (!shared_) bucket.sum = workers_.start_sum(bucket.flat);
}

// The order of summation is the same whoever makes the sum. Means take the place of this worker's
// own gradients, of which nobody else reads this part.
double GradientExchange::average_through_memory() {
  int64_t begin = elements_, end = 0;
  for (size_t i = 0; i < parameters_.size(); ++i)
    if (is_own(i)) {
      begin = std::min(begin, first_[i]);
      end = std::max(end, first_[i] + parameters_[i].numel());
    }
  std::vector<const float*> parts;
  for (int worker = 0; worker < workers_.size(); ++worker) parts.push_back(gradients_of(worker));
  std::vector<double> squares = {average(parts, gradients_of(workers_.rank()), begin, end)};
  workers_.sum(squares);
  return std::sqrt(squares[0]);
}

std::optional<double> GradientExchange::finish(std::vector<double>& numbers) {
  if (workers_.size() == 1) return std::nullopt;
  active_ = false;
  while (next_ < buckets_.size()) start(buckets_[next_++]);
  const size_t given = numbers.size();
  for (const torch::Tensor& parameter : parameters_)
    numbers.push_back(parameter.grad().defined() ? 1 : 0);
  workers_.sum(numbers);  // with shared memory also what all gradients wait for
  torch::NoGradGuard no_grad;
  std::optional<double> norm;
  if (shared_) norm = average_through_memory();
  for (Bucket& bucket : buckets_) {
    const torch::Tensor& mean = bucket.flat;
    if (!shared_) {
      bucket.sum.wait();
      mean.div_(workers_.size());
    }
    int64_t at = 0;
    for (const size_t i : bucket.parameters) {
      torch::Tensor& parameter = parameters_[i];
      if (numbers[given + i] > 0)
        parameter.mutable_grad() = mean.narrow(0, at, parameter.numel()).view_as(parameter);
      at += parameter.numel();
    }
  }
  numbers.resize(given);
  return norm;
}

}  // namespace pdvc
