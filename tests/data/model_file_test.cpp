#include "data/model_file.h"

#include <gmock/gmock.h>

#include "data/conversion.h"
#include "support/files.h"
#include "support/models.h"

namespace pdvc {
namespace {

using testing::HasSubstr;

ModelDescription small_description(CaptionerKind captioner) {
  ModelDescription description{.settings = small_settings(captioner), .note = "a test"};
  if (captioner != CaptionerKind::none) description.vocabulary = small_vocabulary();
  description.backbone = Backbone{.name = "c3d", .frames = 16, .stride = 8, .width = 6};
  return description;
}

constexpr std::array kAllCaptioners = {CaptionerKind::none, CaptionerKind::light,
                                       CaptionerKind::standard, CaptionerKind::soft,
                                       CaptionerKind::transformer};

struct Converted {
  TemporaryFolder folder;
  RecordingLog log;
  std::filesystem::path checkpoint = folder / "a.pth", model = folder / "a.safetensors";

  explicit Converted(CaptionerKind captioner, Precision precision = Precision::f32) {
    write_small_checkpoint(checkpoint, small_settings(captioner).model);
    convert_to_model_file(checkpoint, model, small_description(captioner), precision, log);
  }
};

// The message about a checkpoint whose tensors `change` has touched.
std::string refusal(const std::function<void(std::vector<NamedView>&)>& change) {
  const TemporaryFolder folder;
  std::deque<Array> arrays;
  auto tensors = small_weights(small_settings(CaptionerKind::light).model, arrays);
  change(tensors);
  write_checkpoint(folder / "a.pth", 0, tensors);
  const Checkpoint checkpoint(folder / "a.pth");
  return error_of(
      [&] { published_weights(checkpoint, small_settings(CaptionerKind::light).model, "a.pth"); });
}

std::string stored_name(const std::vector<SchemaTensor>& schema, const std::string& name) {
  const auto at = std::ranges::find(schema, name, &SchemaTensor::name);
  return at == schema.end() ? "" : at->stored_as;
}

NamedView& tensor_named(std::vector<NamedView>& tensors, const std::string& name) {
  return *std::ranges::find(tensors, name, &NamedView::name);
}

// Wide enough that some matrices are large.
struct WideCheckpoint {
  Settings settings = small_settings(CaptionerKind::light);
  TemporaryFolder folder;
  RecordingLog log;
  std::filesystem::path path = folder / "a.pth";

  WideCheckpoint() {
    settings.model.feed_forward = 4096;
    write_small_checkpoint(path, settings.model);
  }

  ModelFile converted(const char* name, Precision precision) {
    convert_to_model_file(path, folder / name, {settings, small_vocabulary(), std::nullopt, ""},
                          precision, log);
    return ModelFile(folder / name, log);
  }
};

}  // namespace

TEST(Schema, NamesThePublishedTensors) {
  const auto schema = schema_of(small_settings(CaptionerKind::standard).model);
  const auto shape_of = [&](const std::string& name) {
    const auto at = std::ranges::find(schema, name, &SchemaTensor::name);
    return at == schema.end() ? Shape{-1} : at->shape;
  };
  EXPECT_EQ(shape_of("base_encoder.input_proj.1.0.weight"), (Shape{32, 6, 3}));
  EXPECT_EQ(shape_of("transformer.decoder.layers.1.self_attn.in_proj_weight"), (Shape{96, 32}));
  EXPECT_EQ(shape_of("caption_head.1.core.rnn.weight_ih_l0"), (Shape{32, 4 + 32 + 32}));
  EXPECT_EQ(shape_of("count_head.1.bias"), Shape{11});
  EXPECT_EQ(stored_name(schema, "caption_head.1.embed.weight"), "caption_head.0.embed.weight");
  EXPECT_EQ(stored_name(schema, "transformer.decoder.bbox_head.1.layers.0.bias"),
            "bbox_head.1.layers.0.bias");
  EXPECT_EQ(stored_name(schema, "class_head.1.bias"), "class_head.1.bias");
}

TEST(Schema, SharesHeadsWithoutBoxRefinement) {
  ModelSettings settings = small_settings(CaptionerKind::light).model;
  settings.refine_boxes = false;
  const auto schema = schema_of(settings);
  EXPECT_EQ(stored_name(schema, "class_head.1.bias"), "class_head.0.bias");
  EXPECT_EQ(stored_name(schema, "transformer.decoder.bbox_head.1.layers.0.bias"), "");
}

TEST(ModelFile, CarriesAllAProgramNeeds) {
  for (const CaptionerKind captioner : kAllCaptioners) {
    Converted converted(captioner);
    const ModelFile model(converted.model, converted.log);
    EXPECT_EQ(model.description().settings.model.captioner, captioner);
    EXPECT_EQ(model.description().vocabulary.has_value(), captioner != CaptionerKind::none);
    EXPECT_EQ(model.description().backbone.value().name, "c3d");
    EXPECT_EQ(model.description().note, "a test");
    EXPECT_FALSE(model.tensors().contains("caption_head.1.embed.weight"));
    EXPECT_EQ(converted.log.str(), "");
  }
}

TEST(ModelFile, GoesBackToACheckpointWithAllRepeatedNames) {
  for (const CaptionerKind captioner : kAllCaptioners) {
    Converted converted(captioner);
    convert_to_checkpoint(converted.model, converted.folder / "back.pth", converted.log);
    const Checkpoint before(converted.checkpoint), after(converted.folder / "back.pth");
    ASSERT_EQ(before.entries().size(), after.entries().size());
    for (size_t i = 1; i < before.entries().size(); ++i) {
      EXPECT_EQ(before.entries()[i].path, after.entries()[i].path);
      EXPECT_EQ(to_doubles(std::get<ArrayView>(before.entries()[i].value)),
                to_doubles(std::get<ArrayView>(after.entries()[i].value)));
    }
  }
}

TEST(ModelFile, StoresLargeMatricesSmallerOnRequest) {
  WideCheckpoint checkpoint;
  const std::string wide = "transformer.encoder.layers.0.linear1.weight",
                    small = "class_head.0.weight";
  for (const auto& [precision, type] : {std::pair{Precision::f16, DType::f16},
                                        {Precision::bf16, DType::bf16},
                                        {Precision::int8, DType::i8}}) {
    const ModelFile model = checkpoint.converted("a.safetensors", precision);
    EXPECT_EQ(model.tensors().at(wide).type, type);
    EXPECT_EQ(model.tensors().at(small).type, DType::f32);
    const auto exact = to_doubles(*Checkpoint(checkpoint.path).find_tensor("model/" + wide));
    const Array stored = model.weights(wide);
    for (size_t i = 0; i < exact.size(); i += 97) EXPECT_NEAR(stored.floats()[i], exact[i], 0.01);
  }
}

TEST(ModelFile, IsStoredAnewFromAModelFileAsFromACheckpoint) {
  WideCheckpoint checkpoint;
  const auto again = [&](const ModelFile& model, const char* name, Precision precision) {
    rewrite_model_file(model, checkpoint.folder / name, model.description(), precision);
    return ModelFile(checkpoint.folder / name, checkpoint.log);
  };
  const ModelFile whole = checkpoint.converted("whole.safetensors", Precision::f32);
  for (const Precision precision : {Precision::f16, Precision::bf16, Precision::int8}) {
    const ModelFile direct = checkpoint.converted("direct.safetensors", precision);
    const ModelFile twice = again(whole, "twice.safetensors", precision);
    for (const auto& [name, view] : twice.tensors()) {
      EXPECT_EQ(view.type, direct.tensors().at(name).type) << name;
      EXPECT_TRUE(std::ranges::equal(view.bytes, direct.tensors().at(name).bytes)) << name;
    }
    const ModelFile back = again(direct, "back.safetensors", Precision::f32);
    for (const auto& [name, view] : back.tensors()) {
      EXPECT_EQ(view.type, DType::f32) << name;
      EXPECT_EQ(to_doubles(view), to_doubles(direct.weights(name).view())) << name;
    }
  }
}

TEST(ModelFile, KeepsATensorWholeThatHalfPrecisionCannotHold) {
  Settings settings = small_settings(CaptionerKind::light);
  settings.model.feed_forward = 4096;
  const TemporaryFolder folder;
  RecordingLog log;
  std::deque<Array> arrays;
  auto tensors = small_weights(settings.model, arrays);
  Array large =
      to_floats(tensor_named(tensors, "transformer.encoder.layers.0.linear1.weight").view);
  large.floats()[0] = 70000;
  tensor_named(tensors, "transformer.encoder.layers.0.linear1.weight").view = large.view();
  write_checkpoint(folder / "a.pth", 0, tensors);
  convert_to_model_file(folder / "a.pth", folder / "a.safetensors",
                        {settings, small_vocabulary(), std::nullopt, ""}, Precision::f16, log);
  EXPECT_EQ(ModelFile(folder / "a.safetensors", log)
                .weights("transformer.encoder.layers.0.linear1.weight")
                .floats()[0],
            70000);
}

TEST(ModelFile, NamesWhatIsMissingExtraOrOfTheWrongShape) {
  EXPECT_EQ(refusal([](auto& t) {
              std::erase_if(t, [](const auto& x) { return x.name == "query_embed.weight"; });
            }),
            "a.pth: tensor query_embed.weight is missing (expected [3, 64])");
  EXPECT_EQ(
      refusal([](auto& t) {
        t.push_back({"surprise", t[0].view});
      }),
      "a.pth: tensor surprise does not belong to the model the settings describe (1 too many)");
  EXPECT_EQ(refusal([](auto& t) {
              tensor_named(t, "query_embed.weight").view.shape = {6, 32};
            }),
            "a.pth: tensor query_embed.weight has shape [6, 32] (expected [3, 64])");
  EXPECT_EQ(refusal([](auto& t) { tensor_named(t, "class_head.0.bias").view.type = DType::i32; }),
            "a.pth: tensor class_head.0.bias is int32 (expected floating point)");
}

TEST(ModelFile, NamesRepeatedTensorsThatDisagree) {
  const std::string other = bytes_of<float>({1, 2, 3, 4, 5, 6});
  EXPECT_EQ(refusal([&](auto& t) {
              tensor_named(t, "caption_head.1.logit.bias").view.bytes = as_bytes(other);
            }),
            "a.pth: tensor caption_head.1.logit.bias differs from the one it repeats (expected the "
            "same as caption_head.0.logit.bias)");
}

TEST(ModelFile, ReadsDataParallelNamesAndBareStateDictionaries) {
  const TemporaryFolder folder;
  std::deque<Array> arrays;
  auto tensors = small_weights(small_settings(CaptionerKind::light).model, arrays);
  const size_t count = published_weights(
                           [&] {
                             write_checkpoint(folder / "a.pth", 0, tensors);
                             return Checkpoint(folder / "a.pth");
                           }(),
                           small_settings(CaptionerKind::light).model, "a.pth")
                           .size();
  for (NamedView& tensor : tensors) tensor.name = "module." + tensor.name;
  write_checkpoint(folder / "b.pth", 0, tensors);
  EXPECT_EQ(published_weights(Checkpoint(folder / "b.pth"),
                              small_settings(CaptionerKind::light).model, "b.pth")
                .size(),
            count);
}

TEST(ModelFile, RefusesOtherSafetensorsAndOtherVersions) {
  const TemporaryFolder folder;
  RecordingLog log;
  const auto path = folder / "a.safetensors";
  write_safetensors(path, {}, {{"format", "pt"}});
  EXPECT_EQ(error_of([&] { ModelFile model(path, log); }),
            path.string() + ": is not a model file (expected metadata \"format\" = \"pdvc\")");
  write_safetensors(path, {}, {{"format", "pdvc"}, {"format_version", "9"}});
  EXPECT_EQ(error_of([&] { ModelFile model(path, log); }),
            path.string() + ": is a model file of version 9 (expected 1)");
  write_safetensors(path, {}, {{"format", "pdvc"}, {"format_version", "1"}});
  EXPECT_EQ(error_of([&] { ModelFile model(path, log); }),
            path.string() + ": is not a model file (its metadata has no \"settings\")");
  write_safetensors(
      path, {},
      {{"format", "pdvc"}, {"format_version", "1"}, {"settings", R"({"hidden_dim": "wide"})"}});
  EXPECT_EQ(error_of([&] { ModelFile model(path, log); }),
            path.string() +
                ": settings: hidden_dim: expected a whole number from 32 to 16384, got \"wide\"");
}

TEST(ModelFile, RefusesAVocabularyOfTheWrongSize) {
  Converted converted(CaptionerKind::light);
  ModelDescription description = small_description(CaptionerKind::light);
  description.vocabulary = Vocabulary({"one"});
  const ModelFile model(converted.model, converted.log);
  std::vector<NamedView> tensors;
  for (const auto& [name, view] : model.tensors()) tensors.push_back({name, view});
  const auto path = converted.folder / "b.safetensors";
  write_model_file(path, description, tensors);
  EXPECT_EQ(error_of([&] { ModelFile wrong(path, converted.log); }),
            path.string() + ": vocabulary: holds 1 words (expected vocab_size 5)");
}

TEST(ModelFile, WarnsAboutWeightsThatAreNotFinite) {
  const TemporaryFolder folder;
  std::deque<Array> arrays;
  const auto tensors = small_weights(small_settings(CaptionerKind::light).model, arrays);
  arrays[0].floats()[0] = std::numeric_limits<float>::quiet_NaN();
  write_checkpoint(folder / "a.pth", 0, tensors);
  RecordingLog log;
  convert_to_model_file(folder / "a.pth", folder / "a.safetensors",
                        small_description(CaptionerKind::light), Precision::f32, log);
  EXPECT_EQ(log.str(), "test: warning: " + (folder / "a.pth").string() +
                           ": tensor base_encoder.pos_embed.duration_embed_layer.weight: 1 values "
                           "are NaN or infinite\n");
}

TEST(Backbone, ComesFromThePublishedFeatureType) {
  EXPECT_EQ(published_backbone({"tsp"})->name, "r2plus1d_34");
  EXPECT_DOUBLE_EQ(*published_backbone({"tsp"})->seconds_per_row(), 16.0 / 15);
  EXPECT_EQ(published_backbone({"c3d"})->width, 500);
  EXPECT_FALSE(published_backbone({"c3d"})->seconds_per_row().has_value());
  EXPECT_FALSE(published_backbone({"resnet", "bn"}).has_value());
}

TEST(Conversion, TakesTheGoldenCheckpointsAndGivesThemBack) {
  PDVC_NEEDS_SHARED("golden/anet_c3d_pdvc/model.pth");
  for (const char* run : {"anet_c3d_pdvc", "anet_c3d_pdvcl"}) {
    const TemporaryFolder folder;
    RecordingLog log;
    const auto golden = shared_file(std::string("golden/") + run + "/model.pth");
    ModelDescription description;
    description.settings =
        load_settings(shared_file(std::string("golden/") + run + "/options.json"), {}, log);
    description.vocabulary = Vocabulary::read(shared_file("data/anet/vocabulary_activitynet.json"));
    convert_to_model_file(golden, folder / "a.safetensors", description, Precision::f32, log);
    convert_to_checkpoint(folder / "a.safetensors", folder / "b.pth", log);
    const Checkpoint before(golden), after(folder / "b.pth");
    ASSERT_EQ(before.entries().size(), after.entries().size());
    for (const CheckpointEntry& entry : before.entries())
      if (const auto* view = std::get_if<ArrayView>(&entry.value)) {
        const ArrayView* other = after.find_tensor(entry.path);
        ASSERT_NE(other, nullptr) << entry.path;
        EXPECT_TRUE(std::ranges::equal(view->bytes, other->bytes)) << entry.path;
      }
    EXPECT_EQ(log.str(), "");
  }
}

// That model has box refinement and heads of its own in each layer; this setting has neither.
TEST(Conversion, NoticesSettingsOfAnotherModel) {
  PDVC_NEEDS_SHARED("golden/anet_c3d_pdvc/model.pth");
  RecordingLog log;
  const Checkpoint checkpoint(shared_file("golden/anet_c3d_pdvc/model.pth"));
  const Settings given =
      load_settings(shared_file("golden/anet_c3d_pdvc_gt/options.json"), {}, log);
  EXPECT_EQ(error_of([&] { published_weights(checkpoint, given.model, "model.pth"); }),
            "model.pth: tensor class_head.1.weight differs from the one it repeats (expected the "
            "same as class_head.0.weight)");
}

}  // namespace pdvc
