// What the calls in a checkpoint's pickle mean, without making them.
#pragma once

#include <optional>
#include <string_view>

#include "tensor/pickle.h"

namespace pdvc {

class PickleCalls {
 public:
  explicit PickleCalls(PickleGraph& graph) : graph_(graph) {}

  // function(*arguments): REDUCE. Throws for every function that is not understood, naming it.
  NodeId reduce(NodeId function, NodeId arguments);
  // class.__new__(class, *arguments): an ordered dictionary, or an opaque object.
  NodeId new_object(NodeId type, NodeId arguments);
  // object.__setstate__(state) or object.__dict__.update(state).
  void build(NodeId object, NodeId state);
  // What a persistent id stands for: a tensor's storage.
  NodeId storage(NodeId id);

 private:
  NodeId call(std::string_view name, NodeId function, NodeId arguments);
  NodeId tensor(NodeId arguments, std::string_view name);
  NodeId dictionary(NodeId arguments);
  std::optional<NodeId> plain_container(std::string_view name, NodeId arguments);
  NodeId numpy_dtype(NodeId arguments);
  NodeId numpy_scalar(NodeId arguments);
  NodeId numpy_from_buffer(NodeId arguments);
  NodeId encoded_text(NodeId arguments);
  NodeId opaque(std::string_view name, NodeId arguments);
  void build_dtype(Node& dtype, NodeId state);
  void build_array(Node& array, NodeId state);

  bool holds_bytes(NodeId id) const;
  std::vector<int64_t> integers(NodeId tuple, std::string_view what) const;
  NodeId argument(NodeId arguments, size_t index, NodeKind kind, std::string_view function) const;
  template <class... Parts>
  void require(bool holds, const Parts&... parts) const;

  PickleGraph& graph_;
};

}  // namespace pdvc
