#include "runtime/recurrent_captioner.h"

#include <algorithm>
#include <atomic>

#include "runtime/caption_attention.h"
#include "runtime/parts.h"
#include "runtime/word_scores.h"

namespace pdvc {
namespace {

constexpr const char* kCore = "caption_head.0.core.";

// A matrix [4 * units, columns] of gates, input, forget, cell and output: of the columns first ...
// first + count, the rows of one piece of the units, its four gates one after another, appended.
void append_gates(std::span<const float> matrix, int64_t units, int64_t columns, int64_t first,
                  int64_t count, Piece piece, std::vector<float>& rows) {
  for (int64_t gate = 0; gate < 4; ++gate)
    for (int64_t unit = piece.first; unit < piece.first + piece.count; ++unit) {
      const auto at = matrix.begin() + (gate * units + unit) * columns + first;
      rows.insert(rows.end(), at, at + count);
    }
}

int64_t next_id() {
  static std::atomic<int64_t> next = 0;
  return next++;
}

// Gates stand in the order of the pieces: a piece's four gates are together, so that the thread
// that makes them also takes the step of its units.
class RecurrentCaptioner : public Captioner {
 public:
  RecurrentCaptioner(const LayerReader& reader, int64_t parts)
      : units_(reader.settings().rnn_width),
        light_(reader.settings().captioner == CaptionerKind::light),
        scores_(reader, parts),
        attention_(read_caption_attention(reader)),
        pieces_(pieces_of(units_, parts)) {
    read_gates(reader);  // before the embedding: what it needs for a while is large
    embedding_ = reader.kept("caption_head.0.embed.weight");
  }

  std::unique_ptr<Decoding> start(const Memory& memory, const CaptionQueries& queries,
                                  int64_t most_rows, Workspace& workspace) const override;

 private:
  class Sentences;

  void read_gates(const LayerReader& reader);
  // The gates of each word, computed when it is first said.
  void prepare_words(std::span<const int64_t> words, Workspace& workspace) const;

  int64_t id_ = next_id();
  int64_t units_;
  bool light_;
  WordScores scores_;
  std::unique_ptr<CaptionAttention> attention_;
  std::vector<Piece> pieces_;  // of the units
  Dense word_gates_, query_gates_;
  std::vector<Dense> state_gates_, attended_gates_;  // of each piece
  std::span<const float> embedding_;                 // [word, word width]
};

void RecurrentCaptioner::read_gates(const LayerReader& reader) {
  const ModelSettings& s = reader.settings();
  const std::string input = std::string(kCore) + "rnn.weight_ih_l0",
                    state = std::string(kCore) + "rnn.weight_hh_l0";
  const int64_t attended = attention_ ? attention_->width() : 0,
                columns = s.word_width + attended + s.hidden;
  const Numbers weight = reader.numbers(input), recurrent = reader.numbers(state);
  std::vector<float> rows;  // one after another in the same place
  rows.reserve(static_cast<size_t>(4 * units_ * std::max({s.word_width, attended, s.hidden})));
  const auto of_input = [&](std::span<const Piece> pieces, int64_t first, int64_t count) {
    rows.clear();
    for (const Piece& piece : pieces)
      append_gates(weight, units_, columns, first, count, piece, rows);
    return reader.pack(input, rows, {}, count, kQueryRows);
  };
  word_gates_ = of_input(pieces_, 0, s.word_width);
  query_gates_ = of_input(pieces_, s.word_width + attended, s.hidden);
  for (const Piece& piece : pieces_) {
    if (attention_) attended_gates_.push_back(of_input({&piece, 1}, s.word_width, attended));
    rows.clear();
    append_gates(recurrent, units_, units_, 0, units_, piece, rows);
    state_gates_.push_back(reader.pack(state, rows, {}, units_, kQueryRows));
  }
}

void RecurrentCaptioner::prepare_words(std::span<const int64_t> words, Workspace& workspace) const {
  Workspace::WordGates& known = workspace.word_gates;
  const int64_t width = word_gates_.inputs(), gates = word_gates_.outputs();
  if (known.model != id_) {
    known.model = id_;
    known.rows.clear();
    known.rows.resize(embedding_.size() / static_cast<size_t>(width));
  }
  std::vector<int64_t> missing;
  for (const int64_t word : words)
    if (!known.rows[static_cast<size_t>(word)]) missing.push_back(word);
  std::ranges::sort(missing);
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  if (missing.empty()) return;
  const Arena::Scope scope(workspace.arena);
  const auto count = static_cast<int64_t>(missing.size());
  float* embedded = workspace.arena.rows(count, width);
  float* rows = workspace.arena.rows(count, gates);
  for (int64_t i = 0; i < count; ++i)
    std::copy_n(embedding_.begin() + missing[static_cast<size_t>(i)] * width, width,
                embedded + i * width);
  workspace.run(word_gates_, embedded, rows, count);
  for (int64_t i = 0; i < count; ++i) {
    auto& row = known.rows[static_cast<size_t>(missing[static_cast<size_t>(i)])];
    row = std::make_unique_for_overwrite<float[]>(static_cast<size_t>(gates));
    std::copy_n(rows + i * gates, gates, row.get());
  }
}

class RecurrentCaptioner::Sentences : public Decoding {
 public:
  Sentences(const RecurrentCaptioner& captioner, const Memory& memory,
            const CaptionQueries& queries, int64_t most_rows, Workspace& workspace)
      : captioner_(captioner),
        workspace_(workspace),
        query_gates_(workspace.arena.rows(queries.count(), 4 * captioner.units_)),
        hidden_(workspace.arena.rows(most_rows, captioner.units_)),
        cell_(workspace.arena.rows(most_rows, captioner.units_)),
        next_hidden_(workspace.arena.rows(most_rows, captioner.units_)),
        next_cell_(workspace.arena.rows(most_rows, captioner.units_)) {
    for (const Piece& piece : captioner.pieces_) {
      state_gates_.push_back(workspace.arena.rows(most_rows, 4 * piece.count));
      attended_gates_.push_back(workspace.arena.rows(most_rows, 4 * piece.count));
    }
    for (int64_t i = 0; i < queries.count(); ++i) caption_.push_back(i);
    std::fill_n(hidden_, most_rows * captioner.units_, 0.0f);
    std::fill_n(cell_, most_rows * captioner.units_, 0.0f);
    if (captioner.attention_) {
      attended_ = workspace.arena.rows(most_rows, captioner.attention_->width());
      look_ = captioner.attention_->start(memory, queries, most_rows, workspace);
    }
    make_query_gates(queries);
  }

  void advance(std::span<const int64_t> words, int64_t best,
               std::vector<Candidate>& candidates) override {
    const auto rows = static_cast<int64_t>(words.size());
    captioner_.prepare_words(words, workspace_);
    if (look_) look_->look(hidden_, caption_, attended_);
    const auto pieces = captioner_.pieces_.size();
    workspace_.team.run([&](int thread) {
      for (auto p = static_cast<size_t>(thread); p < pieces;
           p += static_cast<size_t>(workspace_.team.size()))
        step(p, words, workspace_.scratch(thread));
    });
    std::swap(hidden_, next_hidden_);
    captioner_.scores_.choose(hidden_, rows, best, workspace_, candidates);
  }

  void keep(std::span<const int64_t> from) override {
    const int64_t units = captioner_.units_;
    std::vector<int64_t> captions;
    for (size_t i = 0; i < from.size(); ++i) {
      const auto to = static_cast<int64_t>(i);
      std::copy_n(hidden_ + from[i] * units, units, next_hidden_ + to * units);
      std::copy_n(cell_ + from[i] * units, units, next_cell_ + to * units);
      captions.push_back(caption_[static_cast<size_t>(from[i])]);
    }
    std::swap(hidden_, next_hidden_);
    std::swap(cell_, next_cell_);
    caption_ = std::move(captions);
  }

 private:
  void make_query_gates(const CaptionQueries& queries) {
    const Arena::Scope scope(workspace_.arena);
    const int64_t width = captioner_.query_gates_.inputs();
    const float* features = queries.features;
    if (captioner_.light_) {  // the published light captioner divides its query so
      float* divided = workspace_.arena.rows(queries.count(), width);
      for (int64_t i = 0; i < queries.count() * width; ++i)
        divided[i] = queries.features[i] / (1 + 1e-5f);
      features = divided;
    }
    workspace_.run(captioner_.query_gates_, features, query_gates_, queries.count());
  }

  // The next state of one piece of the units, of all rows.
  void step(size_t p, std::span<const int64_t> words, DenseScratch& scratch) {
    const Piece piece = captioner_.pieces_[p];
    const auto rows = static_cast<int64_t>(words.size());
    const int64_t units = captioner_.units_, gates = 4 * piece.count;
    captioner_.state_gates_[p].run(hidden_, state_gates_[p], rows, scratch);
    if (look_) captioner_.attended_gates_[p].run(attended_, attended_gates_[p], rows, scratch);
    const auto count = static_cast<size_t>(gates);
    for (size_t r = 0; r < words.size(); ++r) {
      const auto row = static_cast<int64_t>(r);
      const std::span<float> sum(state_gates_[p] + row * gates, count);
      const float* word = workspace_.word_gates.rows[static_cast<size_t>(words[r])].get();
      vector::add(sum, {word + 4 * piece.first, count}, sum);
      vector::add(sum, {query_gates_ + caption_[r] * 4 * units + 4 * piece.first, count}, sum);
      if (look_) vector::add(sum, {attended_gates_[p] + row * gates, count}, sum);
      const auto width = static_cast<size_t>(piece.count);
      vector::lstm_step(sum, {cell_ + row * units + piece.first, width},
                        {next_hidden_ + row * units + piece.first, width});
    }
  }

  const RecurrentCaptioner& captioner_;
  Workspace& workspace_;
  std::vector<int64_t> caption_;  // of each row
  float *query_gates_, *hidden_, *cell_, *next_hidden_, *next_cell_;
  std::vector<float*> state_gates_, attended_gates_;  // of each piece
  float* attended_ = nullptr;
  std::unique_ptr<CaptionLook> look_;
};

std::unique_ptr<Decoding> RecurrentCaptioner::start(const Memory& memory,
                                                    const CaptionQueries& queries,
                                                    int64_t most_rows, Workspace& workspace) const {
  return std::make_unique<Sentences>(*this, memory, queries, most_rows, workspace);
}

}  // namespace

std::unique_ptr<Captioner> read_recurrent_captioner(const LayerReader& reader, int64_t parts) {
  return std::make_unique<RecurrentCaptioner>(reader, parts);
}

}  // namespace pdvc
