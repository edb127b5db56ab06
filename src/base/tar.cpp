#include "base/tar.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <memory>

#include "base/error.h"

namespace pdvc {
namespace {

constexpr size_t kBlock = 512;
constexpr uint64_t kLargest = uint64_t{1} << 30;

using Header = std::array<char, kBlock>;

class Archive {
 public:
  explicit Archive(const std::filesystem::path& path)
      : path_(path), file_(gzopen(path.c_str(), "rb")) {
    check(file_ != nullptr, path, ": cannot be opened");
  }

  // False at the archive's end.
  bool read(char* data, size_t size) {
    const int got = gzread(file_.get(), data, static_cast<unsigned>(size));
    check(got >= 0, path_, ": is a damaged archive");
    check(got == 0 || static_cast<size_t>(got) == size, path_, ": is an archive cut short");
    return got > 0;
  }

  void skip(uint64_t size) {
    Header ignored;
    for (; size > 0; size -= std::min<uint64_t>(size, kBlock))
      check(read(ignored.data(), kBlock), path_, ": is an archive cut short");
  }

 private:
  struct Close {
    void operator()(gzFile_s* file) const { gzclose(file); }
  };
  std::filesystem::path path_;
  std::unique_ptr<gzFile_s, Close> file_;
};

std::string text_at(const Header& header, size_t offset, size_t longest) {
  const char* text = header.data() + offset;
  return {text, strnlen(text, longest)};
}

// Digits of base eight.
uint64_t size_of_member(const Header& header, const std::filesystem::path& path) {
  const std::string digits = text_at(header, 124, 12);
  const char* begin = digits.data();
  const char* end = begin + digits.size();
  while (begin < end && *begin == ' ') ++begin;
  uint64_t size = 0;
  const auto [last, error] = std::from_chars(begin, end, size, 8);
  check(error == std::errc() && size <= kLargest, path, ": is a damaged archive");
  return size;
}

std::string name_of_member(const Header& header) {
  const std::string name = text_at(header, 0, 100), folder = text_at(header, 345, 155);
  return folder.empty() ? name : folder + "/" + name;
}

}  // namespace

std::string read_tar_gz_member(const std::filesystem::path& path, const std::string& member) {
  Archive archive(path);
  Header header;
  while (archive.read(header.data(), header.size())) {
    if (header[0] == '\0') break;  // the end is marked by zeros
    const uint64_t size = size_of_member(header, path);
    if (name_of_member(header) != member) {
      archive.skip(size);
      continue;
    }
    std::string contents(size, '\0');
    check(size == 0 || archive.read(contents.data(), size), path, ": is an archive cut short");
    return contents;
  }
  fail(path, ": has no member ", member);
}

}  // namespace pdvc
