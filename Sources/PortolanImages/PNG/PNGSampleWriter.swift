/// Turns rows of pixels into rows of PNG samples, each behind the number of its filter.
///
/// Maps are flat: their rows are compressed as they are, which gives the smallest files. Where colours
/// run, as in photographs and shaded relief, differences are.
struct PNGSampleWriter {
  /// The share of pixels like their left neighbours from which on a picture counts as flat.
  private static let flatShare = 0.25

  let width: Int
  /// Whether opacity is written too.
  let hasAlpha: Bool

  private var samples: Int { hasAlpha ? 4 : 3 }
  private var stride: Int { 1 + width * samples }

  /// The samples of some rows, whose pixels follow each other.
  func rows(_ pixels: UnsafeBufferPointer<UInt32>) -> [UInt8] {
    let height = pixels.count / width
    return unsafe [UInt8](unsafeUninitializedCapacity: height * stride) { buffer, count in
      guard let target = buffer.baseAddress, let source = pixels.baseAddress else {
        return
      }
      for row in 0..<height {
        let samples = unsafe target + row * stride
        unsafe samples[0] = PNGFilter.none.rawValue
        if hasAlpha {
          unsafe writeWithAlpha(source + row * width, samples + 1)
        } else {
          unsafe write(source + row * width, samples + 1)
        }
      }
      if unsafe !isFlat(source, height) { unsafe filter(target, height) }
      count = height * stride
    }
  }

  private func write(_ pixels: UnsafePointer<UInt32>, _ samples: UnsafeMutablePointer<UInt8>) {
    // Four bytes are stored at a time; the fourth is overwritten by the next pixel.
    for column in 0..<(width - 1) {
      let pixel = unsafe UInt32(bigEndian: pixels[column] << 8)
      unsafe UnsafeMutableRawPointer(samples + column * 3).storeBytes(of: pixel, as: UInt32.self)
    }
    let last = unsafe pixels[width - 1]
    let end = unsafe samples + (width - 1) * 3
    unsafe end[0] = UInt8(truncatingIfNeeded: last >> 16)
    unsafe end[1] = UInt8(truncatingIfNeeded: last >> 8)
    unsafe end[2] = UInt8(truncatingIfNeeded: last)
  }

  private func writeWithAlpha(
    _ pixels: UnsafePointer<UInt32>, _ samples: UnsafeMutablePointer<UInt8>
  ) {
    for column in 0..<width {
      let pixel = unsafe pixels[column].unmultiplied
      let ordered = UInt32(bigEndian: pixel << 8 | pixel >> 24)
      unsafe UnsafeMutableRawPointer(samples + column * 4).storeBytes(of: ordered, as: UInt32.self)
    }
  }

  /// Whether many pixels are like their left neighbours, as far as every eighth row shows.
  private func isFlat(_ pixels: UnsafePointer<UInt32>, _ height: Int) -> Bool {
    var (same, count) = (0, 0)
    for row in Swift.stride(from: 0, to: height, by: 8) {
      let start = unsafe pixels + row * width
      same += (1..<max(width, 1)).count { unsafe start[$0] == start[$0 - 1] }
      count += width - 1
    }
    return Double(same) >= Double(count) * Self.flatShare
  }

  /// Replaces samples by their differences from those before or above, whichever are smaller.
  private func filter(_ rows: UnsafeMutablePointer<UInt8>, _ height: Int) {
    for row in (0..<height).reversed() {
      let start = unsafe rows + row * stride
      let here = unsafe start + 1
      let size = stride - 1
      guard row > 0, unsafe costOfAbove(here, size) < costOfLeft(here, size) else {
        unsafe start[0] = PNGFilter.left.rawValue
        for index in (samples..<size).reversed() {
          unsafe here[index] &-= here[index - samples]
        }
        continue
      }
      unsafe start[0] = PNGFilter.above.rawValue
      for index in 0..<size { unsafe here[index] &-= here[index - stride] }
    }
  }

  private func costOfAbove(_ row: UnsafeMutablePointer<UInt8>, _ size: Int) -> Int {
    var sum = 0
    for index in 0..<size {
      sum &+= unsafe Int(Int8(bitPattern: row[index] &- row[index - stride]).magnitude)
    }
    return sum
  }

  private func costOfLeft(_ row: UnsafeMutablePointer<UInt8>, _ size: Int) -> Int {
    var sum = 0
    for index in samples..<size {
      sum &+= unsafe Int(Int8(bitPattern: row[index] &- row[index - samples]).magnitude)
    }
    return sum
  }
}

extension UInt32 {
  /// A pixel whose colours are as they were before they were multiplied by its alpha.
  var unmultiplied: UInt32 {
    let alpha = self >> 24
    if alpha == 255 { return self }
    if alpha == 0 { return 0 }
    func part(_ shift: UInt32) -> UInt32 {
      Swift.min(255, ((self >> shift & 255) * 255 + alpha / 2) / alpha) << shift
    }
    return alpha << 24 | part(16) | part(8) | part(0)
  }
}
