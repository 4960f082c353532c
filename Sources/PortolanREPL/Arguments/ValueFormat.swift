public import Foundation
internal import PortolanFiles
public import PortolanGeometry

/// The conversion of a parameter's text to a value.
public struct ValueFormat<Value>: Sendable {
  /// The expected text, to complete "it must be …".
  public let expectation: String

  /// The value, or `nil` if the text is not as expected.
  public let parse: @Sendable (String) -> Value?

  /// Creates a format.
  public init(_ expectation: String, parse: @escaping @Sendable (String) -> Value?) {
    self.expectation = expectation
    self.parse = parse
  }
}

extension ValueFormat<String> {
  /// Any text but none.
  public static let text = ValueFormat("a text that is not empty") { $0.isEmpty ? nil : $0 }

  /// One of a few words, in any case.
  public static func choice(_ words: [String]) -> ValueFormat {
    let quoted = words.map { "\"\($0)\"" }
    let all = [quoted.dropLast().joined(separator: ", ")] + quoted.suffix(1)
    return ValueFormat(all.filter { !$0.isEmpty }.joined(separator: " or ")) { text in
      words.first { $0.lowercased() == text.lowercased() }
    }
  }
}

extension ValueFormat<Int> {
  /// A whole number in a range.
  public static func integer(in range: ClosedRange<Int>) -> ValueFormat {
    let expectation =
      range.upperBound == .max
      ? "a whole number from \(range.lowerBound) up"
      : "a whole number from \(range.lowerBound) to \(range.upperBound)"
    return ValueFormat(expectation) { text in
      Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

extension ValueFormat<Int64> {
  /// The number of a row.
  static let objectID = ValueFormat("a whole number") { Int64($0) }
}

extension ValueFormat<Double> {
  /// A finite number greater than zero.
  public static let positiveNumber = ValueFormat("a number greater than zero") { text in
    Double(text).flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
  }

  /// The denominator of a scale, also as `1:24000`; at no other scales is there anything of the earth
  /// to be seen.
  static let scale = ValueFormat(
    "the denominator of a scale from 1 to 1000000000000, such as 24000"
  ) { text in
    let number = text.hasPrefix("1:") ? String(text.dropFirst(2)) : text
    // With points between thousands `24.000` is not 24, and nobody writes 24 so.
    guard number.wholeMatch(of: /\d{1,3}\.\d\d0/) == nil else { return nil }
    return Double(number).flatMap { (1...1e12).contains($0) ? $0 : nil }
  }
}

extension ValueFormat<Coordinate> {
  /// `longitude,latitude` in degrees.
  public static let coordinate = ValueFormat(
    "a longitude and a latitude, in this order, such as -68.2,44.3"
  ) { text in
    guard let numbers = Self.numbers(text, count: 2), abs(numbers[0]) <= 360,
      abs(numbers[1]) <= 90
    else { return nil }
    return Coordinate(x: numbers[0], y: numbers[1])
  }
}

extension ValueFormat<URL> {
  /// The path of a file or folder; `~` at its start is the user's own folder.
  ///
  /// Whether anything is there is for the command to find out.
  public static let file = ValueFormat("the path of a file") { text in
    guard !text.isEmpty, !text.contains("\0") else { return nil }
    let url = URL(typedPath: text)
    // A name may hold that very character.
    guard !text.isFromOtherEncoding || FileManager.default.fileExists(atPath: url.plainPath) else {
      return nil
    }
    return url
  }

  /// A file or folder that a command makes; `-` is no name of one, as it is what others call standard
  /// output.
  static let target = ValueFormat("the path of what to make, and not standard output") { text in
    text == "-" ? nil : Self.file.parse(text)
  }
}

extension ValueFormat {
  /// Finite numbers with commas between them.
  static func numbers(_ text: String, count: Int) -> [Double]? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      Double(part.trimmingCharacters(in: .whitespaces)).flatMap { $0.isFinite ? $0 : nil }
    }
    return parts.count == count && numbers.count == count ? numbers : nil
  }
}
