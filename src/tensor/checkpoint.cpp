#include "tensor/checkpoint.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/byte_order.h"
#include "base/error.h"
#include "base/printable.h"
#include "tensor/pickle.h"
#include "tensor/zip.h"

namespace pdvc {
namespace {

constexpr std::string_view kPickleMember = "data.pkl";
// The older format starts with a pickle of this number, little-endian.
constexpr std::string_view kStreamMagic = "\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19";
constexpr int kStreamProtocol = 1001;
constexpr size_t kDeepestNesting = 32;
constexpr size_t kLongestPath = 1000;
constexpr size_t kSlack = 1 << 20;
constexpr size_t kLeafPrice = 64;  // what listing one leaf costs, in bytes of file that justify it
constexpr size_t kUnfolding = 64;  // leaves may be shared, but not without end
constexpr size_t kPackedPickleRatio = 20;  // torch does not pack its pickle at all

const ZipEntry* pickle_member(const ZipArchive& archive) {
  for (const ZipEntry& entry : archive.entries())
    if (entry.name == kPickleMember || entry.name.ends_with("/data.pkl")) return &entry;
  return nullptr;
}

// A dimension of one may have any stride.
bool is_row_major(const Shape& shape, const Shape& stride) {
  const Shape expected = row_major_strides(shape);
  for (size_t d = 0; d < shape.size(); ++d)
    if (shape[d] > 1 && stride[d] != expected[d]) return false;
  return true;
}

// The element behind the last one that a view touches, or -1 where it does not fit 62 bits.
int64_t extent_of(int64_t offset, const Shape& shape, const Shape& stride) {
  constexpr int64_t kMost = int64_t{1} << 62;
  if (offset > kMost) return -1;
  int64_t last = offset;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (stride[d] < 0 || (stride[d] > 0 && shape[d] - 1 > (kMost - last) / stride[d])) return -1;
    last += (shape[d] - 1) * stride[d];
  }
  return last + 1;
}

}  // namespace

// Fills a checkpoint from its container: finds the storages, then lists the leaves of the pickle.
class CheckpointReader {
 public:
  CheckpointReader(Checkpoint& checkpoint, Bytes pickle)
      : checkpoint_(checkpoint), name_(checkpoint.name_), graph_(pickle, name_) {}

  void read_zip(const ZipArchive& archive, const std::string& pickle_name) {
    size_t position = 0;
    const NodeId root = graph_.load(position);
    const std::string folder = pickle_name.substr(0, pickle_name.size() - kPickleMember.size());
    check_byte_order(archive, folder);
    // One look-up table: large checkpoints have thousands of storages.
    for (const ZipEntry& entry : archive.entries())
      if (entry.name.starts_with(folder + "data/"))
        members_[entry.name.substr(folder.size() + 5)] = {&archive, &entry};
    list(root, "", 0);
  }

  // A bare pickle, or the older format: five pickles (magic number, protocol, system, object,
  // keys), then each storage's size and bytes.
  void read_pickles() {
    size_t position = 0;
    const NodeId first = graph_.load(position);
    if (graph_[first].kind != NodeKind::big_integer || graph_.text(first) != kStreamMagic) {
      checkpoint_.format_ = CheckpointFormat::pickle;
      return list(first, "", 0);
    }
    checkpoint_.format_ = CheckpointFormat::stream;
    const Node& protocol = graph_[graph_.load(position)];
    require(protocol.kind == NodeKind::integer && protocol.integer == kStreamProtocol,
            "unknown version of the older checkpoint format");
    graph_.load(position);
    const NodeId root = graph_.load(position);
    const NodeId keys = graph_.load(position);
    require(graph_[keys].kind == NodeKind::list, "damaged checkpoint (list of storages)");
    collect_storage_types();
    for (const NodeId key : graph_[keys].items) locate_storage(key, position);
    list(root, "", 0);
  }

 private:
  struct Member {
    const ZipArchive* archive;
    const ZipEntry* entry;
  };

  template <class... Parts>
  void require(bool holds, const Parts&... parts) const {
    check(holds, name_, ": ", parts...);
  }

  void check_byte_order(const ZipArchive& archive, const std::string& folder) const {
    const ZipEntry* order = archive.find(folder + "byteorder");
    if (order)
      require(as_text(archive.contents(*order).bytes) == "little",
              "big-endian checkpoints are not supported");
  }

  // The stream does not say how large an element of a storage is; whoever refers to it does.
  void collect_storage_types() {
    for (NodeId id = 0; id < graph_.size(); ++id)
      if (graph_[id].kind == NodeKind::storage)
        storage_types_.emplace(graph_.text(id), graph_[id].dtype);
  }

  void locate_storage(NodeId key, size_t& position) {
    const Bytes file = checkpoint_.bytes_;
    const auto type = storage_types_.find(std::string(graph_.text(key)));
    require(type != storage_types_.end(), "storage ", printable(graph_.text(key)),
            " belongs to no tensor");
    require(file.size() - position >= 8, "is cut short before storage ", printable(type->first));
    const auto elements = little_endian<int64_t>(file, position);
    position += 8;
    const int64_t left = static_cast<int64_t>(file.size() - position) / size_of(type->second);
    require(elements >= 0 && elements <= left, "is cut short within storage ",
            printable(type->first));
    const auto size = static_cast<size_t>(elements * size_of(type->second));
    storages_[type->first] = file.subspan(position, size);
    position += size;
  }

  Bytes storage_bytes(NodeId id) {
    const std::string key(graph_.text(id));
    if (const auto at = storages_.find(key); at != storages_.end()) return at->second;
    const auto member = members_.find(key);
    require(member != members_.end(), "storage ", printable(key), " is missing");
    ZipContents contents = member->second.archive->contents(*member->second.entry);
    if (!contents.buffer.empty())
      contents.bytes = checkpoint_.unpacked_.emplace_back(std::move(contents.buffer));
    return storages_[key] = contents.bytes;
  }

  // A storage may itself look at a part of another: (key, offset, elements).
  Bytes viewed_storage(NodeId id) {
    const Node& storage = graph_[id];
    Bytes bytes = storage_bytes(id);
    const auto element = static_cast<uint64_t>(size_of(storage.dtype));
    uint64_t offset = 0;
    uint64_t elements = static_cast<uint64_t>(storage.integer);
    if (!storage.items.empty()) {
      const auto& view = graph_[storage.items[0]].items;
      const bool known = view.size() == 3 && graph_[view[1]].kind == NodeKind::integer &&
                         graph_[view[2]].kind == NodeKind::integer;
      require(known, "damaged pickle (view of a storage)");
      offset = static_cast<uint64_t>(graph_[view[1]].integer);
      elements = static_cast<uint64_t>(graph_[view[2]].integer);
    }
    const uint64_t available = bytes.size() / element;
    require(offset <= available && elements <= available - offset, "storage ",
            printable(graph_.text(id)), " is cut short (expected ", elements, " elements, got ",
            available, ")");
    return bytes.subspan(offset * element, elements * element);
  }

  ArrayView tensor(const Node& node, const std::string& path) {
    const Bytes storage = viewed_storage(node.items[0]);
    const int64_t elements = element_count(node.shape);
    const int64_t element = size_of(node.dtype);
    require(elements >= 0, printable(path), ": damaged shape ", shape_text(node.shape));
    if (elements == 0) return {node.dtype, node.shape, {}};
    const int64_t end = extent_of(node.integer, node.shape, node.stride);
    require(end >= 0 && end <= static_cast<int64_t>(storage.size()) / element, printable(path),
            ": ", shape_text(node.shape), " reaches beyond its storage");
    if (is_row_major(node.shape, node.stride))
      return {node.dtype, node.shape,
              storage.subspan(static_cast<size_t>(node.integer * element),
                              static_cast<size_t>(elements * element))};
    return copied(node.dtype, node.shape, node.stride,
                  storage.subspan(static_cast<size_t>(node.integer * element)), path)
        .view();
  }

  // A copy in row-major order. A view may repeat elements, so the copies together are held to the
  // file's size.
  Array& copied(DType type, const Shape& shape, const Shape& stride, Bytes from,
                const std::string& path) {
    const int64_t size = byte_count(type, shape);
    require(size >= 0 && static_cast<size_t>(size) <= checkpoint_.bytes_.size() + kSlack - copied_,
            printable(path), ": ", shape_text(shape),
            " repeats its storage too often to be copied");
    copied_ += static_cast<size_t>(size);
    return checkpoint_.copies_.emplace_back(gathered(type, shape, stride, from));
  }

  // Bytes that were written as text, or lie in a deflated pickle, do not outlive the reader.
  bool lies_in_file(Bytes bytes) const {
    const Bytes file = checkpoint_.bytes_;
    return bytes.data() >= file.data() && bytes.data() + bytes.size() <= file.data() + file.size();
  }

  ArrayView numpy_array(const Node& node, const std::string& path) {
    // One that was announced but never given its state.
    require(byte_count(node.dtype, node.shape) == static_cast<int64_t>(node.bytes.size()),
            printable(path), ": a numpy array without its data");
    if (!node.fortran && !node.flag && lies_in_file(node.bytes))
      return {node.dtype, node.shape, node.bytes};
    const Shape stride =
        node.fortran ? column_major_strides(node.shape) : row_major_strides(node.shape);
    Array& copy = copied(node.dtype, node.shape, stride, node.bytes, path);
    if (node.flag) swap_byte_order(node.dtype, copy.bytes());
    return copy.view();
  }

  std::string key_text(NodeId key) const {
    const Node& node = graph_[key];
    if (node.kind == NodeKind::text) return std::string(graph_.text(key));
    if (node.kind == NodeKind::integer) return std::to_string(node.integer);
    return "?";
  }

  // Whoever reads all tensors reads a shared one each time it is listed.
  ArrayView charged(ArrayView view) {
    charge(view.bytes.size());
    return view;
  }

  // Nodes may be shared, so a small pickle could unfold into endlessly many leaves.
  void charge(size_t price) {
    unfolded_ += price;
    require(unfolded_ <= kUnfolding * checkpoint_.bytes_.size() + kSlack,
            "its pickle multiplies its own contents");
  }

  // Lists the leaves below a node.
  void list(NodeId id, const std::string& path, size_t depth) {
    require(depth <= kDeepestNesting, printable(path), ": nests deeper than ", kDeepestNesting,
            " levels");
    require(path.size() <= kLongestPath, printable(path), ": a name of more than ", kLongestPath,
            " bytes");
    const Node& node = graph_[id];
    charge(kLeafPrice + path.size() + node.shape.size() * sizeof(int64_t));
    const std::string prefix = path.empty() ? "" : path + "/";
    if (node.kind == NodeKind::dict)
      list_dictionary(node, prefix, depth);
    else if (node.kind == NodeKind::list || node.kind == NodeKind::tuple)
      for (size_t i = 0; i < node.items.size(); ++i)
        list(node.items[i], prefix + std::to_string(i), depth + 1);
    else
      checkpoint_.entries_.push_back({path, leaf(id, path)});
  }

  // Of a repeated key the last value counts, as in Python.
  void list_dictionary(const Node& node, const std::string& prefix, size_t depth) {
    std::map<std::string, size_t> last;
    for (size_t i = 0; i + 1 < node.items.size(); i += 2) last[key_text(node.items[i])] = i;
    for (size_t i = 0; i + 1 < node.items.size(); i += 2) {
      const std::string key = key_text(node.items[i]);
      const auto at = last.find(key);
      if (at == last.end()) continue;  // listed already
      list(node.items[at->second + 1], prefix + key, depth + 1);
      last.erase(at);
    }
  }

  CheckpointValue leaf(NodeId id, const std::string& path) {
    const Node& node = graph_[id];
    if (node.kind != NodeKind::array) charge(node.bytes.size());  // texts and names are copied
    switch (node.kind) {
      case NodeKind::none:
        return std::monostate{};
      case NodeKind::boolean:
        return node.flag;
      case NodeKind::integer:
        return node.integer;
      case NodeKind::real:
        return node.real;
      case NodeKind::text:
        return std::string(graph_.text(id));
      case NodeKind::tensor:
        return charged(tensor(node, path));
      case NodeKind::array:
        return charged(numpy_array(node, path));
      case NodeKind::opaque:
        return OpaqueObject{std::string(graph_.text(id))};
      case NodeKind::global:
        return OpaqueObject{"class " + std::string(graph_.text(id))};
      case NodeKind::bytes:
        return OpaqueObject{"bytes"};
      case NodeKind::big_integer:
        return OpaqueObject{"integer of more than 64 bits"};
      default:
        return OpaqueObject{"internal object"};
    }
  }

  Checkpoint& checkpoint_;
  const std::string& name_;
  PickleGraph graph_;
  std::unordered_map<std::string, Member> members_;
  std::unordered_map<std::string, Bytes> storages_;
  std::map<std::string, DType> storage_types_;
  size_t copied_ = 0;
  size_t unfolded_ = 0;
};

bool looks_like_checkpoint(Bytes file) {
  const bool binary_pickle =
      file.size() > 2 && file[0] == std::byte{0x80} && file[1] <= std::byte{5};
  return looks_like_zip(file) || binary_pickle;
}

Checkpoint::Checkpoint(const std::filesystem::path& path)
    : file_(path), bytes_(file_->bytes()), name_(path.string()) {
  read(name_);
}

Checkpoint::Checkpoint(Bytes file, const std::string& name) : bytes_(file), name_(name) {
  read(name_);
}

void Checkpoint::read(const std::string& name) {
  check(looks_like_checkpoint(bytes_), name,
        ": is not a checkpoint (expected a zip archive or a pickle)");
  if (looks_like_zip(bytes_)) {
    const ZipArchive archive(bytes_, name);
    const ZipEntry* member = pickle_member(archive);
    check(member != nullptr, name, ": is not a checkpoint (its zip archive holds no data.pkl)");
    check(member->size <= kPackedPickleRatio * bytes_.size() + kSlack, name, ": its pickle claims ",
          member->size, " bytes of a file of ", bytes_.size());
    ZipContents pickle = archive.contents(*member);
    CheckpointReader(*this, pickle.bytes).read_zip(archive, member->name);
  } else {
    CheckpointReader(*this, bytes_).read_pickles();
  }
}

const ArrayView* Checkpoint::find_tensor(const std::string& path) const {
  const auto at = std::ranges::find(entries_, path, &CheckpointEntry::path);
  return at == entries_.end() ? nullptr : std::get_if<ArrayView>(&at->value);
}

void Checkpoint::verify() const {
  if (format_ != CheckpointFormat::zip) return;
  const ZipArchive archive(bytes_, name_);
  for (const ZipEntry& entry : archive.entries()) archive.verify(entry);
}

}  // namespace pdvc
