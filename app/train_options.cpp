#include "train_options.h"

namespace pdvc {

void fields(TrainOptions& o, FieldList& visit) {
  visit("words", o.words, "settings that replace those of the file; or: export CHECKPOINT OUT")
      .positional()
      .placeholder("KEY=VALUE");
  visit("config", o.config, "settings; with --resume default: those of the run")
      .placeholder("FILE");
  visit("output", o.output, "folder of the run").letter('o').placeholder("DIR");
  visit("resume", o.resume, "go on with the run in the folder");
  visit("from", o.from, "weights to begin with: a model file, or a .pth").placeholder("FILE");
  visit("workers", o.workers, "processes that train together on this machine")
      .within(1, 1024)
      .placeholder("N");
  visit("device", o.device, "what to train on: cpu, cuda, cuda:1; as LibTorch names it")
      .placeholder("D");
  visit("min_count", o.min_count, "how often a word must occur to enter a vocabulary made here")
      .at_least(1)
      .placeholder("N");
}

Command train_description(TrainOptions& options) {
  return {.name = "train",
          .summary = "train a model on features and annotations",
          .examples =
              "  pdvc train --config configs/anet_c3d_pdvc.yml -o runs/mine\n"
              "  pdvc train --config configs/anet_tsp_pdvcl.yml -o runs/own "
              "train_caption_file=train.json val_caption_file=val.json "
              "visual_feature_folder=features dict_file= epoch=20\n"
              "  pdvc train -o runs/mine --resume\n"
              "  pdvc train export runs/mine/best.safetensors model.safetensors",
          .options = fields_of(options)};
}

}  // namespace pdvc
