/// A pattern of numbers such as `$#,##0.00` or `#%;(#%)`, taken apart.
struct ArcadeNumberPattern {
  /// The text before and after the digits.
  struct Frame {
    let prefix: String
    let suffix: String

    /// The number of places by which signs such as `%` move the decimal point when numbers are
    /// written.
    var shift: Int {
      let signs = prefix + suffix
      return (signs.contains("%") ? 2 : 0) + (signs.contains("‰") ? 3 : 0)
    }

    /// The factor of numbers when they are written.
    var factor: Double { (0..<shift).reduce(1) { factor, _ in factor * 10 } }

    /// The digits of a text in this frame; `nil` if it has another.
    func digits(in text: String) -> Substring? {
      guard text.utf8.count > prefix.utf8.count + suffix.utf8.count, text.hasPrefix(prefix),
        text.hasSuffix(suffix)
      else { return nil }
      return text.dropFirst(prefix.count).dropLast(suffix.count)
    }
  }

  /// The frame of numbers that are not negative.
  let positive: Frame
  /// The frame of negative numbers; `nil` if the pattern's own has no place for digits.
  let negative: Frame?
  /// The form of the digits.
  let form: ArcadeDigitForm

  init(_ pattern: String) throws(ArcadeError) {
    guard pattern.utf8.count <= 1000 else { throw .tooLong }
    let halves = pattern.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
    guard let (frame, digits) = Self.parts(halves[0]),
      !halves[0].contains("E"), !halves[0].contains("¤"), !halves[0].contains("'")
    else { throw .notSupported("the number format \"\(pattern)\"") }
    positive = frame
    form = ArcadeDigitForm(digits)
    // The negative half gives no more than the text before and after the digits.
    negative = Self.parts(halves.count > 1 ? halves[1] : "-" + halves[0])?.frame
  }

  /// The first digits with the commas before and between them, and with their fraction; `nil` without any.
  private static func parts(_ half: String) -> (frame: Frame, digits: String)? {
    guard let first = half.firstIndex(where: { $0 == "#" || $0 == "0" }) else { return nil }
    let before = half[..<first].lastIndex { $0 != "," }
    let start = before.map { half.index(after: $0) } ?? half.startIndex
    let run = half[first...].prefix { $0 == "#" || $0 == "0" || $0 == "," }
    var end = half.index(after: run.lastIndex { $0 != "," } ?? first)
    let fraction = half[end...]
    if fraction.first == "." {
      let zeros = fraction.dropFirst().prefix { $0 == "0" }
      end = half[zeros.endIndex...].prefix { $0 == "#" }.endIndex
    }
    let frame = Frame(prefix: String(half[..<start]), suffix: String(half[end...]))
    return (frame, String(half[start..<end]))
  }
}

/// The digits of a number, as a pattern describes them.
struct ArcadeDigitForm {
  private let whole: String
  private let fraction: String

  init(_ pattern: String) {
    let parts = pattern.split(separator: ".", maxSplits: 1)
    whole = String(parts.first ?? "")
    fraction = parts.count > 1 ? String(parts[1]) : ""
  }

  // MARK: Writing

  /// A number that is not negative.
  func text(_ value: Double) -> String {
    let places = min(fraction.count, DecimalText.maximumPlaces)
    let rounded = ArcadeRounding.round(value, places: places)
    let text = DecimalText.fixed(rounded, places: places, atLeast: leastPlaces)
    let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
    let digits = grouped(padded(parts[0]))
    return parts.count > 1 ? "\(digits).\(parts[1])" : digits
  }

  private var leastPlaces: Int { fraction.prefix { $0 == "0" }.count }

  /// The minimum number of digits before the point.
  private var leastDigits: Int {
    let places = whole.filter { $0 != "," }
    guard let first = places.firstIndex(of: "0") else { return 0 }
    return places.distance(from: first, to: places.endIndex)
  }

  /// Zeros ask for that many digits; without any `#` there are no more than that.
  private func padded(_ digits: String) -> String {
    guard leastDigits > 0 else { return digits }
    let padded = String(repeating: "0", count: max(0, leastDigits - digits.count)) + digits
    return whole.contains("#") ? padded : String(padded.suffix(leastDigits))
  }

  private func grouped(_ digits: String) -> String {
    let groups = whole.split(separator: ",", omittingEmptySubsequences: false).map(\.count)
    guard groups.count > 1, var size = groups.last, size > 0 else { return digits }
    let inner = groups.count > 2 ? groups[groups.count - 2] : size
    var rest = Substring(digits)
    var parts: [Substring] = []
    while rest.count > size {
      parts.insert(rest.suffix(size), at: 0)
      rest = rest.dropLast(size)
      size = max(inner, 1)
    }
    return ([rest] + parts).joined(separator: ",")
  }

  // MARK: Reading

  /// The number that digits say, its point moved to the left; not a number if the pattern does not fit.
  ///
  /// The point is moved in the text, so that `99.99%` is 0.9999.
  func number(_ text: Substring, shift: Int) throws(ArcadeError) -> Double {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let digits = String(parts[0]).replacing(",", with: "")
    let decimals = parts.count > 1 ? String(parts[1]) : ""
    guard Self.areDigits(digits), Self.areDigits(decimals), digits.count + decimals.count > 0,
      digits.count >= leastDigits, (leastPlaces...fraction.count).contains(decimals.count),
      parts.count == 1 || !decimals.isEmpty
    else { return .nan }
    // Clients read patterns with such digits differently.
    let hasZeros = digits.count > max(leastDigits, 1) && digits.hasPrefix("0")
    let isTooLong = !whole.contains("#") && digits.count > leastDigits
    let isGrouped = parts[0].count == digits.count || parts[0] == grouped(digits)
    guard !digits.isEmpty, !hasZeros, !isTooLong, isGrouped else {
      throw .wrongValue("reads a number whose digits are not those of its format")
    }
    return Double("\(digits).\(decimals.isEmpty ? "0" : decimals)e-\(shift)") ?? .nan
  }

  private static func areDigits(_ text: some StringProtocol) -> Bool {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
