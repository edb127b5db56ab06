#include "evaluation/meteor_data.h"

#include <cstring>
#include <vector>

#include "base/checksum.h"
#include "target.h"

// The checksum is set right, so that what lies behind it is reached.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<uint64_t> memory((size + 7) / 8);
  if (size > 0) std::memcpy(memory.data(), data, size);
  if (size >= 16)
    memory[1] = pdvc::checksum_of({reinterpret_cast<std::byte*>(&memory[2]), size - 16});
  const auto* bytes = reinterpret_cast<const uint8_t*>(memory.data());
  return pdvc::fuzz_one(bytes, size, [](pdvc::Bytes file) {
    const pdvc::MeteorData meteor = pdvc::MeteorData::parse(file, "fuzz");
    size_t sum = meteor.find_word("many").value_or(0);
    for (uint32_t word = 0; word < meteor.word_count(); ++word) {
      sum += meteor.word(word).size() + meteor.synonym_sets(word).size() + meteor.flags(word);
      for (const uint32_t base : meteor.base_forms(word)) sum += meteor.word(base).size();
      const auto node = meteor.first_node(word);
      if (!node) continue;
      sum += meteor.paraphrases(*node).size();
      if (const auto child = meteor.child(*node, word)) sum += meteor.paraphrases(*child).size();
    }
    volatile size_t used = sum;
    (void)used;
  });
}
