#include "caption_options.h"

#include "video/backbones.h"

namespace pdvc {

void fields(CaptionOptions& o, FieldList& visit) {
  visit("input", o.inputs,
        "videos, features (.npy, .npz, .h5), folders of them, or - for a video on standard input")
      .positional();
  visit("model", o.model,
        "model file (.safetensors), or .pth with --config and --vocabulary; default: the "
        "small model that comes with the program")
      .placeholder("FILE");
  visit("config", o.config, "settings of a .pth model").placeholder("FILE");
  visit("vocabulary", o.vocabulary, "words of a .pth model").placeholder("FILE");
  visit("stream", o.streams,
        "feature stream, repeated in the setting's order: DIR/{video}SUFFIX.npy, or an HDF5 file")
      .placeholder("DIR[:SUFFIX]");
  visit("annotations", o.annotations, "durations, and which videos").placeholder("FILE");
  visit("duration", o.duration, "of a single feature file").at_least(0).placeholder("SECONDS");
  visit("proposals", o.proposals, "caption these segments (annotations or predictions)")
      .placeholder("FILE");
  visit("all-queries", o.all_queries, "every query with its scores, without counting and ranking");
  visit("count", o.count, "keep this many events; 0: as many as the model counts")
      .at_least(0)
      .placeholder("N");
  visit("rank-weight", o.rank_weight, "weight of the sentence in ranking; -1: the model's")
      .at_least(-1)
      .placeholder("MU");
  visit("rank-gamma", o.rank_gamma, "how much longer sentences are favoured; -1: the model's")
      .at_least(-1)
      .placeholder("G");
  visit("beam", o.beam, "sentences kept in the search; 1: greedy").within(1, 64).placeholder("N");
  visit("max-words", o.max_words, "longest sentence; 0: the model's")
      .within(0, 1000)
      .placeholder("N");
  visit("precision", o.precision, "what products are computed in; model: what the file holds");
  visit("batch", o.batch, "videos at once").within(1, 4096).placeholder("N");
  visit("window", o.window, "cut longer videos into windows that overlap by half; 0: never")
      .at_least(0)
      .placeholder("SECONDS");
  visit("backbone", o.backbone,
        "how a video becomes features; default: what the model was trained with")
      .one_of(backbone_names());
  visit("weights", o.weights, "of the backbone; default: what pdvc fetch has put into the cache")
      .placeholder("FILE");
  visit("out", o.out, "file, folder/ or -; default: standard output")
      .letter('o')
      .placeholder("OUT");
  visit("format", o.format,
        "json, srt, vtt, txt, tsv, chapters-ffmetadata, chapters-youtube, chapters-vtt, "
        "html; several with commas")
      .placeholder("LIST");
  visit("resume", o.resume, "go on where an interrupted run with the same options stopped");
}

}  // namespace pdvc
