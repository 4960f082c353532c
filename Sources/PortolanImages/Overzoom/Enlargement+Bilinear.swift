/// Pixels of a tile that run into each other.
extension Enlargement {
  /// The position of a pixel between two of the coarser tile.
  private struct Mix {
    let first: Int
    let second: Int
    /// The share of the second, in 256 parts.
    let share: UInt32
  }

  /// The finer tile as pixels; at the sides of the coarser one, its own pixels continue.
  func bilinear(_ picture: ParentImage) -> PixelImage {
    let (width, height) = (picture.width, picture.height)
    let (columns, rows) = (mixes(column, width), mixes(row, height))
    guard let top = rows.first?.first, let bottom = rows.last?.second else { return picture.image }
    let wide = widened(picture, top...bottom, columns)
    let pixels = unsafe [UInt32](unsafeUninitializedCapacity: width * height) { buffer, count in
      guard let target = buffer.baseAddress else { return }
      unsafe wide.withUnsafeBufferPointer { wide in
        guard let source = wide.baseAddress else { return }
        for (place, row) in rows.enumerated() {
          unsafe Self.mix(
            source + (row.first - top) * width, source + (row.second - top) * width,
            UInt16(row.share), into: target + place * width, count: width)
        }
      }
      count = width * height
    }
    return PixelImage(filling: width, height, pixels)
  }

  /// The positions of the pixels along one direction, of `size` that a tile has.
  private func mixes(_ part: Int, _ size: Int) -> [Mix] {
    (0..<size).map { place in
      // The middles of pixels, in halves of a pixel of the finer tile.
      let middle = 2 * (part * size + place) + 1 - 1 << depth
      let first = middle >> (depth + 1)
      let rest = middle & (1 << (depth + 1) - 1)
      return Mix(
        first: min(max(first, 0), size - 1), second: min(max(first + 1, 0), size - 1),
        share: UInt32((rest << 8) >> (depth + 1)))
    }
  }

  /// Some rows of the coarser tile, as wide as the finer one.
  private func widened(
    _ picture: ParentImage, _ rows: ClosedRange<Int>, _ columns: [Mix]
  ) -> [UInt32] {
    guard let left = columns.first?.first, let right = columns.last?.second else { return [] }
    let narrow = picture.pixels(rows: rows, columns: left...right)
    let span = right - left + 1
    let count = columns.count * rows.count
    return unsafe [UInt32](unsafeUninitializedCapacity: count) { buffer, initialized in
      guard var target = buffer.baseAddress else { return }
      unsafe narrow.withUnsafeBufferPointer { narrow in
        for row in 0..<rows.count {
          let start = row * span - left
          for (place, column) in columns.enumerated() {
            unsafe target[place] = Self.mixed(
              narrow[start + column.first], narrow[start + column.second], column.share)
          }
          unsafe target += columns.count
        }
      }
      initialized = count
    }
  }

  /// A pixel between two; two channels are worked out at a time.
  @inline(__always)
  private static func mixed(_ low: UInt32, _ high: UInt32, _ share: UInt32) -> UInt32 {
    let rest = 256 &- share
    let mask: UInt32 = 0x00FF_00FF
    let half: UInt32 = 0x0080_0080
    let even = ((low & mask) &* rest &+ (high & mask) &* share &+ half) >> 8 & mask
    let odd = ((low >> 8 & mask) &* rest &+ (high >> 8 & mask) &* share &+ half) & ~mask
    return even | odd
  }

  /// Pixels between those of two rows; eight channels are worked out at a time.
  private static func mix(
    _ upper: UnsafePointer<UInt32>, _ lower: UnsafePointer<UInt32>, _ share: UInt16,
    into target: UnsafeMutablePointer<UInt32>, count: Int
  ) {
    let mask = SIMD8<UInt16>(repeating: 0x00FF)
    let half = SIMD8<UInt16>(repeating: 0x0080)
    let (rest, share) = (SIMD8(repeating: 256 - share), SIMD8(repeating: share))
    var index = 0
    while index + 4 <= count {
      let above = unsafe UnsafeRawPointer(upper + index).loadUnaligned(as: SIMD8<UInt16>.self)
      let below = unsafe UnsafeRawPointer(lower + index).loadUnaligned(as: SIMD8<UInt16>.self)
      let even = ((above & mask) &* rest &+ (below & mask) &* share &+ half) &>> 8
      let odd = ((above &>> 8) &* rest &+ (below &>> 8) &* share &+ half) & ~mask
      unsafe UnsafeMutableRawPointer(target + index)
        .storeBytes(of: even | odd, as: SIMD8<UInt16>.self)
      index += 4
    }
    while index < count {
      unsafe target[index] = mixed(upper[index], lower[index], UInt32(share[0]))
      index += 1
    }
  }
}
