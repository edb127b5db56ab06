#include "runtime/captioner.h"

#include "runtime/recurrent_captioner.h"
#include "runtime/transformer_captioner.h"

namespace pdvc {

std::unique_ptr<Captioner> read_captioner(const LayerReader& reader, int64_t parts) {
  switch (reader.settings().captioner) {
    case CaptionerKind::none:
      return nullptr;
    case CaptionerKind::transformer:
      return read_transformer_captioner(reader, parts);
    default:
      return read_recurrent_captioner(reader, parts);
  }
}

}  // namespace pdvc
