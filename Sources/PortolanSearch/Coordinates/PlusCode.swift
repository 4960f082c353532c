internal import PortolanGeometry

/// A code of Open Location Code: `87JC9Q5V+2F`, or its end where it is clear which place is meant: `9Q5V+2F`.
///
/// <https://github.com/google/open-location-code/blob/main/Documentation/Specification/specification.md>
struct PlusCode: Hashable, Sendable {
  private static let digits = Array("23456789CFGHJMPQRVWX")
  /// How many digits precede the sign of a whole code.
  private static let signPlace = 8
  /// How many digits name a row and a column in turn; each further one names a part of the square.
  private static let pairedCount = 10
  /// No code names less.
  private static let mostDigits = 15

  /// The middle of the square, on WGS 84.
  let coordinate: Coordinate

  /// Reads a text in capitals; `nil` if it is no code.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - extent: Near the middle of which a code without its beginning is; without one there is none.
  init?(_ text: String, near extent: Envelope? = nil) {
    let parts = text.split(separator: "+", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].count >= 2, parts[0].count + parts[1].count <= Self.mostDigits,
      let code = Self.numbers(parts[0] + parts[1])
    else { return nil }
    switch parts[0].count {
    case Self.signPlace: coordinate = Self.middle(of: code)
    case 4, 6:
      guard let extent, !extent.isEmpty else { return nil }
      coordinate = Self.middle(of: code, missing: Self.signPlace - parts[0].count, extent.center)
    default: return nil
    }
    guard abs(coordinate.y) <= 90, abs(coordinate.x) <= 180 else { return nil }
  }

  /// Reads a code with the name of a place behind it, as maps show them: "9Q5V+2F ELLSWORTH, MAINE".
  ///
  /// - Parameters:
  ///   - text: The text, in capitals.
  ///   - extent: Where a code without its beginning is; `nil` is the result if such a code may be in several
  ///     places of it, since the place that is named is not looked for.
  init?(withPlace text: String, near extent: Envelope?) {
    let code = text.prefix { !" ,".contains($0) }
    guard code.count < text.count, text.dropFirst(code.count).contains(where: \.isLetter),
      let sign = code.firstIndex(of: "+")
    else { return nil }
    let count = code.distance(from: code.startIndex, to: sign)
    if count < Self.signPlace {
      let size = Self.size(of: count)
      guard let extent, extent.xMax - extent.xMin <= size, extent.yMax - extent.yMin <= size
      else { return nil }
    }
    self.init(String(code), near: extent)
  }

  /// How large the square is that the missing digits would name, in degrees.
  private static func size(of count: Int) -> Double { count == 4 ? 1 : 20 }

  private static func numbers(_ text: Substring) -> [Int]? {
    let numbers = text.compactMap { digits.firstIndex(of: $0) }
    return numbers.count == text.count ? numbers : nil
  }

  private static func middle(of code: [Int]) -> Coordinate {
    var (latitude, longitude) = (-90.0, -180.0)
    var (height, width) = (400.0, 400.0)
    for pair in stride(from: 0, to: min(code.count, pairedCount) - 1, by: 2) {
      (height, width) = (height / 20, width / 20)
      latitude += Double(code[pair]) * height
      longitude += Double(code[pair + 1]) * width
    }
    for number in code.dropFirst(pairedCount) {
      (height, width) = (height / 5, width / 4)
      latitude += Double(number / 4) * height
      longitude += Double(number % 4) * width
    }
    return Coordinate(x: longitude + width / 2, y: latitude + height / 2)
  }

  /// The place with such an end that is nearest to another.
  private static func middle(
    of code: [Int], missing count: Int, _ center: Coordinate
  ) -> Coordinate {
    let size = Self.size(of: signPlace - count)
    let first = middle(of: Array(repeating: 0, count: count) + code)
    func nearest(_ first: Double, _ center: Double) -> Double {
      first + ((center - first) / size).rounded() * size
    }
    let x = nearest(first.x, center.x)
    return Coordinate(x: x > 180 ? x - 360 : x, y: nearest(first.y, center.y))
  }
}
