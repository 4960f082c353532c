internal import PortolanArchives

/// Where things stand in a node of a side index.
///
/// - SeeAlso: Docs/SIDE-INDEX.md
enum SideIndexNode {
  /// CRC-32 of what follows it, length, level, number in the level: 4 bytes each.
  static let lengthOffset = 4
  static let levelOffset = 8
  static let numberOffset = 12
  /// A bit for each entry of a leaf whose shape is not in the index: 2 bytes.
  static let absentOffset = 16
  /// Least x, greatest x, least y, greatest y of all entries: 16 floats each.
  static let boxesOffset = 32
  static let boxRowLength = 4 * SideIndexLayout.fanOut
  /// In inner nodes above leaves, the places of these, in units of 64 bytes: 4 bytes each.
  static let leavesOffset = boxesOffset + 4 * boxRowLength
  /// In leaves, the keys of the rows: 8 bytes each.
  static let rowsOffset = leavesOffset
  /// In leaves, the object ids: 8 bytes each.
  static let objectIDsOffset = rowsOffset + 8 * SideIndexLayout.fanOut
  /// In leaves, where the shape of each entry ends, counted from the start of the leaf: 4 bytes
  /// each.
  static let endsOffset = objectIDsOffset + 8 * SideIndexLayout.fanOut
  /// In leaves, the shapes.
  static let shapesOffset = endsOffset + 4 * SideIndexLayout.fanOut
  /// The longest leaf: a longer one is no leaf of ours.
  static let longestLeaf = shapesOffset + SideIndexLayout.fanOut * SideIndexShape.longest + 64
}

/// Which shapes an index holds.
enum SideIndexShape {
  /// The longest shape that is kept; longer ones stay in the table, and so do the taps near them.
  static let longest = 4_096
}

/// The box of a tap in the 32-bit numbers of an index.
///
/// Compares with them as the numbers it was made of do: least ones are rounded up, greatest down.
struct SideIndexQuery {
  let xMin: SIMD16<Float>
  let xMax: SIMD16<Float>
  let yMin: SIMD16<Float>
  let yMax: SIMD16<Float>

  init(xMin: Double, xMax: Double, yMin: Double, yMax: Double) {
    self.xMin = SIMD16(repeating: Self.roundedUp(xMin))
    self.xMax = SIMD16(repeating: Self.roundedDown(xMax))
    self.yMin = SIMD16(repeating: Self.roundedUp(yMin))
    self.yMax = SIMD16(repeating: Self.roundedDown(yMax))
  }

  /// The least float that is not less than a number.
  private static func roundedUp(_ value: Double) -> Float {
    let nearest = Float(value)
    return Double(nearest) < value ? nearest.nextUp : nearest
  }

  /// The greatest float that is not greater than a number.
  private static func roundedDown(_ value: Double) -> Float {
    let nearest = Float(value)
    return Double(nearest) > value ? nearest.nextDown : nearest
  }

  /// A bit for each of 16 boxes, whether it meets this one; they stand in a node at `boxes`.
  @inline(__always)
  func meeting(_ boxes: UnsafeRawPointer) -> UInt32 {
    let row = SideIndexNode.boxRowLength
    let least = unsafe boxes.loadUnaligned(as: SIMD16<Float>.self)
    let greatest = unsafe boxes.loadUnaligned(fromByteOffset: row, as: SIMD16<Float>.self)
    let lowest = unsafe boxes.loadUnaligned(fromByteOffset: 2 * row, as: SIMD16<Float>.self)
    let highest = unsafe boxes.loadUnaligned(fromByteOffset: 3 * row, as: SIMD16<Float>.self)
    let meets =
      (least .<= xMax) .& (greatest .>= xMin) .& (lowest .<= yMax) .& (highest .>= yMin)
    return SIMD16<UInt32>.zero.replacing(with: Self.bits, where: meets).wrappedSum()
  }

  private static let bits = SIMD16<UInt32>(
    1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768)
}
