/// Lenient reading of web maps and service responses: a member of the wrong type counts as missing,
/// unless its meaning is plain.
///
/// Viewers, servers and scripts of fifteen years wrote numbers as strings, ids as numbers and flags
/// as 0 and 1; none of that may keep a map from opening.
extension JSONObject {
  /// The text of a member; numbers count as their digits.
  package func text(_ name: String) -> String? { self[name]?.lenientText }

  /// The text of a member, unless it is missing or blank.
  package func filledText(_ name: String) -> String? {
    text(name).flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
  }

  /// The number of a member, also from digits in a string; never infinite.
  package func number(_ name: String) -> Double? { self[name]?.lenientNumber }

  /// The whole number of a member.
  package func int(_ name: String) -> Int? { number(name).flatMap { Int(exactly: $0) } }

  /// The truth value of a member, also from 0 and 1.
  package func flag(_ name: String) -> Bool? {
    switch self[name] {
    case .bool(let isTrue): isTrue
    case .integer(0), .string("false"): false
    case .integer(1), .string("true"): true
    default: nil
    }
  }

  /// The members of a member that is an object.
  package func object(_ name: String) -> JSONObject? { self[name]?.object }

  /// The objects in a member that is an array; whatever else is in it is passed over.
  package func objects(_ name: String) -> [JSONObject] {
    self[name]?.array?.compactMap(\.object) ?? []
  }

  /// The texts in a member that is an array.
  package func texts(_ name: String) -> [String] {
    self[name]?.array?.compactMap(\.lenientText) ?? []
  }

  /// The whole numbers in a member that is an array, or `nil` if it is none.
  package func ints(_ name: String) -> [Int]? { self[name]?.array?.compactMap(\.int) }
}

extension JSONValue {
  /// Text, or a number as its digits.
  package var lenientText: String? {
    switch self {
    case .string(let text): text
    case .integer, .number: text()
    default: nil
    }
  }

  /// A finite number, or one in a string.
  package var lenientNumber: Double? {
    // Longer strings are no numbers that anyone wrote.
    if case .string(let text) = self, text.utf8.count <= 40 {
      return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }
    return double.flatMap { $0.isFinite ? $0 : nil }
  }

  /// A number in the form in which it would be read back.
  package init(_ number: Double) {
    self = Int64(exactly: number).map { .integer($0) } ?? .number(number)
  }

  /// Objects as an array.
  package init(_ objects: [JSONObject]) { self = .array(objects.map { .object($0) }) }
}
