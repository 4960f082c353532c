internal import Foundation

/// Rounds by the digits that a number is written with, so that 1.005 becomes 1.01.
enum ArcadeRounding {
  /// Halves go up, also below zero.
  static func round(_ value: Double, places: Int) -> Double {
    adjust(value, places: places) { scaled in
      let lower = scaled.rounded(.down)
      return scaled - lower >= 0.5 ? lower + 1 : lower
    }
  }

  /// The nearest number with so many digits after the point that `rule` takes the other to.
  static func adjust(_ value: Double, places: Int, _ rule: (Double) -> Double) -> Double {
    guard value.isFinite, places != 0 else { return value.isFinite ? rule(value) : value }
    return shifted(rule(shifted(value, by: places)), by: -places)
  }

  private static func shifted(_ value: Double, by places: Int) -> Double {
    let parts = "\(value)".split(separator: "e")
    guard let digits = parts.first else { return value }
    let exponent = (parts.count > 1 ? Int(parts[1]) ?? 0 : 0) + places
    return Double("\(digits)e\(exponent)") ?? value
  }

  /// The number as text, by the fewest digits that tell it from all others.
  static func text(_ value: Double) throws(ArcadeError) -> String {
    guard value.isFinite else { throw .wrongValue("has a result that is not a finite number") }
    if let whole = Int64(exactly: value) { return String(whole) }
    guard (1e-6..<1e21).contains(abs(value)) else {
      throw .wrongValue("writes a number that is very small or very large")
    }
    let parts = "\(value)".split(separator: "e")
    guard parts.count == 2, let exponent = Int(parts[1]) else { return "\(value)" }
    let digits = parts[0].filter(\.isNumber)
    let sign = value < 0 ? "-" : ""
    // Only numbers below 0.0001 are written with an exponent here, and those above 2^63.
    return exponent < 0
      ? "\(sign)0.\(String(repeating: "0", count: -exponent - 1))\(trimmed(digits))"
      : sign + digits + String(repeating: "0", count: max(0, exponent + 1 - digits.count))
  }

  private static func trimmed(_ digits: String) -> Substring {
    let end = digits.lastIndex { $0 != "0" } ?? digits.startIndex
    return digits[...end]
  }
}
