// Python's pickles, read as data: nothing in them is ever called.
//
// A pickle is a program for a stack machine. This one runs it into a graph of nodes; the few
// constructors that checkpoints need (torch's rebuild functions, ordered dictionaries, numpy
// arrays) are understood as data, objects of unknown classes stay opaque, and a call of anything
// else is refused by name.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/mapped_file.h"
#include "tensor/dtype.h"

namespace pdvc {

using NodeId = uint32_t;

enum class NodeKind : uint8_t {
  none,
  boolean,
  integer,
  big_integer,
  real,
  text,
  bytes,
  list,     // items; sets too
  tuple,    // items
  dict,     // items: key, value, key, value ...
  global,   // text: "module name"
  storage,  // of a tensor: text is its key, dtype, integer elements; items: view of another
            // storage, or none
  tensor,   // items: storage; shape, stride, and integer as offset
  dtype,    // numpy's: dtype and big_endian
  array,    // numpy's: dtype, shape, bytes
  opaque,   // text: its class; items: what it was made from
};

struct Node {
  NodeKind kind = NodeKind::none;
  DType dtype = DType::f32;
  bool flag = false;     // boolean's value; dtype and array: big-endian; array: see fortran
  bool fortran = false;  // array: column-major
  union {
    int64_t integer = 0;
    double real;
  };
  Bytes bytes;                  // of text, bytes, big integers, globals, arrays
  std::vector<NodeId> items;    // children
  std::vector<int64_t> shape;   // of tensors and arrays
  std::vector<int64_t> stride;  // of tensors, in elements
};

// The nodes of one or several pickles that lie one after another in the same bytes.
class PickleGraph {
 public:
  // `file` must outlive the graph: texts and bytes are not copied.
  PickleGraph(Bytes file, std::string name) : file_(file), name_(std::move(name)) {}

  // Runs the pickle that starts at `position` and leaves `position` behind it. Returns its value.
  NodeId load(size_t& position);

  const Node& operator[](NodeId id) const { return nodes_[id]; }
  size_t size() const { return nodes_.size(); }
  std::string_view text(NodeId id) const { return as_text(nodes_[id].bytes); }

 private:
  friend class PickleMachine;
  friend class PickleCalls;

  NodeId add(Node node);
  Bytes keep(std::string text);

  Bytes file_;
  std::string name_;
  std::deque<Node> nodes_;
  std::deque<std::string> kept_;  // texts that do not stand in the file as they are
  size_t kept_bytes_ = 0;
  size_t item_count_ = 0;
};

}  // namespace pdvc
