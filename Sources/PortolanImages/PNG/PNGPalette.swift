/// The colours of a PNG file whose pixels are numbers of colours.
struct PNGPalette: Hashable, Sendable {
  /// Red, green and blue of each colour, as in the file.
  let colors: [UInt8]
  /// The opacity of the first colours, as in the file; the others are opaque.
  let alphas: [UInt8]

  /// As many colours as a sample can name; those that the file leaves out are black.
  ///
  /// Each is multiplied by its opacity, as in ``PixelImage``.
  var pixels: [UInt32] {
    var pixels = [UInt32](repeating: 0xFF00_0000, count: 256)
    for index in 0..<min(colors.count / 3, 256) {
      let red = UInt32(colors[index * 3]) << 16
      let green = UInt32(colors[index * 3 + 1]) << 8
      let alpha = index < alphas.count ? UInt32(alphas[index]) : 255
      pixels[index] = (alpha << 24 | red | green | UInt32(colors[index * 3 + 2])).premultiplied
    }
    return pixels
  }
}
