#include "tensor/pickle.h"

#include <bit>
#include <charconv>
#include <cstring>
#include <map>

#include "base/byte_order.h"
#include "base/error.h"
#include "tensor/pickle_calls.h"

namespace pdvc {
namespace {

// Published checkpoints have a few thousand objects; each costs us far more memory than the byte
// that asks for it.
constexpr size_t kMostNodes = 2'000'000;
constexpr size_t kSlack = 1 << 20;
constexpr int kHighestProtocol = 5;

enum Opcode : uint8_t {
  MARK = '(',
  STOP = '.',
  POP = '0',
  POP_MARK = '1',
  DUP = '2',
  NONE = 'N',
  BINPERSID = 'Q',
  REDUCE = 'R',
  BINFLOAT = 'G',
  INT = 'I',
  BININT = 'J',
  BININT1 = 'K',
  BININT2 = 'M',
  BINSTRING = 'T',
  SHORT_BINSTRING = 'U',
  BINUNICODE = 'X',
  APPEND = 'a',
  BUILD = 'b',
  GLOBAL = 'c',
  APPENDS = 'e',
  BINGET = 'h',
  LONG_BINGET = 'j',
  BINPUT = 'q',
  LONG_BINPUT = 'r',
  SETITEM = 's',
  TUPLE = 't',
  SETITEMS = 'u',
  EMPTY_DICT = '}',
  EMPTY_LIST = ']',
  EMPTY_TUPLE = ')',
  DICT = 'd',
  LIST = 'l',
  PROTO = 0x80,
  NEWOBJ = 0x81,
  TUPLE1 = 0x85,
  TUPLE2 = 0x86,
  TUPLE3 = 0x87,
  NEWTRUE = 0x88,
  NEWFALSE = 0x89,
  LONG1 = 0x8a,
  LONG4 = 0x8b,
  BINBYTES = 'B',
  SHORT_BINBYTES = 'C',
  SHORT_BINUNICODE = 0x8c,
  BINUNICODE8 = 0x8d,
  BINBYTES8 = 0x8e,
  EMPTY_SET = 0x8f,
  ADDITEMS = 0x90,
  FROZENSET = 0x91,
  NEWOBJ_EX = 0x92,
  STACK_GLOBAL = 0x93,
  MEMOIZE = 0x94,
  FRAME = 0x95,
  BYTEARRAY8 = 0x96,
};

}  // namespace

// A pickle can name what it has built before and build on it, so that few bytes stand for much.
// Everything that grows is held to what the file's own size can account for.
NodeId PickleGraph::add(Node node) {
  item_count_ += node.items.size();
  check(nodes_.size() < kMostNodes, name_, ": its pickle holds more than ", kMostNodes, " objects");
  check(item_count_ <= file_.size() + kSlack, name_, ": its pickle multiplies its own contents");
  nodes_.push_back(std::move(node));
  return static_cast<NodeId>(nodes_.size() - 1);
}

Bytes PickleGraph::keep(std::string text) {
  kept_bytes_ += text.size();
  check(kept_bytes_ <= file_.size() + kSlack, name_, ": its pickle multiplies its own contents");
  return as_bytes(kept_.emplace_back(std::move(text)));
}

// One run of the stack machine.
class PickleMachine {
 public:
  PickleMachine(PickleGraph& graph, size_t position)
      : graph_(graph), calls_(graph), position_(position) {}

  NodeId run() {
    for (;;) {
      const auto opcode = read<uint8_t>();
      if (opcode == STOP) return pop();
      step(opcode);
    }
  }
  size_t position() const { return position_; }

 private:
  template <class... Parts>
  void require(bool holds, const Parts&... parts) const {
    check(holds, graph_.name_, ": ", parts...);
  }

  Bytes take(size_t size) {
    require(size <= graph_.file_.size() - position_, "its pickle is cut short");
    const Bytes bytes = graph_.file_.subspan(position_, size);
    position_ += size;
    return bytes;
  }
  template <std::integral T>
  T read() {
    return little_endian<T>(take(sizeof(T)), 0);
  }
  Bytes read_line() {
    const std::string_view rest = as_text(graph_.file_.subspan(position_));
    const size_t length = rest.find('\n');
    require(length != std::string_view::npos, "its pickle is cut short");
    const Bytes line = take(length);
    position_ += 1;
    return line;
  }

  // The part of the stack above the last mark is what an opcode may use.
  size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }
  NodeId top() const {
    require(stack_.size() > floor(), "damaged pickle (its stack is empty)");
    return stack_.back();
  }
  NodeId pop() {
    const NodeId id = top();
    stack_.pop_back();
    return id;
  }
  void push(Node node) { stack_.push_back(graph_.add(std::move(node))); }
  void push_span(NodeKind kind, Bytes bytes) { push({.kind = kind, .bytes = bytes}); }
  void push_integer(int64_t value) {
    Node node{.kind = NodeKind::integer};
    node.integer = value;
    push(std::move(node));
  }
  std::vector<NodeId> pop_to_mark() {
    require(!marks_.empty(), "damaged pickle (a mark is missing)");
    const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    std::vector<NodeId> items(begin, stack_.end());
    stack_.erase(begin, stack_.end());
    marks_.pop_back();
    return items;
  }
  std::vector<NodeId> pop_several(size_t count) {
    std::vector<NodeId> items(count);
    for (size_t i = count; i-- > 0;) items[i] = pop();
    return items;
  }

  void push_long(size_t size) {
    const Bytes bytes = take(size);
    if (size > 8) return push_span(NodeKind::big_integer, bytes);
    uint64_t value = size > 0 && static_cast<int8_t>(bytes.back()) < 0 ? ~uint64_t{0} : 0;
    if (size > 0) std::memcpy(&value, bytes.data(), size);
    push_integer(static_cast<int64_t>(value));
  }
  // Python 2 wrote integers of more than 31 bits as text, and booleans as 00 and 01.
  void push_integer_line() {
    const std::string_view line = as_text(read_line());
    if (line == "00" || line == "01")
      return push({.kind = NodeKind::boolean, .flag = line == "01"});
    int64_t value = 0;
    const auto [end, code] = std::from_chars(line.data(), line.data() + line.size(), value);
    require(code == std::errc{} && end == line.data() + line.size(), "damaged pickle (an integer)");
    push_integer(value);
  }
  void push_real() {
    Node node{.kind = NodeKind::real};
    node.real = std::bit_cast<double>(__builtin_bswap64(read<uint64_t>()));
    push(std::move(node));
  }
  void push_global(std::string_view module, std::string_view name) {
    push_span(NodeKind::global, graph_.keep(join_text(module, " ", name)));
  }
  void global_from_lines() {
    const std::string_view module = as_text(read_line());
    push_global(module, as_text(read_line()));
  }
  void global_from_stack() {
    const auto parts = pop_several(2);
    for (const NodeId part : parts)
      require(graph_[part].kind == NodeKind::text, "damaged pickle (a name that is not text)");
    push_global(graph_.text(parts[0]), graph_.text(parts[1]));
  }

  void memoize(uint32_t index) {
    require(memo_.size() < kMostNodes, "its pickle remembers more than ", kMostNodes, " objects");
    memo_[index] = top();
  }
  void recall(uint32_t index) {
    const auto at = memo_.find(index);
    require(at != memo_.end(), "damaged pickle (it recalls what it never stored)");
    stack_.push_back(at->second);
  }

  void extend(const std::vector<NodeId>& items, NodeKind kind) {
    Node& target = graph_.nodes_[top()];
    require(target.kind == kind || target.kind == NodeKind::opaque,
            "damaged pickle (it adds entries to what has none)");
    require(kind != NodeKind::dict || items.size() % 2 == 0,
            "damaged pickle (a key without a value)");
    if (target.kind == kind) target.items.insert(target.items.end(), items.begin(), items.end());
  }

  void set_protocol() {
    const int protocol = read<uint8_t>();
    require(protocol <= kHighestProtocol, "pickle protocol ", protocol,
            " is not supported (expected up to ", kHighestProtocol, ")");
  }

  void reduce() {
    const auto parts = pop_several(2);
    stack_.push_back(calls_.reduce(parts[0], parts[1]));
  }
  void new_object(size_t operands) {
    const auto parts = pop_several(operands);
    stack_.push_back(calls_.new_object(parts[0], parts[1]));
  }
  void build() {
    const NodeId state = pop();
    calls_.build(top(), state);
  }

  void step(uint8_t opcode) {
    switch (opcode) {
      case PROTO:
        return set_protocol();
      case FRAME:
        take(8);
        return;
      case MARK:
        marks_.push_back(stack_.size());
        return;
      case POP:
        if (stack_.size() == floor() && !marks_.empty())
          marks_.pop_back();
        else
          pop();
        return;
      case POP_MARK:
        pop_to_mark();
        return;
      case DUP:
        stack_.push_back(top());
        return;

      case NONE:
        return push({.kind = NodeKind::none});
      case NEWTRUE:
        return push({.kind = NodeKind::boolean, .flag = true});
      case NEWFALSE:
        return push({.kind = NodeKind::boolean, .flag = false});
      case BININT:
        return push_integer(read<int32_t>());
      case INT:
        return push_integer_line();
      case BININT1:
        return push_integer(read<uint8_t>());
      case BININT2:
        return push_integer(read<uint16_t>());
      case LONG1:
        return push_long(read<uint8_t>());
      case LONG4:
        return push_long(read<uint32_t>());
      case BINFLOAT:
        return push_real();
      case BINUNICODE:
        return push_span(NodeKind::text, take(read<uint32_t>()));
      case SHORT_BINUNICODE:
        return push_span(NodeKind::text, take(read<uint8_t>()));
      case BINUNICODE8:
        return push_span(NodeKind::text, take(read<uint64_t>()));
      case BINSTRING:
        return push_span(NodeKind::text, take(read<uint32_t>()));
      case SHORT_BINSTRING:
        return push_span(NodeKind::text, take(read<uint8_t>()));
      case BINBYTES:
        return push_span(NodeKind::bytes, take(read<uint32_t>()));
      case SHORT_BINBYTES:
        return push_span(NodeKind::bytes, take(read<uint8_t>()));
      case BINBYTES8:
      case BYTEARRAY8:
        return push_span(NodeKind::bytes, take(read<uint64_t>()));

      case EMPTY_LIST:
      case EMPTY_SET:
        return push({.kind = NodeKind::list});
      case LIST:
        return push({.kind = NodeKind::list, .items = pop_to_mark()});
      case EMPTY_DICT:
        return push({.kind = NodeKind::dict});
      case DICT: {
        push({.kind = NodeKind::dict, .items = pop_to_mark()});
        return require(graph_[top()].items.size() % 2 == 0,
                       "damaged pickle (a key without a value)");
      }
      case EMPTY_TUPLE:
        return push({.kind = NodeKind::tuple});
      case TUPLE:
      case FROZENSET:
        return push({.kind = NodeKind::tuple, .items = pop_to_mark()});
      case TUPLE1:
        return push({.kind = NodeKind::tuple, .items = pop_several(1)});
      case TUPLE2:
        return push({.kind = NodeKind::tuple, .items = pop_several(2)});
      case TUPLE3:
        return push({.kind = NodeKind::tuple, .items = pop_several(3)});
      case APPEND:
        return extend({pop()}, NodeKind::list);
      case APPENDS:
      case ADDITEMS:
        return extend(pop_to_mark(), NodeKind::list);
      case SETITEM:
        return extend(pop_several(2), NodeKind::dict);
      case SETITEMS:
        return extend(pop_to_mark(), NodeKind::dict);

      case BINPUT:
        return memoize(read<uint8_t>());
      case LONG_BINPUT:
        return memoize(read<uint32_t>());
      case MEMOIZE:
        return memoize(static_cast<uint32_t>(memo_.size()));
      case BINGET:
        return recall(read<uint8_t>());
      case LONG_BINGET:
        return recall(read<uint32_t>());

      case GLOBAL:
        return global_from_lines();
      case STACK_GLOBAL:
        return global_from_stack();
      case BINPERSID:
        stack_.push_back(calls_.storage(pop()));
        return;
      case REDUCE:
        return reduce();
      case NEWOBJ:
        return new_object(2);
      case NEWOBJ_EX:
        return new_object(3);
      case BUILD:
        return build();
      default:
        require(false, "its pickle has an unknown opcode ", static_cast<int>(opcode), " at byte ",
                position_ - 1);
    }
  }

  PickleGraph& graph_;
  PickleCalls calls_;
  size_t position_;
  std::vector<NodeId> stack_;
  std::vector<size_t> marks_;        // stack heights
  std::map<uint32_t, NodeId> memo_;  // not hashed: the file chooses the keys
};

NodeId PickleGraph::load(size_t& position) {
  PickleMachine machine(*this, position);
  const NodeId value = machine.run();
  position = machine.position();
  return value;
}

}  // namespace pdvc
