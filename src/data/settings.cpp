#include "data/settings.h"

#include "base/error.h"
#include "base/settings_file.h"

namespace pdvc {
namespace {

// Sizes far beyond any model of this kind; a damaged file cannot ask for more.
constexpr double kWidest = 16384;
constexpr double kDeepest = 64;

// Published keys with one meaning here: another value would change what is computed, so it is
// refused.
void fixed_fields(FieldList& visit) {
  visit.fixed("num_classes", 1);
  visit.fixed("num_layers", 1);
  visit.fixed("wordRNN_input_feats_type", "C");
  visit.fixed("position_embedding", "sine");
  visit.fixed("position_embedding_scale", 6.283185307179586);
  visit.fixed("share_caption_head", 1);
  visit.fixed("disable_mid_caption_heads", false);
  visit.fixed("soft_attention", 1);
  visit.fixed("sample_method", "nearest");
  visit.fixed("data_norm", 0);
  visit.fixed("feature_sample_rate", 1);
  visit.fixed("training_scheme", "all");
  visit.fixed("train_proposal_type", "gt");
  visit.fixed("caption_cost_type", "loss");
  visit.fixed("lloss_beta", 1);
  visit.fixed("lloss_focal_loss", 0);
  visit.fixed("pretrain", nullptr);
}

// Published keys that the original never reads, or that only say where and how one run was made.
void unread_fields(FieldList& visit) {
  visit.unread({"cfg_path",
                "base_cfg_path",
                "id",
                "gpu_id",
                "device",
                "disable_tqdm",
                "disable_cudnn",
                "debug",
                "random_seed",
                "save_dir",
                "save_checkpoint_every",
                "save_all_checkpoint",
                "min_epoch_when_save",
                "start_from",
                "start_from_mode",
                "pretrain_path",
                "gt_file_for_auc",
                "train_proposal_sample_num",
                "train_proposal_file",
                "eval_proposal_file",
                "hidden_dropout_prob",
                "layer_norm_eps",
                "eos_coef",
                "fix_xcw",
                "lr_backbone",
                "lr_backbone_names",
                "lr_proj",
                "lr_linear_proj_names",
                "lr_linear_proj_mult",
                "backbone",
                "dilation",
                "event_context_dim",
                "clip_context_dim"});
}

// Without times there is nothing to compare boxes with.
void check_supervision(const Settings& s, const std::string& name) {
  if (s.model.supervision == Supervision::full) return;
  check(s.matching.giou_cost == 0 && s.matching.box_cost == 0 && s.losses.giou == 0 &&
            s.losses.box == 0,
        name,
        ": supervision captions needs set_cost_giou, set_cost_bbox, giou_loss_coef and "
        "bbox_loss_coef 0");
  check(s.model.has_captioner() && s.model.transformer == TransformerKind::deformable &&
            s.model.query_source == QuerySource::queries,
        name,
        ": supervision captions needs a captioner, a deformable transformer and learnt queries");
}

}  // namespace

void fields(ModelSettings& s, FieldList& visit) {
  visit("visual_feature_type", s.feature_types,
        "names of the feature streams, in the order they are joined");
  visit("feature_dim", s.feature_width, "width of a feature row, all streams together")
      .within(1, 1e6);
  visit("frame_embedding_num", s.frames, "rows that features are resampled to").within(1, 1e6);
  visit("data_rescale", s.resample, "resample features to frame_embedding_num rows");
  visit("padding", s.padding,
        "how batches of different length are padded; exact: each video as if alone");
  visit("transformer_type", s.transformer, "deformable as published, or ordinary attention");
  visit("transformer_input_type", s.query_source, "learnt event queries, or given proposals");
  visit("hidden_dim", s.hidden, "width of the transformer; a multiple of 32").within(32, kWidest);
  visit("transformer_ff_dim", s.feed_forward, "width of the feed-forward layers")
      .within(1, kWidest);
  visit("nheads", s.heads, "attention heads").within(1, 256);
  visit("num_feature_levels", s.levels, "time scales of the temporal encoder").within(1, 16);
  visit("enc_layers", s.encoder_layers, "encoder layers").within(1, kDeepest);
  visit("dec_layers", s.decoder_layers, "decoder layers").within(1, kDeepest);
  visit("enc_n_points", s.encoder_points, "sampling points per head and level in the encoder")
      .within(1, 64);
  visit("dec_n_points", s.decoder_points, "sampling points per head and level in the decoder")
      .within(1, 64);
  visit("num_queries", s.queries, "event queries").within(1, 1e5);
  visit("with_box_refine", s.refine_boxes, "refine boxes from decoder layer to decoder layer");
  visit("transformer_dropout_prob", s.transformer_dropout, "dropout in the transformer")
      .within(0, 1);
  visit("supervision", s.supervision,
        "full, or captions only: events are then found by what can be said of them");
  visit("max_eseq_length", s.max_events, "the counter predicts 0 to this many events")
      .within(1, 1e4);
  visit("caption_decoder_type", s.captioner, "the captioning head");
  visit("vocab_size", s.vocabulary_size, "words in the vocabulary").within(1, 1e7);
  visit("input_encoding_size", s.word_width, "width of a word vector").within(1, kWidest);
  visit("rnn_size", s.rnn_width, "width of the captioner's LSTM").within(1, kWidest);
  visit("att_hid_size", s.attention_width, "width of the captioner's attention").within(0, kWidest);
  visit("cap_nheads", s.caption_heads, "sampling heads of the standard captioner").within(1, 256);
  visit("cap_dec_n_points", s.caption_points, "sampling points of the standard captioner")
      .within(1, 64);
  visit("cap_num_feature_levels", s.caption_levels, "time scales the standard captioner reads")
      .within(1, 16);
  visit("cap_layers", s.caption_layers, "layers of the transformer captioner").within(1, kDeepest);
  visit("drop_prob", s.caption_dropout, "dropout before the word layer").within(0, 1);
  visit("max_caption_len", s.longest_caption, "longest caption, in words").within(3, 1000);
  visit("ec_alpha", s.rank_weight, "weight of the sentence score when events are ranked")
      .at_least(0);
}

void fields(MatchingSettings& s, FieldList& visit) {
  visit("set_cost_class", s.class_cost, "matching cost of the label").at_least(0);
  visit("set_cost_bbox", s.box_cost, "matching cost of the L1 distance").at_least(0);
  visit("set_cost_giou", s.giou_cost, "matching cost of the generalised IoU").at_least(0);
  visit("set_cost_caption", s.caption_cost, "matching cost of the caption").at_least(0);
  visit("cost_alpha", s.alpha, "alpha of the label's matching cost").within(0, 1);
  visit("cost_gamma", s.gamma, "gamma of the label's matching cost").at_least(0);
}

void fields(LossSettings& s, FieldList& visit) {
  visit("bbox_loss_coef", s.box, "weight of the L1 loss").at_least(0);
  visit("giou_loss_coef", s.giou, "weight of the generalised IoU loss").at_least(0);
  visit("cls_loss_coef", s.label, "weight of the label loss").at_least(0);
  visit("count_loss_coef", s.count, "weight of the counter loss").at_least(0);
  visit("caption_loss_coef", s.caption, "weight of the caption loss").at_least(0);
  visit("focal_alpha", s.focal_alpha, "alpha of the focal loss").within(0, 1);
  visit("focal_gamma", s.focal_gamma, "gamma of the focal loss").at_least(0);
  visit("aux_loss", s.every_layer, "losses on every decoder layer, not only the last");
  visit("lloss_gau_mask", s.gaussian_count_mask, "forgive the counter near misses");
  visit("lloss_cross_entropy", s.count_cross_entropy,
        "plain cross-entropy for the counter, as in the paper");
  visit("count_shares", s.count_shares,
        "rarity of each number of events: of the training set, or ActivityNet's as published");
}

void fields(TrainingSettings& s, FieldList& visit) {
  visit("epoch", s.epochs, "epochs").within(0, 1e6);
  visit("batch_size", s.batch_size, "videos in a training step").within(1, 1e4);
  visit("shuffle", s.shuffle, "another order of the videos in every epoch");
  visit("batch_size_for_eval", s.evaluation_batch_size, "videos at once in validation")
      .within(1, 1e4);
  visit("optimizer_type", s.optimizer, "optimiser").one_of({"adam", "adamw"});
  visit("lr", s.learning_rate, "learning rate").more_than(0);
  visit("weight_decay", s.weight_decay, "weight decay").at_least(0);
  visit("schedule", s.schedule, "how the rate changes: in steps as published, cosine, constant");
  visit("warmup", s.warmup, "optimiser steps over which the rate rises from 0").at_least(0);
  visit("accumulate", s.accumulate, "batches whose gradients make one optimiser step")
      .within(1, 1e6);
  visit("ema", s.ema, "decay of a moving average of the weights; 0: none").within(0, 1);
  visit("learning_rate_decay_start", s.decay_start, "epoch from which the rate falls").at_least(-1);
  visit("learning_rate_decay_every", s.decay_every, "epochs between two falls").at_least(1);
  visit("learning_rate_decay_rate", s.decay_rate, "what a fall multiplies the rate by")
      .within(0, 1);
  visit("grad_clip", s.gradient_clip, "largest gradient norm").more_than(0);
  visit("gt_proposal_sample_num", s.events_per_video, "most events of a video in a training step")
      .at_least(1);
  visit("scheduled_sampling_start", s.sampling_start,
        "epoch from which own words are fed back; -1: never")
      .at_least(-1);
  visit("basic_ss_prob", s.sampling_initial, "share of own words at first").within(0, 1);
  visit("scheduled_sampling_increase_every", s.sampling_every, "epochs between two increases")
      .at_least(1);
  visit("scheduled_sampling_increase_prob", s.sampling_step, "how much the share grows")
      .within(0, 1);
  visit("scheduled_sampling_max_prob", s.sampling_most, "largest share of own words").within(0, 1);
  visit("criteria_for_best_ckpt", s.best_by, "what makes a checkpoint the best");
  visit("validate_every", s.validate_every, "epochs from validation to validation; 0: never")
      .at_least(0);
  visit("validation", s.validation, "what validation scores: everything, or localisation only");
  visit("patience", s.patience, "validations without a better score before training ends; 0: never")
      .at_least(0);
  visit("checkpoint_minutes", s.checkpoint_minutes, "minutes between checkpoints within an epoch")
      .at_least(0);
  visit("nthreads", s.loader_threads, "threads that read features ahead; 0: one").within(0, 1024);
  visit("cache_mb", s.cache_megabytes, "memory for features that were read before").at_least(0);
  visit("seed", s.seed, "seed of all random numbers").at_least(0);
}

void fields(FileSettings& s, FieldList& visit) {
  visit("train_caption_file", s.train_captions, "annotations to train on");
  visit("val_caption_file", s.validation_captions, "annotations to validate on");
  visit("invalid_video_json", s.invalid_videos, "lists of videos to leave out");
  visit("visual_feature_folder", s.feature_folders, "folders or HDF5 files of the feature streams");
  visit("gt_file_for_eval", s.references, "references for dense captions");
  visit("gt_file_for_para_eval", s.paragraph_references, "references for paragraphs");
  visit("dict_file", s.vocabulary, "vocabulary");
}

void fields(Settings& s, FieldList& visit) {
  fields(s.model, visit);
  fields(s.matching, visit);
  fields(s.losses, visit);
  fields(s.training, visit);
  fields(s.files, visit);
  fixed_fields(visit);
  unread_fields(visit);
}

Settings settings_from(const std::vector<SettingValue>& assignments, const std::string& name,
                       Log& log) {
  Settings settings;
  fields_of(settings).apply(assignments, log);
  check_consistent(settings.model, name);
  check_supervision(settings, name);
  return settings;
}

Settings load_settings(const std::filesystem::path& path, const std::vector<std::string>& overrides,
                       Log& log) {
  std::vector<SettingValue> assignments = read_settings_file(path);
  for (const std::string& text : overrides) assignments.push_back(parse_setting(text));
  return settings_from(assignments, path.string(), log);
}

Json model_file_settings(const Settings& settings) {
  Settings copy = settings;
  FieldList list;
  fields(copy.model, list);
  fields(copy.matching, list);
  fields(copy.losses, list);
  fields(copy.training, list);
  return list.to_json();
}

void check_consistent(const ModelSettings& s, const std::string& name) {
  check(s.hidden % 32 == 0 && s.hidden % (2 * s.heads) == 0, name, ": hidden_dim ", s.hidden,
        " does not suit nheads ", s.heads, " (expected a multiple of 32 and of twice the heads)");
  if (s.captioner != CaptionerKind::standard && s.captioner != CaptionerKind::soft) return;
  check(s.attention_width > 0, name, ": att_hid_size: the ",
        names_of(s.captioner)[static_cast<size_t>(s.captioner)],
        " captioner needs a width of at least 1");
  if (s.captioner != CaptionerKind::standard) return;
  check(s.caption_levels == s.levels, name, ": cap_num_feature_levels ", s.caption_levels,
        " differs from num_feature_levels ", s.levels);
  check(s.hidden % s.caption_heads == 0, name, ": hidden_dim ", s.hidden,
        " is not a multiple of cap_nheads ", s.caption_heads);
}

}  // namespace pdvc
