// Writes the smallest model file there is, as the seed of fuzz_model_file:   make_model_seed
// seeds/model_file/smallest
#include "../tests/support/models.h"

int main(int count, char** words) {
  if (count != 2) return 2;
  pdvc::ModelDescription description{.settings = pdvc::small_settings(pdvc::CaptionerKind::light),
                                     .vocabulary = pdvc::small_vocabulary(),
                                     .backbone = pdvc::known_backbone("c3d"),
                                     .note = "the smallest model"};
  pdvc::ModelSettings& model = description.settings.model;
  model.levels = model.encoder_layers = model.decoder_layers = model.encoder_points =
      model.decoder_points = 1;
  model.feature_width = model.feed_forward = model.heads = model.queries = model.max_events = 1;
  std::deque<pdvc::Array> arrays;
  std::vector<pdvc::NamedView> tensors;
  for (const pdvc::NamedView& tensor : pdvc::small_weights(model, arrays))
    if (!tensor.name.starts_with("transformer.decoder.bbox_head"))
      tensors.push_back(
          {tensor.name,
           arrays.emplace_back(pdvc::converted(tensor.view, pdvc::DType::f16)).view()});
  pdvc::write_model_file(words[1], description, tensors);
}
