#include "kernels/dense.h"

#include <atomic>
#include <bit>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "kernels/instruction_set.h"
#include "kernels/onednn.h"
#include "kernels/vector.h"

namespace pdvc {
namespace {

using Memory = dnnl::memory;
using Type = dnnl::memory::data_type;
using Tag = dnnl::memory::format_tag;
using Product = dnnl::inner_product_forward;

// Products run on the thread that asks: the runtime has threads of its own, which cost less to wake
// than OpenMP's and do not spin when there is nothing to do.
class OneOpenMpThread : OpenMpThreads {
 public:
  OneOpenMpThread() : OpenMpThreads(1) {}
};

dnnl::engine& cpu() { return onednn_cpu(); }

Type type_of(DensePrecision precision) {
  switch (precision) {
    case DensePrecision::bf16:
      return Type::bf16;
    case DensePrecision::int8:
      return Type::s8;
    case DensePrecision::f32:
      break;
  }
  return Type::f32;
}

// Sizes and types of a layer's product.
struct Kind {
  int64_t inputs, outputs;
  DensePrecision precision;
  bool relu, bias;
};

Product::primitive_desc describe(const Kind& kind, int64_t rows, const Memory::desc& weights) {
  const Type type = type_of(kind.precision);
  const bool whole = kind.precision == DensePrecision::int8;
  const Memory::desc source({rows, kind.inputs}, type, Tag::nc);
  const Memory::desc target({rows, kind.outputs}, whole ? Type::s32 : Type::f32, Tag::nc);
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  if (kind.relu && !whole) {
    dnnl::post_ops after;
#if DNNL_VERSION_MAJOR >= 3
    after.append_eltwise(dnnl::algorithm::eltwise_relu, 0, 0);
#else
    after.append_eltwise(1, dnnl::algorithm::eltwise_relu, 0, 0);
#endif
    attributes.set_post_ops(after);
  }
  const Memory::desc bias({kind.outputs}, Type::f32, Tag::x);
  const bool with_bias = kind.bias && !whole;
#if DNNL_VERSION_MAJOR >= 3
  const auto forward = dnnl::prop_kind::forward_inference;
  if (with_bias) return {cpu(), forward, source, weights, bias, target, attributes};
  return {cpu(), forward, source, weights, target, attributes};
#else
  const auto forward = dnnl::prop_kind::forward_inference;
  if (with_bias) return {{forward, source, weights, bias, target}, attributes, cpu()};
  return {{forward, source, weights, target}, attributes, cpu()};
#endif
}

Memory::desc any_weights(const Kind& kind) {
  return {{kind.outputs, kind.inputs}, type_of(kind.precision), Tag::any};
}

// Whether the CPU multiplies in this precision faster than in f32, and well. oneDNN's reference
// implementation works everywhere and is a hundred times too slow; int8 without the VNNI
// instructions adds pairs of products in 16 bits, which overflow.
bool is_worth_it(const Kind& kind, int64_t rows) {
  constexpr unsigned kVnni = 0x40 | 0x8;  // of AVX-512 and of AVX2
  if (kind.precision == DensePrecision::int8 &&
      (static_cast<unsigned>(dnnl::get_effective_cpu_isa()) & kVnni) == 0)
    return false;
  if (kind.precision == DensePrecision::bf16 && !multiplies_bfloat16_fast()) return false;
  try {
    const std::string_view name = describe(kind, rows, any_weights(kind)).impl_info_str();
    return name.find("ref") == std::string_view::npos;
  } catch (const dnnl::error&) {
    return false;
  }
}

// Weights in the type of the product, not yet packed, and what turns whole-number sums into floats.
struct Plain {
  std::vector<std::byte> values;
  std::vector<float> scales;
};

Plain plain_weights(std::span<const float> weight, const Kind& kind) {
  Plain plain;
  if (kind.precision == DensePrecision::bf16) {
    plain.values.resize(weight.size() * 2);
    vector::to_bfloat16(weight, {reinterpret_cast<uint16_t*>(plain.values.data()), weight.size()});
  } else {
    plain.values.resize(weight.size());
    const auto in = static_cast<size_t>(kind.inputs);
    auto* values = reinterpret_cast<int8_t*>(plain.values.data());
    for (size_t row = 0; row < static_cast<size_t>(kind.outputs); ++row)
      plain.scales.push_back(
          vector::quantize(weight.subspan(row * in, in), {values + row * in, in}));
  }
  return plain;
}

int64_t next_id() {
  static std::atomic<int64_t> next = 0;
  return next++;
}

}  // namespace

int64_t padded_rows(int64_t rows) {
  if (rows <= 4) return rows;
  // Eight steps from each power of two to the next.
  const auto step = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(rows)) / 8);
  const int64_t unit = std::max<int64_t>(step, 2);
  return (rows + unit - 1) / unit * unit;
}

struct Dense::Content {
  Kind kind;
  int64_t id = next_id();  // of its products in a scratch
  Memory weights;
  std::vector<float> scales;  // int8: of each output
  std::vector<float> bias;    // f32, bf16: as given; int8: of each output, 0 where there is none
};

struct DenseScratch::Content {
  // A product for one number of rows, with all but source and target bound.
  struct Prepared {
    Product product;
    Memory source, target, scratch;
    std::unordered_map<int, Memory> arguments;
  };

  Prepared& prepared(const Dense::Content& layer, int64_t rows);
  void execute(Prepared& prepared, const void* x, void* y);
  // The rows in the type of the product.
  const void* rounded(const Kind& kind, const float* x, int64_t rows);
  const void* quantized(const Kind& kind, const float* x, int64_t rows);
  void dequantize(const Dense::Content& layer, float* y, int64_t rows) const;

  dnnl::stream stream{cpu()};
  std::map<std::pair<int64_t, int64_t>, Prepared> products;  // by layer and rows
  std::vector<std::byte> room;                               // oneDNN's own
  std::vector<std::byte> source;
  std::vector<int32_t> sums;
  std::vector<float> row_scales;
};

DenseScratch::Content::Prepared& DenseScratch::Content::prepared(const Dense::Content& layer,
                                                                 int64_t rows) {
  auto [found, is_new] = products.try_emplace({layer.id, rows});
  Prepared& result = found->second;
  if (!is_new) return result;
  const auto description = describe(layer.kind, rows, layer.weights.get_desc());
  result.product = Product(description);
  result.source = Memory(description.src_desc(), cpu(), nullptr);
  result.target = Memory(description.dst_desc(), cpu(), nullptr);
  result.scratch = Memory(description.scratchpad_desc(), cpu(), nullptr);
  result.arguments = {{DNNL_ARG_SRC, result.source},
                      {DNNL_ARG_WEIGHTS, layer.weights},
                      {DNNL_ARG_DST, result.target},
                      {DNNL_ARG_SCRATCHPAD, result.scratch}};
  if (layer.kind.bias && layer.kind.precision != DensePrecision::int8)
    result.arguments[DNNL_ARG_BIAS] = Memory({{layer.kind.outputs}, Type::f32, Tag::x}, cpu(),
                                             const_cast<float*>(layer.bias.data()));
  return result;
}

void DenseScratch::Content::execute(Prepared& prepared, const void* x, void* y) {
  constexpr size_t kAlignment = 64;
  const size_t needed = prepared.scratch.get_desc().get_size();
  if (room.size() < needed + kAlignment) room.resize(needed + kAlignment);
  void* aligned = room.data();
  size_t space = room.size();
  prepared.scratch.set_data_handle(std::align(kAlignment, needed, aligned, space));
  prepared.source.set_data_handle(const_cast<void*>(x));
  prepared.target.set_data_handle(y);
  prepared.product.execute(stream, prepared.arguments);
}

const void* DenseScratch::Content::rounded(const Kind& kind, const float* x, int64_t rows) {
  const auto count = static_cast<size_t>(rows * kind.inputs);
  source.resize(std::max(source.size(), static_cast<size_t>(padded_rows(rows) * kind.inputs) * 2));
  vector::to_bfloat16({x, count}, {reinterpret_cast<uint16_t*>(source.data()), count});
  return source.data();
}

const void* DenseScratch::Content::quantized(const Kind& kind, const float* x, int64_t rows) {
  const auto in = static_cast<size_t>(kind.inputs), all = static_cast<size_t>(padded_rows(rows));
  source.resize(std::max(source.size(), all * in));
  sums.resize(std::max(sums.size(), all * static_cast<size_t>(kind.outputs)));
  row_scales.resize(std::max(row_scales.size(), all));
  auto* bytes = reinterpret_cast<int8_t*>(source.data());
  for (size_t row = 0; row < static_cast<size_t>(rows); ++row)
    row_scales[row] = vector::quantize({x + row * in, in}, {bytes + row * in, in});
  return source.data();
}

void DenseScratch::Content::dequantize(const Dense::Content& layer, float* y, int64_t rows) const {
  const auto out = static_cast<size_t>(layer.kind.outputs);
  for (size_t row = 0; row < static_cast<size_t>(rows); ++row)
    vector::dequantize({sums.data() + row * out, out}, row_scales[row], {layer.scales, layer.bias},
                       layer.kind.relu, {y + row * out, out});
}

DenseScratch::DenseScratch() : content_(std::make_unique<Content>()) {}
DenseScratch::~DenseScratch() = default;
DenseScratch::DenseScratch(DenseScratch&&) noexcept = default;
DenseScratch& DenseScratch::operator=(DenseScratch&&) noexcept = default;

Dense::Dense() = default;
Dense::~Dense() = default;
Dense::Dense(Dense&&) noexcept = default;
Dense& Dense::operator=(Dense&&) noexcept = default;

Dense::Dense(std::span<const float> weight, std::span<const float> bias, int64_t inputs,
             Options options)
    : content_(std::make_unique<Content>()) {
  const OneOpenMpThread one_thread;
  const int64_t rows = padded_rows(options.typical_rows);
  Content& c = *content_;
  c.kind = {inputs, static_cast<int64_t>(weight.size()) / inputs, options.precision, options.relu,
            !bias.empty()};
  if (c.kind.precision != DensePrecision::f32 && !is_worth_it(c.kind, rows))
    c.kind.precision = DensePrecision::f32;
  Plain plain;
  const void* values = weight.data();
  if (c.kind.precision != DensePrecision::f32) {
    plain = plain_weights(weight, c.kind);
    values = plain.values.data();
  }
  Memory given({{c.kind.outputs, inputs}, type_of(c.kind.precision), Tag::oi}, cpu(),
               const_cast<void*>(values));
  c.weights = Memory(describe(c.kind, rows, any_weights(c.kind)).weights_desc(), cpu());
  dnnl::stream stream(cpu());
  dnnl::reorder(given, c.weights).execute(stream, given, c.weights);
  c.scales = std::move(plain.scales);
  c.bias.assign(bias.begin(), bias.end());
  if (c.kind.precision == DensePrecision::int8) c.bias.resize(c.scales.size(), 0);
}

int64_t Dense::inputs() const { return content_->kind.inputs; }
int64_t Dense::outputs() const { return content_->kind.outputs; }
DensePrecision Dense::precision() const { return content_->kind.precision; }
int64_t Dense::bytes() const {
  return static_cast<int64_t>(content_->weights.get_desc().get_size());
}

void Dense::run(const float* x, float* y, int64_t rows, DenseScratch& scratch) const {
  if (rows == 0) return;
  const OneOpenMpThread one_thread;
  const Content& c = *content_;
  DenseScratch::Content& s = *scratch.content_;
  DenseScratch::Content::Prepared& product = s.prepared(c, padded_rows(rows));
  switch (c.kind.precision) {
    case DensePrecision::f32:
      return s.execute(product, x, y);
    case DensePrecision::bf16:
      return s.execute(product, s.rounded(c.kind, x, rows), y);
    case DensePrecision::int8:
      const void* whole = s.quantized(c.kind, x, rows);
      s.execute(product, whole, s.sums.data());
      s.dequantize(c, y, rows);
  }
}

}  // namespace pdvc
