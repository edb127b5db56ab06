#include "parity/trainer/random_weights.h"

#include <cmath>
#include <string_view>

namespace pdvc {
namespace {

bool has(std::string_view name, std::string_view part) {
  return name.find(part) != std::string_view::npos;
}

bool is_table(std::string_view name) {
  return has(name, "embed.weight") || has(name, "level_embed");
}

// How far outputs spread when inputs are about one.
double spread(std::string_view name) {
  if (has(name, "core.deformable_att.sampling_offsets")) return 3;
  if (has(name, "sampling_offsets")) return std::pow(4.0, torch::rand({1}).item<double>() * 2);
  if (has(name, "logit.weight")) return 6;
  // Words and queries rather than the state decide what comes next: a state that depended strongly
  // on itself would blow up rounding errors.
  if (has(name, "rnn.weight_ih")) return 2;
  if (has(name, "rnn.weight_hh")) return 0.7;
  if (has(name, "reference_points") || has(name, "alpha_net")) return 2;
  return 1;
}

// What makes the end as likely as a word that does well among so many: in some models more, in some
// less.
double likely_end(const ModelSettings& settings, int64_t words) {
  const double deviation = settings.captioner == CaptionerKind::transformer ? 6 : 2;
  return deviation * std::sqrt(2 * std::log(words)) * 0.7 * torch::rand({1}).item<double>();
}

torch::Tensor random_like(std::string_view name, const torch::Tensor& parameter) {
  const torch::Tensor normal = torch::randn_like(parameter);
  const bool scales = parameter.dim() == 1 && name.ends_with(".weight");  // a norm's
  if (scales) return 1 + 0.3 * normal;
  if (has(name, "caption_head.0.embed")) return 2 * normal;
  if (is_table(name)) return normal;
  if (parameter.dim() < 2) return 0.3 * spread(name) * normal;
  const double inputs =
      static_cast<double>(parameter.numel()) / static_cast<double>(parameter.size(0));
  return normal * (spread(name) / std::sqrt(inputs));
}

}  // namespace

void randomize(PdvcImpl& model) {
  torch::NoGradGuard no_grad;
  for (auto& parameter : model.named_parameters())
    parameter.value().copy_(random_like(parameter.key(), parameter.value()));
  for (auto& parameter : model.named_parameters())
    if (has(parameter.key(), "logit.bias"))
      parameter.value()[0] += likely_end(model.settings(), parameter.value().size(0));
}

}  // namespace pdvc
