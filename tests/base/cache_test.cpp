#include "base/cache.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

#include "support/files.h"

namespace pdvc {
namespace {

// Sets variables and puts back what was there.
class Variables {
 public:
  void set(const char* name, const char* value) {
    const char* old = std::getenv(name);
    before_.push_back({name, old ? std::optional<std::string>(old) : std::nullopt});
    value ? setenv(name, value, 1) : unsetenv(name);
  }
  ~Variables() {
    for (auto at = before_.rbegin(); at != before_.rend(); ++at)
      at->second ? setenv(at->first, at->second->c_str(), 1) : unsetenv(at->first);
  }

 private:
  std::vector<std::pair<const char*, std::optional<std::string>>> before_;
};

}  // namespace

TEST(Cache, IsWhereTheUserSays) {
  Variables variables;
  variables.set("PDVC_CACHE", "/a");
  variables.set("XDG_CACHE_HOME", "/b");
  variables.set("HOME", "/c");
  EXPECT_EQ(cache_folder(), "/a");
  variables.set("PDVC_CACHE", "");
  EXPECT_EQ(cache_folder(), "/b/pdvc");
  variables.set("XDG_CACHE_HOME", nullptr);
  EXPECT_EQ(cache_folder(), "/c/.cache/pdvc");
  variables.set("HOME", nullptr);
  EXPECT_EQ(error_of([] { cache_folder(); }),
            "no cache folder (expected PDVC_CACHE, XDG_CACHE_HOME or HOME to be set)");
}

}  // namespace pdvc
