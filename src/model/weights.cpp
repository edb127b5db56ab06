#include "model/weights.h"

#include <cstring>
#include <map>

#include "base/error.h"

namespace pdvc {
namespace {

void copy_into(torch::Tensor& parameter, const ArrayView& view, const std::string& name) {
  check(parameter.sizes().vec() == view.shape, name, ": has shape ", shape_text(view.shape),
        " (expected ", shape_text(parameter.sizes().vec()), ")");
  torch::NoGradGuard no_grad;
  parameter.copy_(to_torch(view));
}

}  // namespace

torch::Tensor to_torch(const ArrayView& view) {
  if (view.type == DType::i64) {
    torch::Tensor result = torch::empty(view.shape, torch::kLong);
    std::memcpy(result.data_ptr(), view.bytes.data(), view.bytes.size());
    return result;
  }
  torch::Tensor result = torch::empty(view.shape, torch::kFloat);
  to_floats(view, {result.data_ptr<float>(), static_cast<size_t>(result.numel())});
  return view.type == DType::boolean ? result.to(torch::kBool) : result;
}

void load_weights(torch::nn::Module& model, const std::vector<NamedView>& tensors) {
  std::map<std::string, const ArrayView*> by_name;
  for (const auto& [name, view] : tensors) by_name[name] = &view;
  for (auto& parameter : model.named_parameters()) {
    const auto at = by_name.find(parameter.key());
    check(at != by_name.end(), parameter.key(), ": is missing among the weights");
    copy_into(parameter.value(), *at->second, parameter.key());
    by_name.erase(at);
  }
  check(by_name.empty(), by_name.empty() ? "" : by_name.begin()->first,
        ": does not belong to this model");
}

void load_weights(torch::nn::Module& model, const ModelFile& file) {
  for (auto& parameter : model.named_parameters())
    copy_into(parameter.value(), file.weights(parameter.key()).view(), parameter.key());
}

}  // namespace pdvc
