#include "CSimdJSON.h"

#include <new>
#include <simdjson.h>

struct csimdjson_parser {
  simdjson::dom::parser parser;
};

csimdjson_parser *csimdjson_create(void) { return new (std::nothrow) csimdjson_parser(); }

void csimdjson_destroy(csimdjson_parser *parser) { delete parser; }

int csimdjson_parse(
    csimdjson_parser *parser, const uint8_t *bytes, size_t length, size_t maximum_depth) {
  auto error = parser->parser.allocate(length, maximum_depth);
  if (error) return error;
  return parser->parser.parse(bytes, length, true).error();
}

const uint64_t *csimdjson_tape(const csimdjson_parser *parser) {
  return parser->parser.doc.tape.get();
}

const uint8_t *csimdjson_strings(const csimdjson_parser *parser) {
  return parser->parser.doc.string_buf.get();
}

const char *csimdjson_message(int code) {
  return simdjson::error_message(static_cast<simdjson::error_code>(code));
}
