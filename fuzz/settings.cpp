#include "data/settings.h"

#include "base/settings_file.h"
#include "target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return pdvc::fuzz_one(data, size, [](pdvc::Bytes bytes) {
    pdvc::NullLog log;
    pdvc::settings_from(pdvc::parse_settings(pdvc::as_text(bytes), "fuzz"), "fuzz", log);
  });
}
