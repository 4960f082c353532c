/// A number as people read it: in digits, never with an exponent.
enum DecimalText {
  /// The number with at most that many decimals, from 0 to 9, zeros at the end left off.
  static func text(_ number: Double, decimals: Int) -> String {
    let factor = (0..<decimals).reduce(1.0) { factor, _ in factor * 10 }
    // A number that does not fit is beyond any coordinate or scale; its own text is as good as any.
    guard number.isFinite, let scaled = Int64(exactly: (abs(number) * factor).rounded()) else {
      return "\(number)"
    }
    let (whole, fraction) = scaled.quotientAndRemainder(dividingBy: Int64(factor))
    let sign = number < 0 && scaled != 0 ? "-" : ""
    guard fraction != 0 else { return "\(sign)\(whole)" }
    let digits = String(fraction)
    let padded = String(repeating: "0", count: decimals - digits.count) + digits
    let trimmed = padded.reversed().drop { $0 == "0" }.reversed()
    return "\(sign)\(whole).\(String(trimmed))"
  }
}
