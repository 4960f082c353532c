#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A parser and the document it parsed last.
typedef struct csimdjson_parser csimdjson_parser;

/// A new parser, or NULL when memory is short; free it with `csimdjson_destroy`.
csimdjson_parser *csimdjson_create(void);

void csimdjson_destroy(csimdjson_parser *parser);

/// Parses `length` bytes; 0 on success, else a code for `csimdjson_message`.
int csimdjson_parse(
    csimdjson_parser *parser, const uint8_t *bytes, size_t length, size_t maximum_depth);

/// The tape of the document parsed last.
///
/// Format: https://github.com/simdjson/simdjson/blob/v3.0.1/doc/tape.md
const uint64_t *csimdjson_tape(const csimdjson_parser *parser);

/// The strings that the tape refers to, each as a 32-bit length, the bytes and a zero.
const uint8_t *csimdjson_strings(const csimdjson_parser *parser);

/// What an error code means, in English.
const char *csimdjson_message(int code);

#ifdef __cplusplus
}
#endif
