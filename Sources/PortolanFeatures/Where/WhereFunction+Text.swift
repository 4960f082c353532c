extension WhereFunction {
  /// The functions of text; characters are code points, as in SQLite.
  func callOnText(_ arguments: [AttributeValue]) -> AttributeValue {
    guard case .text(let text) = arguments[0] else { return .null }
    switch self {
    case .upper: return .text(text.uppercased())
    case .lower: return .text(text.lowercased())
    case .charLength: return .integer(Int64(text.unicodeScalars.count))
    case .substring: return substring(of: text, arguments.dropFirst())
    case .position: return position(of: text, in: arguments[1])
    case .trim, .trimLeading, .trimTrailing: return trimmed(text, arguments.dropFirst().first)
    default: return .null
    }
  }

  private func substring(
    of text: String, _ numbers: ArraySlice<AttributeValue>
  ) -> AttributeValue {
    let scalars = text.unicodeScalars
    let limits = numbers.map { SQLNumber.truncated($0).map(Self.bounded) }
    guard let first = limits.first, var start = first else { return .null }
    guard let count = limits.count > 1 ? limits[1] : Self.bounded(.max) else { return .null }
    let length = Int64(scalars.count)
    if start < 0 { start += length + 1 }
    let end = min(start + max(0, count), length + 1)
    start = max(1, start)
    guard start < end else { return .text("") }
    let from = scalars.index(scalars.startIndex, offsetBy: Int(start - 1))
    let to = scalars.index(from, offsetBy: Int(end - start))
    return .text(String(scalars[from..<to]))
  }

  /// A place in a text, beyond the end of every text at most, so that adding two stays safe.
  private static func bounded(_ place: Int64) -> Int64 { max(-1 << 40, min(1 << 40, place)) }

  private func position(of part: String, in whole: AttributeValue) -> AttributeValue {
    guard case .text(let text) = whole else { return .null }
    let (part, scalars) = (Array(part.unicodeScalars), Array(text.unicodeScalars))
    guard part.count <= scalars.count else { return .integer(0) }
    let start = (0...(scalars.count - part.count)).first { start in
      scalars[start..<(start + part.count)].elementsEqual(part)
    }
    return .integer(start.map { Int64($0 + 1) } ?? 0)
  }

  private func trimmed(_ text: String, _ character: AttributeValue?) -> AttributeValue {
    var taken: Unicode.Scalar = " "
    if case .text(let other) = character { taken = other.unicodeScalars.first ?? " " }
    var scalars = text.unicodeScalars[...]
    if self != .trimTrailing { scalars = scalars.drop { $0 == taken } }
    if self != .trimLeading {
      while scalars.last == taken { scalars.removeLast() }
    }
    return .text(String(scalars))
  }
}
