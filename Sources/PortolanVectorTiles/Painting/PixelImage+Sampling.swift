internal import PortolanImages

extension PixelImage {
  /// The picture at places in it, each mixed of the four pixels around it; half a pixel from the
  /// corner is the middle of the first one.
  func sampled(columns: [Double], rows: [Double]) -> PixelImage? {
    let across = columns.map { Self.neighbours(of: $0, count: width) }
    let down = rows.map { Self.neighbours(of: $0, count: height) }
    var result: [UInt32] = []
    result.reserveCapacity(columns.count * rows.count)
    for row in down {
      for column in across {
        let corners = (
          pixels[row.low * width + column.low], pixels[row.low * width + column.high],
          pixels[row.high * width + column.low], pixels[row.high * width + column.high]
        )
        result.append(
          [24, 16, 8, 0].reduce(UInt32(0)) { pixel, shift in
            func part(_ pixel: UInt32) -> Double { Double(pixel >> shift & 255) }
            let upper = part(corners.0) * (1 - column.share) + part(corners.1) * column.share
            let lower = part(corners.2) * (1 - column.share) + part(corners.3) * column.share
            return pixel | UInt32((upper * (1 - row.share) + lower * row.share).rounded()) << shift
          })
      }
    }
    return PixelImage(width: columns.count, height: rows.count, pixels: result)
  }

  /// The pixels on both sides of a place, and how much of the second there is.
  private static func neighbours(
    of place: Double, count: Int
  ) -> (low: Int, high: Int, share: Double) {
    let place = min(max(place - 0.5, 0), Double(count - 1))
    let low = Int(place)
    return (low, min(low + 1, count - 1), place - Double(low))
  }
}
