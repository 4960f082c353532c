// The encodings that the C library knows, by their names.
#ifndef CICONV_SHIM_H
#define CICONV_SHIM_H

#include <iconv.h>
#include <stddef.h>
#include <string.h>

/// Writes `count` bytes in the encoding `page` to `text` in UTF-8; what stands for no character becomes U+FFFD.
///
/// `text` has room for four times as many bytes. What was opened last stays open for the thread: to open it takes
/// longer than to read a text. The result is the length of the text, or -1 if no such encoding is known.
static inline long ciconv_decode(
  const char *page, const unsigned char *bytes, size_t count, unsigned char *text) {
  static _Thread_local iconv_t converter = (iconv_t)-1;
  static _Thread_local char opened[40];
  if (strlen(page) >= sizeof opened) return -1;
  if (converter == (iconv_t)-1 || strcmp(opened, page) != 0) {
    if (converter != (iconv_t)-1) iconv_close(converter);
    converter = iconv_open("UTF-8", page);
    if (converter == (iconv_t)-1) return -1;
    strcpy(opened, page);
  }
  char *from = (char *)bytes, *to = (char *)text;
  size_t left = count, room = 4 * count;
  iconv(converter, NULL, NULL, NULL, NULL);
  while (left > 0 && iconv(converter, &from, &left, &to, &room) == (size_t)-1) {
    if (left == 0) break;
    // A letter may be held back for a mark that follows it; it stands before what cannot be read.
    iconv(converter, NULL, NULL, &to, &room);
    if (room < 3) break;
    memcpy(to, "\xEF\xBF\xBD", 3);
    to += 3;
    room -= 3;
    from += 1;
    left -= 1;
  }
  // So may the last one.
  iconv(converter, NULL, NULL, &to, &room);
  return (long)(4 * count - room);
}

#endif
