public import PortolanJSON

/// The value of a setting.
public enum SettingValue: Hashable, Sendable, Codable {
  case text(String)
  case number(Int)
  case list([String])

  /// As people type and read it.
  public var text: String {
    switch self {
    case .text(let text): text
    case .number(let number): "\(number)"
    case .list(let words): words.joined(separator: ",")
    }
  }

  /// As it is stored.
  public var json: JSONValue {
    switch self {
    case .text(let text): .string(text)
    case .number(let number): .integer(Int64(number))
    case .list(let words): .array(words.map(JSONValue.string))
    }
  }
}

/// The kind of values that a setting may have.
public enum SettingKind: Hashable, Sendable {
  case text(mayBeEmpty: Bool)
  case number(ClosedRange<Int>)
  case list
  case choice([String])

  /// To complete "it must be …".
  public var expectation: String {
    switch self {
    case .text(mayBeEmpty: true): "a text"
    case .text(mayBeEmpty: false): "a text that is not empty"
    case .number(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .list: "a list of names"
    case .choice(let words): "one of " + words.joined(separator: ", ")
    }
  }

  /// The value that a typed text means; `nil` if it is not as expected.
  public func value(typed text: String) -> SettingValue? {
    switch self {
    case .text(let mayBeEmpty): return text.isEmpty && !mayBeEmpty ? nil : .text(text)
    case .number(let range):
      return Int(text).flatMap { range.contains($0) ? .number($0) : nil }
    case .list:
      let words = text.split(separator: ",").map { $0.filter { !$0.isWhitespace }.lowercased() }
      return .list(words.filter { !$0.isEmpty })
    case .choice(let words):
      let word = text.lowercased()
      return words.contains(word) ? .text(word) : nil
    }
  }

  /// The value in a file; `nil` if it is of another type or not as expected.
  public func value(json: JSONValue) -> SettingValue? {
    switch self {
    case .text, .choice: return json.string.flatMap(value(typed:))
    case .number(let range):
      guard let number = json.int, json.string == nil, range.contains(number) else { return nil }
      return .number(number)
    case .list:
      guard let array = json.array else { return nil }
      let words = array.compactMap(\.string)
      return words.count == array.count ? value(typed: words.joined(separator: ",")) : nil
    }
  }
}
