/// Positions along a curve that visits every cell of a square, neighbours close together.
enum HilbertCurve {
  /// The cells along one side.
  static let side: UInt32 = 1 << 16

  /// How far along the curve the cell in a column and a row lies; both below ``side``.
  static func position(column: UInt32, row: UInt32) -> UInt32 {
    var (x, y) = (column, row)
    var position: UInt32 = 0
    var half = side >> 1
    while half > 0 {
      let isRight = x & half != 0
      let isUpper = y & half != 0
      position &+= half &* half &* ((isRight ? 3 : 0) ^ (isUpper ? 1 : 0))
      if !isUpper {
        if isRight {
          x = side - 1 - x
          y = side - 1 - y
        }
        swap(&x, &y)
      }
      half >>= 1
    }
    return position
  }

  /// The indices of `positions` in their order along the curve; equal ones keep their order.
  ///
  /// A radix sort: four passes, whatever the positions are.
  static func order(of positions: [UInt32]) -> [UInt32] {
    var order = Array(0..<UInt32(positions.count))
    var next = order
    for shift: UInt32 in [0, 8, 16, 24] {
      var starts = [Int](repeating: 0, count: 257)
      for position in positions { starts[Int(position >> shift & 0xFF) + 1] += 1 }
      for bucket in 1...256 { starts[bucket] += starts[bucket - 1] }
      for index in order {
        let bucket = Int(positions[Int(index)] >> shift & 0xFF)
        next[starts[bucket]] = index
        starts[bucket] += 1
      }
      swap(&order, &next)
    }
    return order
  }
}
