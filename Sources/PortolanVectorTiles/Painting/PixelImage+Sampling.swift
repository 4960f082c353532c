internal import PortolanImages

extension PixelImage {
  /// The picture at places in it, half a pixel from the corner being the middle of the first one;
  /// what is outside is clear.
  ///
  /// - Parameters:
  ///   - columns: The places across.
  ///   - rows: The places down.
  ///   - isSmooth: Whether each is mixed of the four pixels around it, or is the nearest one.
  /// - Returns: The picture; `nil` if it would be too large.
  func sampled(columns: [Double], rows: [Double], isSmooth: Bool) -> PixelImage? {
    let across = columns.map { Self.neighbors(of: $0, isSmooth: isSmooth) }
    let down = rows.map { Self.neighbors(of: $0, isSmooth: isSmooth) }
    var result: [UInt32] = []
    result.reserveCapacity(columns.count * rows.count)
    for row in down {
      for column in across {
        result.append(
          Self.mixed(
            Self.mixed(pixel(column.low, row.low), pixel(column.low + 1, row.low), column.share),
            Self.mixed(
              pixel(column.low, row.low + 1), pixel(column.low + 1, row.low + 1), column.share),
            row.share))
      }
    }
    return PixelImage(width: columns.count, height: rows.count, pixels: result)
  }

  private func pixel(_ column: Int, _ row: Int) -> UInt32 {
    guard column >= 0, row >= 0, column < width, row < height else { return 0 }
    return pixels[row * width + column]
  }

  /// A pixel between two, at a share of the way.
  static func mixed(_ first: UInt32, _ second: UInt32, _ share: Double) -> UInt32 {
    guard share > 0, first != second else { return first }
    return [24, 16, 8, 0].reduce(UInt32(0)) { pixel, shift in
      let (low, high) = (Double(first >> shift & 255), Double(second >> shift & 255))
      return pixel | UInt32((low + (high - low) * share).rounded()) << shift
    }
  }

  /// The first of the two pixels around a place, and how much of the second there is.
  private static func neighbors(of place: Double, isSmooth: Bool) -> (low: Int, share: Double) {
    guard abs(place) < 1e6 else { return (-2, 0) }
    guard isSmooth else { return (Int(place.rounded(.down)), 0) }
    let low = (place - 0.5).rounded(.down)
    return (Int(low), place - 0.5 - low)
  }
}
