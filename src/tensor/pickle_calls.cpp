#include "tensor/pickle_calls.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/printable.h"
#include "tensor/array.h"

namespace pdvc {
namespace {

constexpr size_t kMostDimensions = 16;

// Tensors of these kinds are not plain arrays of numbers; their parts stay visible inside an opaque
// object.
constexpr std::array kOpaqueRebuilds{"torch._utils _rebuild_qtensor",
                                     "torch._utils _rebuild_sparse_tensor",
                                     "torch._utils _rebuild_sparse_csr_tensor",
                                     "torch._utils _rebuild_nested_tensor",
                                     "torch._utils _rebuild_meta_tensor_no_storage",
                                     "torch._utils _rebuild_wrapper_subclass",
                                     "torch._utils _rebuild_device_tensor_from_numpy"};

struct StorageType {
  std::string_view name;
  DType type;
};
constexpr std::array kStorageTypes{StorageType{"torch FloatStorage", DType::f32},
                                   StorageType{"torch DoubleStorage", DType::f64},
                                   StorageType{"torch HalfStorage", DType::f16},
                                   StorageType{"torch BFloat16Storage", DType::bf16},
                                   StorageType{"torch LongStorage", DType::i64},
                                   StorageType{"torch IntStorage", DType::i32},
                                   StorageType{"torch ShortStorage", DType::i16},
                                   StorageType{"torch CharStorage", DType::i8},
                                   StorageType{"torch ByteStorage", DType::u8},
                                   StorageType{"torch BoolStorage", DType::boolean},
                                   StorageType{"torch ComplexFloatStorage", DType::c64},
                                   StorageType{"torch ComplexDoubleStorage", DType::c128},
                                   StorageType{"torch QInt8Storage", DType::i8},
                                   StorageType{"torch QUInt8Storage", DType::u8},
                                   StorageType{"torch QInt32Storage", DType::i32},
                                   StorageType{"torch UntypedStorage", DType::u8},
                                   StorageType{"torch.storage UntypedStorage", DType::u8},
                                   StorageType{"torch.storage _UntypedStorage", DType::u8}};

// numpy moved its internals between versions.
std::string_view without_numpy_core(std::string_view name) {
  for (const std::string_view prefix : {"numpy.core.", "numpy._core."})
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  return {};
}

}  // namespace

template <class... Parts>
void PickleCalls::require(bool holds, const Parts&... parts) const {
  check(holds, graph_.name_, ": ", parts...);
}

NodeId PickleCalls::reduce(NodeId function, NodeId arguments) {
  require(graph_[function].kind == NodeKind::global,
          "its pickle calls something that is not a named function");
  require(graph_[arguments].kind == NodeKind::tuple, "damaged pickle (a call without arguments)");
  return call(graph_.text(function), function, arguments);
}

NodeId PickleCalls::call(std::string_view name, NodeId function, NodeId arguments) {
  if (name == "torch._utils _rebuild_tensor" || name == "torch._utils _rebuild_tensor_v2" ||
      name == "torch._utils _rebuild_tensor_v3")
    return tensor(arguments, name);
  if (name == "torch._utils _rebuild_parameter" ||
      name == "torch._utils _rebuild_parameter_with_state")
    return argument(arguments, 0, NodeKind::tensor, name);
  if (name == "torch._tensor _rebuild_from_type_v2") {
    const NodeId inner = argument(arguments, 0, NodeKind::global, name);
    require(graph_.text(inner) != name, "damaged pickle (", name, " calls itself)");
    return reduce(inner, argument(arguments, 2, NodeKind::tuple, name));
  }
  if (name == "collections OrderedDict") return dictionary(arguments);
  if (name == "collections defaultdict") return graph_.add({.kind = NodeKind::dict});
  if (name == "torch Size") return argument(arguments, 0, NodeKind::tuple, name);
  if (name == "torch device" || name == "torch dtype" || name == "torch.serialization _get_layout")
    return opaque(name, arguments);
  if (const auto plain = plain_container(name, arguments)) return *plain;
  if (name == "numpy dtype") return numpy_dtype(arguments);
  if (name == "_codecs encode") return encoded_text(arguments);
  if (name == "copyreg _reconstructor" || name == "copy_reg _reconstructor")
    return new_object(argument(arguments, 0, NodeKind::global, name), arguments);
  const std::string_view numpy = without_numpy_core(name);
  if (numpy == "multiarray scalar") return numpy_scalar(arguments);
  if (numpy == "multiarray _reconstruct") return graph_.add({.kind = NodeKind::array});
  if (numpy == "numeric _frombuffer" || numpy == "multiarray _frombuffer")
    return numpy_from_buffer(arguments);
  if (std::ranges::count(kOpaqueRebuilds, name) > 0) return opaque(name, arguments);
  std::string shown = printable(graph_.text(function));
  std::ranges::replace(shown, ' ', '.');
  fail(graph_.name_, ": its pickle calls ", shown,
       ", which is refused (a checkpoint holds data, not code)");
}

// Containers of Python itself that schedulers and samplers keep in checkpoints; protocol 2 spells
// them as calls.
std::optional<NodeId> PickleCalls::plain_container(std::string_view name, NodeId arguments) {
  for (const std::string_view module : {"builtins ", "__builtin__ "})
    if (name.starts_with(module)) name.remove_prefix(module.size());
  const auto& items = graph_[arguments].items;
  const bool is_set = name == "set" || name == "frozenset";
  if (is_set && items.empty()) return graph_.add({.kind = NodeKind::list});
  if (is_set && graph_[items[0]].kind == NodeKind::list) return items[0];
  if (name == "collections Counter" && items.empty()) return graph_.add({.kind = NodeKind::dict});
  if (name == "collections Counter" && graph_[items[0]].kind == NodeKind::dict) return items[0];
  if (name == "bytes" && items.empty()) return graph_.add({.kind = NodeKind::bytes});
  if (name == "bytearray" || name == "complex") return opaque(name, arguments);
  return std::nullopt;
}

NodeId PickleCalls::argument(NodeId arguments, size_t index, NodeKind kind,
                             std::string_view function) const {
  const auto& items = graph_[arguments].items;
  require(index < items.size() && graph_[items[index]].kind == kind, "damaged pickle (argument ",
          index + 1, " of ", function, ")");
  return items[index];
}

// Python 2 has one type for text and bytes.
bool PickleCalls::holds_bytes(NodeId id) const {
  return graph_[id].kind == NodeKind::bytes || graph_[id].kind == NodeKind::text;
}

std::vector<int64_t> PickleCalls::integers(NodeId tuple, std::string_view what) const {
  const Node& node = graph_[tuple];
  require(node.items.size() <= kMostDimensions, "a tensor with ", node.items.size(), " dimensions");
  std::vector<int64_t> result;
  for (const NodeId item : node.items) {
    require(graph_[item].kind == NodeKind::integer, "damaged pickle (", what, " of a tensor)");
    result.push_back(graph_[item].integer);
  }
  return result;
}

// (storage, offset, size, stride, requires_grad, hooks[, dtype in v3][, metadata])
NodeId PickleCalls::tensor(NodeId arguments, std::string_view name) {
  const NodeId storage = argument(arguments, 0, NodeKind::storage, name);
  Node node{.kind = NodeKind::tensor, .dtype = graph_[storage].dtype};
  node.integer = graph_[argument(arguments, 1, NodeKind::integer, name)].integer;
  node.shape = integers(argument(arguments, 2, NodeKind::tuple, name), "size");
  node.stride = integers(argument(arguments, 3, NodeKind::tuple, name), "stride");
  require(node.shape.size() == node.stride.size() && node.integer >= 0,
          "damaged pickle (view of a tensor)");
  if (name.ends_with("v3")) {
    const std::string_view type = graph_.text(argument(arguments, 6, NodeKind::global, name));
    const auto dtype = type.starts_with("torch ") ? dtype_named(type.substr(6)) : std::nullopt;
    require(dtype.has_value(), "tensors of type ", printable(type), " are not supported");
    node.dtype = *dtype;
  }
  node.items = {storage};
  return graph_.add(std::move(node));
}

// OrderedDict() or OrderedDict([(key, value), ...])
NodeId PickleCalls::dictionary(NodeId arguments) {
  Node node{.kind = NodeKind::dict};
  if (!graph_[arguments].items.empty()) {
    for (const NodeId pair : graph_[graph_[arguments].items[0]].items) {
      require(graph_[pair].items.size() == 2, "damaged pickle (an ordered dictionary)");
      node.items.insert(node.items.end(), graph_[pair].items.begin(), graph_[pair].items.end());
    }
  }
  return graph_.add(std::move(node));
}

NodeId PickleCalls::numpy_dtype(NodeId arguments) {
  const NodeId description = argument(arguments, 0, NodeKind::text, "numpy.dtype");
  const auto type = parse_numpy_type(graph_.text(description));
  if (!type) return opaque("numpy dtype", arguments);  // texts and objects
  return graph_.add({.kind = NodeKind::dtype, .dtype = type->type, .flag = type->big_endian});
}

// The state is (version, byte order, ...).
void PickleCalls::build_dtype(Node& dtype, NodeId state) {
  const auto& items = graph_[state].items;
  require(items.size() >= 2 && graph_[items[1]].kind == NodeKind::text,
          "damaged pickle (state of a numpy.dtype)");
  dtype.flag = graph_.text(items[1]) == ">";
}

// (dtype, bytes): one number.
NodeId PickleCalls::numpy_scalar(NodeId arguments) {
  const auto& items = graph_[arguments].items;
  if (items.size() != 2 || graph_[items[0]].kind != NodeKind::dtype)
    return opaque("numpy scalar", arguments);
  const Node& dtype = graph_[items[0]];
  require(holds_bytes(items[1]), "damaged pickle (a numpy scalar)");
  const Bytes bytes = graph_[items[1]].bytes;
  require(bytes.size() == static_cast<size_t>(size_of(dtype.dtype)),
          "damaged pickle (a numpy scalar)");
  if (dtype.dtype == DType::c64 || dtype.dtype == DType::c128)
    return opaque("numpy scalar", arguments);
  std::string native(as_text(bytes));
  if (dtype.flag) std::ranges::reverse(native);
  const ArrayView view{dtype.dtype, {}, pdvc::as_bytes(native)};
  if (is_floating(dtype.dtype)) {
    Node real{.kind = NodeKind::real};
    real.real = to_doubles(view)[0];
    return graph_.add(std::move(real));
  }
  native.resize(8, dtype.dtype <= DType::i8 && native.back() < 0 ? '\xff' : '\0');  // sign-extend
  Node integer{.kind = dtype.dtype == DType::boolean ? NodeKind::boolean : NodeKind::integer};
  integer.flag = native[0] != 0;
  std::memcpy(&integer.integer, native.data(), sizeof integer.integer);
  return graph_.add(std::move(integer));
}

// State of an array: (version, shape, dtype, column-major, bytes).
void PickleCalls::build_array(Node& array, NodeId state) {
  const auto& items = graph_[state].items;
  require(items.size() == 5 && graph_[items[1]].kind == NodeKind::tuple,
          "damaged pickle (state of a numpy array)");
  if (graph_[items[2]].kind != NodeKind::dtype || !holds_bytes(items[4])) {
    array.kind = NodeKind::opaque;  // texts and objects
    array.bytes = graph_.keep("numpy.ndarray");
    return;
  }
  array.dtype = graph_[items[2]].dtype;
  array.flag = graph_[items[2]].flag;
  array.fortran = graph_[items[3]].flag;
  array.shape = integers(items[1], "shape");
  array.bytes = graph_[items[4]].bytes;
  require(byte_count(array.dtype, array.shape) == static_cast<int64_t>(array.bytes.size()),
          "damaged pickle (a numpy array of ", shape_text(array.shape), " with ",
          array.bytes.size(), " bytes)");
}

// (bytes, dtype, shape, order)
NodeId PickleCalls::numpy_from_buffer(NodeId arguments) {
  const auto items = graph_[arguments].items;
  if (items.size() != 4) return opaque("numpy.ndarray", arguments);  // numpy 2.4's order of axes
  require(graph_[items[3]].kind == NodeKind::text, "damaged pickle (a numpy array)");
  const bool fortran = graph_.text(items[3]) == "F";
  const NodeId order = graph_.add({.kind = NodeKind::boolean, .flag = fortran});
  const NodeId state =
      graph_.add({.kind = NodeKind::tuple, .items = {order, items[2], items[1], order, items[0]}});
  Node array{.kind = NodeKind::array};
  build_array(array, state);
  return graph_.add(std::move(array));
}

// Python 3 writes bytes at protocol 2 as _codecs.encode(text, "latin1"): each character is one
// byte.
NodeId PickleCalls::encoded_text(NodeId arguments) {
  const std::string_view text =
      graph_.text(argument(arguments, 0, NodeKind::text, "_codecs.encode"));
  const std::string_view codec =
      graph_.text(argument(arguments, 1, NodeKind::text, "_codecs.encode"));
  require(codec == "latin1" || codec == "latin-1", "its pickle encodes text as ", printable(codec),
          " (expected latin1)");
  std::string bytes;
  for (std::string_view rest = text; !rest.empty();) {
    const size_t length = utf8_length(rest);
    const auto lead = static_cast<uint8_t>(rest[0]);
    require(length == 1 || (length == 2 && lead <= 0xc3), "damaged pickle (bytes as text)");
    bytes += length == 1 ? rest[0] : static_cast<char>((lead & 3) << 6 | (rest[1] & 0x3f));
    rest.remove_prefix(length);
  }
  return graph_.add({.kind = NodeKind::bytes, .bytes = graph_.keep(std::move(bytes))});
}

NodeId PickleCalls::opaque(std::string_view name, NodeId arguments) {
  std::string shown(name);
  std::ranges::replace(shown, ' ', '.');
  return graph_.add(
      {.kind = NodeKind::opaque, .bytes = graph_.keep(std::move(shown)), .items = {arguments}});
}

NodeId PickleCalls::new_object(NodeId type, NodeId arguments) {
  require(graph_[type].kind == NodeKind::global, "damaged pickle (an object without a class)");
  const std::string_view name = graph_.text(type);
  if (name == "collections OrderedDict" || name == "collections defaultdict")
    return graph_.add({.kind = NodeKind::dict});
  return opaque(name, arguments);
}

void PickleCalls::build(NodeId object, NodeId state) {
  Node& node = graph_.nodes_[object];
  switch (node.kind) {
    case NodeKind::dtype:
      return build_dtype(node, state);
    case NodeKind::array:
      return build_array(node, state);
    case NodeKind::opaque:
      node.items.push_back(state);
      return;
    case NodeKind::dict:    // attributes beside the entries, such as a state dictionary's _metadata
    case NodeKind::tensor:  // attributes that a script has put on a tensor
      return;
    default:
      require(false, "damaged pickle (state for something that has none)");
  }
}

// ("storage", type, key, location, elements[, view])
NodeId PickleCalls::storage(NodeId id) {
  const Node& tuple = graph_[id];
  const auto& items = tuple.items;
  // The older format keeps a module's source beside its class; only the class is of interest.
  if (tuple.kind == NodeKind::tuple && items.size() == 4 &&
      graph_[items[0]].kind == NodeKind::text && graph_.text(items[0]) == "module" &&
      graph_[items[1]].kind == NodeKind::global)
    return items[1];
  const bool known =
      tuple.kind == NodeKind::tuple && items.size() >= 5 &&
      graph_[items[0]].kind == NodeKind::text && graph_.text(items[0]) == "storage" &&
      graph_[items[1]].kind == NodeKind::global && graph_[items[2]].kind == NodeKind::text &&
      graph_[items[4]].kind == NodeKind::integer;
  require(known, "damaged pickle (a reference outside it that is not a tensor's storage)");
  const std::string_view type = graph_.text(items[1]);
  const auto at = std::ranges::find(kStorageTypes, type, &StorageType::name);
  require(at != kStorageTypes.end(), "tensors in ", printable(type), " are not supported");
  Node node{.kind = NodeKind::storage, .dtype = at->type, .bytes = graph_[items[2]].bytes};
  node.integer = graph_[items[4]].integer;
  require(node.integer >= 0, "damaged pickle (a storage of negative size)");
  if (items.size() > 5 && graph_[items[5]].kind == NodeKind::tuple) node.items = {items[5]};
  return graph_.add(std::move(node));
}

}  // namespace pdvc
