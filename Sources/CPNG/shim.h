#include <png.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/// Reads a file of any kind into pixels of blue, green, red and alpha, which must be as many as the
/// sides tell; false if it is damaged or has other sides.
static inline bool portolan_png_read(
  const void *bytes, size_t size, uint32_t width, uint32_t height, uint32_t *pixels
) {
  png_image image;
  memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(&image, bytes, size)) return false;
  if (image.width != width || image.height != height) {
    png_image_free(&image);
    return false;
  }
  // Samples of 16 bits are as bright as those of 8 bits are.
  image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
  image.format = PNG_FORMAT_BGRA;
  return png_image_finish_read(&image, NULL, pixels, 0, NULL) != 0;
}
