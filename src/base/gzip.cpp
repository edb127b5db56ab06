#include "base/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <vector>

#include "base/error.h"

namespace pdvc {
namespace {

constexpr size_t kBlock = 1 << 18;
constexpr size_t kLongestLine = 1 << 20;

// Unpacks block by block. zlib counts in 32 bits, so the input is handed over in pieces as well.
class Inflater {
 public:
  Inflater(Bytes packed, const std::string& name) : packed_(packed), name_(name) {
    check(inflateInit2(&stream_, MAX_WBITS + 16) == Z_OK, name_, ": zlib cannot start");
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // The next bytes; none at the end.
  std::string_view next() {
    stream_.next_out = reinterpret_cast<unsigned char*>(block_.data());
    stream_.avail_out = static_cast<uInt>(block_.size());
    while (!ended_ && stream_.avail_out > 0) advance();
    return {block_.data(), block_.size() - stream_.avail_out};
  }

  size_t consumed() const { return consumed_; }

 private:
  void advance() {
    const auto in = static_cast<uInt>(std::min<size_t>(packed_.size() - consumed_, 1u << 30));
    stream_.next_in =
        reinterpret_cast<unsigned char*>(const_cast<std::byte*>(packed_.data() + consumed_));
    stream_.avail_in = in;
    const int state = inflate(&stream_, Z_NO_FLUSH);
    consumed_ += in - stream_.avail_in;
    check(state == Z_OK || state == Z_STREAM_END, name_,
          ": is damaged or cut short (expected gzip)");
    ended_ = state == Z_STREAM_END;
  }

  Bytes packed_;
  const std::string& name_;
  z_stream stream_{};
  size_t consumed_ = 0;
  bool ended_ = false;
  std::vector<char> block_ = std::vector<char>(kBlock);
};

}  // namespace

void for_each_gzip_line(Bytes packed, const std::string& name,
                        const std::function<void(const GzipLine&)>& line) {
  Inflater inflater(packed, name);
  std::string begun;  // of a line that goes on in the next block
  for (std::string_view block = inflater.next(); !block.empty(); block = inflater.next()) {
    for (size_t end; (end = block.find('\n')) != std::string_view::npos;) {
      begun.append(block.substr(0, end));
      block.remove_prefix(end + 1);
      line({.text = begun, .consumed = inflater.consumed()});
      begun.clear();
    }
    begun.append(block);
    check(begun.size() <= kLongestLine, name, ": holds a line of more than ", kLongestLine,
          " characters");
  }
  if (!begun.empty()) line({.text = begun, .consumed = inflater.consumed()});
}

}  // namespace pdvc
