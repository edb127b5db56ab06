// Between a model's parameters and files: both use the published names.
#pragma once

#include <torch/torch.h>

#include <vector>

#include "data/model_file.h"
#include "tensor/safetensors.h"

namespace pdvc {

// Copies tensors under their stored names into the model's parameters; throws when one is missing,
// unknown or misshapen.
void load_weights(torch::nn::Module& model, const std::vector<NamedView>& tensors);
void load_weights(torch::nn::Module& model, const ModelFile& file);

// A tensor of ours as Torch sees it, copied; integers become int64, numbers float.
torch::Tensor to_torch(const ArrayView& view);

}  // namespace pdvc
