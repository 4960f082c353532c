extension PNGRaster {
  /// The file as pixels.
  var image: PixelImage? {
    let pixels = unsafe [UInt32](unsafeUninitializedCapacity: width * height) { buffer, count in
      guard let target = buffer.baseAddress else { return }
      unsafe rows.withUnsafeBufferPointer { rows in
        guard let source = rows.baseAddress else { return }
        unsafe fill(target, from: source)
      }
      count = width * height
    }
    return PixelImage(width: width, height: height, pixels: pixels)
  }

  private func fill(_ target: UnsafeMutablePointer<UInt32>, from source: UnsafePointer<UInt8>) {
    for row in 0..<height {
      let samples = unsafe source + (row * stride + 1)
      let pixels = unsafe target + row * width
      switch colorKind {
      case .palette: continue
      case .gray:
        for column in 0..<width {
          unsafe pixels[column] = 0xFF00_0000 | UInt32(samples[column]) &* 0x01_0101
        }
      case .grayWithAlpha:
        for column in 0..<width {
          let gray = unsafe UInt32(samples[column * 2]) &* 0x01_0101
          unsafe pixels[column] =
            (UInt32(samples[column * 2 + 1]) << 24 | gray).premultiplied
        }
      case .rgb:
        for column in 0..<width {
          unsafe pixels[column] = Self.color(samples + column * 3) | 0xFF00_0000
        }
      case .rgbWithAlpha:
        for column in 0..<width {
          let alpha = unsafe UInt32(samples[column * 4 + 3]) << 24
          unsafe pixels[column] = (alpha | Self.color(samples + column * 4)).premultiplied
        }
      }
    }
    if let palette { unsafe fill(target, from: source, palette.pixels) }
  }

  private func fill(
    _ target: UnsafeMutablePointer<UInt32>, from source: UnsafePointer<UInt8>, _ colors: [UInt32]
  ) {
    unsafe colors.withUnsafeBufferPointer { colors in
      // There are as many colours as a byte has values.
      guard colors.count == 256, let colors = colors.baseAddress else { return }
      for row in 0..<height {
        let samples = unsafe source + (row * stride + 1)
        let pixels = unsafe target + row * width
        for column in 0..<width { unsafe pixels[column] = colors[Int(samples[column])] }
      }
    }
  }

  /// Red, green and blue as a pixel that is clear.
  @inline(__always)
  private static func color(_ samples: UnsafePointer<UInt8>) -> UInt32 {
    unsafe UInt32(samples[0]) << 16 | UInt32(samples[1]) << 8 | UInt32(samples[2])
  }
}
