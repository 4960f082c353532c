/// The filters of PNG files, which write rows as differences from the pixels before and above.
///
/// - SeeAlso: [PNG, 9](https://www.w3.org/TR/png-3/#9Filters)
enum PNGFilter: UInt8 {
  case none = 0
  case left = 1
  case above = 2
  case average = 3
  case paeth = 4

  /// Turns rows of differences, each behind the number of its filter, into samples.
  ///
  /// `size` is the bytes of a row without that number, `distance` those of a pixel.
  ///
  /// - Returns: Whether all numbers were known.
  static func undo(
    in bytes: UnsafeMutableRawBufferPointer, rows: Int, size: Int, distance: Int
  ) -> Bool {
    guard bytes.count >= rows * (1 + size),
      var row = unsafe bytes.bindMemory(to: UInt8.self).baseAddress
    else { return false }
    let blank = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
    unsafe blank.initialize(repeating: 0, count: size)
    defer { unsafe blank.deallocate() }
    var above = unsafe blank
    for _ in 0..<rows {
      guard let filter = unsafe PNGFilter(rawValue: row[0]) else { return false }
      let samples = unsafe row + 1
      unsafe filter.undo(samples, above: above, size: size, distance: distance)
      unsafe above = samples
      unsafe row += 1 + size
    }
    return true
  }

  private func undo(
    _ row: UnsafeMutablePointer<UInt8>, above: UnsafeMutablePointer<UInt8>, size: Int,
    distance: Int
  ) {
    switch self {
    case .none: return
    case .left:
      for index in min(distance, size)..<size { unsafe row[index] &+= row[index - distance] }
    case .above:
      for index in 0..<size { unsafe row[index] &+= above[index] }
    case .average:
      for index in 0..<size {
        let left = unsafe index < distance ? 0 : UInt16(row[index - distance])
        unsafe row[index] &+= UInt8((left + UInt16(above[index])) / 2)
      }
    case .paeth:
      for index in 0..<min(distance, size) { unsafe row[index] &+= above[index] }
      for index in min(distance, size)..<size {
        unsafe row[index] &+= Self.predicted(
          left: Int16(row[index - distance]), above: Int16(above[index]),
          corner: Int16(above[index - distance]))
      }
    }
  }

  /// The neighbour that is nearest to `left + above - corner`.
  @inline(__always)
  private static func predicted(left: Int16, above: Int16, corner: Int16) -> UInt8 {
    let toLeft = abs(above &- corner)
    let toAbove = abs(left &- corner)
    let toCorner = abs(left &+ above &- corner &- corner)
    if toLeft <= toAbove, toLeft <= toCorner { return UInt8(truncatingIfNeeded: left) }
    return UInt8(truncatingIfNeeded: toAbove <= toCorner ? above : corner)
  }
}
