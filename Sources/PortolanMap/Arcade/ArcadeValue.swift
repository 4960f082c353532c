internal import Foundation
internal import PortolanFeatures

/// A value while an expression is evaluated.
///
/// Arrays and dictionaries are shared, as in Arcade: the value is their place in the evaluator.
enum ArcadeValue: Sendable {
  case null
  case boolean(Bool)
  case number(Double)
  case text(String)
  case date(ArcadeDate)
  case array(Int)
  case dictionary(Int)
  /// A function, by its name in lower case.
  case function(String)
  case feature

  /// The value of a field.
  init(_ value: AttributeValue, in zone: TimeZone) throws(ArcadeError) {
    switch value {
    case .null: self = .null
    case .integer(let number):
      let double = Double(number)
      // Arcade's numbers are doubles: an id that none holds would silently become another one.
      guard Int64(exactly: double) == number else {
        throw .wrongValue("calculates with a number of more digits than it can hold")
      }
      self = .number(double)
    case .double(let number): self = .number(number)
    case .text(let text): self = .text(text)
    case .date(let date): self = .date(ArcadeDate(date: date, zone: zone))
    case .blob: throw .notSupported("binary values")
    }
  }

  /// The kind of the value, as `TypeOf` names it.
  var typeName: String? {
    switch self {
    case .null: nil
    case .boolean: "Boolean"
    case .number: "Number"
    case .text: "String"
    case .date: "Date"
    case .array: "Array"
    case .dictionary: "Dictionary"
    case .function: "Function"
    case .feature: "Feature"
    }
  }

  /// Whether there is no value, or an empty text.
  var isEmpty: Bool {
    switch self {
    case .null: true
    case .text(let text): text.isEmpty
    default: false
    }
  }

  /// The number that a value counts as: none is 0, as an empty text is, text its digits, else it is not a
  /// number.
  ///
  /// `Number` without a format casts as operators do. That an empty text counts as 0, the guide does not say;
  /// the ArcGIS Maps SDK for JavaScript (4.25) evaluates it so.
  ///
  /// - SeeAlso: [Type casting](https://developers.arcgis.com/arcade/guide/type-casting/)
  func number() throws(ArcadeError) -> Double {
    switch self {
    case .null: return 0
    case .boolean(let isTrue): return isTrue ? 1 : 0
    case .number(let number): return number
    case .text(let text): return Self.number(in: text)
    case .date: throw .wrongValue("calculates with a date")
    case .array, .dictionary, .function, .feature:
      throw .wrongValue("calculates with something that is no number")
    }
  }

  static func number(in text: String) -> Double {
    let text = text.trimmingBlanks()
    guard !text.isEmpty else { return 0 }
    let isPlain =
      text.utf8.count <= 400 && text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
    return isPlain ? Double(text) ?? .nan : .nan
  }

  /// A whole number that counts or addresses something.
  func integer() throws(ArcadeError) -> Int {
    let number = try number()
    guard abs(number) <= 1_000_000_000, let integer = Int(exactly: number) else {
      throw .wrongValue("counts with something that is no whole number")
    }
    return integer
  }

  /// A condition, which must be `true` or `false`.
  func condition() throws(ArcadeError) -> Bool {
    guard case .boolean(let isTrue) = self else {
      throw .wrongValue("has a condition that is neither true nor false")
    }
    return isTrue
  }

  /// A date; `nil` without a value.
  func date() throws(ArcadeError) -> ArcadeDate? {
    switch self {
    case .date(let date): return date
    case .null: return nil
    default: throw .wrongValue("needs a date and has something else")
    }
  }

  /// The cost of comparing with a value like this, in steps beyond the first.
  var comparisonCost: Int {
    if case .text(let text) = self { text.utf8.count / 256 } else { 0 }
  }

  /// Whether both are the same, as `==` sees it: values of different kinds never are.
  func isEqual(to other: ArcadeValue) -> Bool {
    switch (self, other) {
    case (.null, .null), (.feature, .feature): true
    case (.boolean(let left), .boolean(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    case (.date(let left), .date(let right)): left.date == right.date
    case (.array(let left), .array(let right)): left == right
    case (.dictionary(let left), .dictionary(let right)): left == right
    case (.function(let left), .function(let right)): left == right
    default: false
    }
  }
}

/// Members by name: found as written, else without case.
struct ArcadeDictionary: Sendable {
  private(set) var keys: [String] = []
  private var values: [String: ArcadeValue] = [:]

  subscript(key: String) -> ArcadeValue? {
    get { values[key.lowercased()] }
    set {
      let name = key.lowercased()
      if values[name] == nil, newValue != nil { keys.append(key) }
      values[name] = newValue
    }
  }
}
