internal import Foundation
internal import PortolanJSON

extension StyleValue {
  /// The number, if this is one; no other kind counts.
  package var number: Double? { if case .number(let number) = self { number } else { nil } }

  /// The elements, if this is a list.
  package var list: [StyleValue]? { if case .list(let elements) = self { elements } else { nil } }

  /// The text, if this is one.
  package var string: String? { if case .text(let text) = self { text } else { nil } }

  /// Whether the value counts as true where a truth value is made of it.
  package var isTrue: Bool {
    switch self {
    case .null: false
    case .bool(let isTrue): isTrue
    case .number(let number): number != 0 && !number.isNaN
    case .text(let text): !text.isEmpty
    default: true
    }
  }

  /// The value as labels write it.
  package var text: String {
    switch self {
    case .null: ""
    case .text(let text): text
    case .color(let color): color.description
    case .formatted(let formatted): formatted.text
    case .image(let image): image.name
    default: json.flatMap { Self.written($0) } ?? ""
    }
  }

  /// The value as a document holds it; `nil` for what documents cannot hold.
  var json: JSONValue? {
    switch self {
    case .null: .null
    case .bool(let isTrue): .bool(isTrue)
    case .number(let number): .number(number)
    case .text(let text): .string(text)
    case .color(let color): .string(color.description)
    case .list(let elements): .array(elements.map { $0.json ?? .null })
    case .object(let object): .object(object)
    case .padding(let numbers), .numberArray(let numbers): .array(numbers.map(JSONValue.number))
    case .colorArray(let colors): .array(colors.map { .string($0.description) })
    case .anchorOffsets(let places):
      .array(places.flatMap { [.string($0.anchor), .array([.number($0.x), .number($0.y)])] })
    case .projection(let from, let to, let transition):
      .array([.string(from), .string(to), .number(transition)])
    case .image(let image): .string(image.name)
    case .formatted, .collator: nil
    }
  }

  private static func written(_ json: JSONValue) -> String {
    switch json {
    case .integer(let number): written(Double(number))
    case .number(let number): written(number)
    case .array(let elements): "[" + elements.map(written).joined(separator: ",") + "]"
    case .object(let object):
      "{"
        + object.members.map { JSONValue.string($0.name).text() + ":" + written($0.value) }
        .joined(separator: ",") + "}"
    default: json.text()
    }
  }

  /// A number in the shortest digits that say it, without an exponent where people would not write
  /// one.
  package static func written(_ number: Double) -> String {
    guard number.isFinite else {
      return number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity"
    }
    if let whole = Int64(exactly: number), abs(number) < 1e15 { return String(whole) }
    let text = "\(number)"
    let parts = text.lowercased().split(separator: "e")
    guard parts.count == 2, let exponent = Int(parts[1]) else {
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
    let mantissa = parts[0].hasSuffix(".0") ? parts[0].dropLast(2) : parts[0]
    guard (-6..<21).contains(exponent) else {
      return "\(mantissa)e\(exponent < 0 ? "-" : "+")\(abs(exponent))"
    }
    return positional(mantissa, exponent)
  }

  private static func positional(_ mantissa: Substring, _ exponent: Int) -> String {
    let sign = mantissa.hasPrefix("-") ? "-" : ""
    let parts = mantissa.drop { $0 == "-" }.split(separator: ".")
    let digits = parts.joined()
    let point = (parts.first?.count ?? 0) + exponent
    if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
    if point >= digits.count {
      return sign + digits + String(repeating: "0", count: point - digits.count)
    }
    return sign + digits.prefix(point) + "." + digits.dropFirst(point)
  }

  /// The number that the value is or says; `nil` if it says none.
  var convertedNumber: Double? {
    switch self {
    case .null: return 0
    case .bool(let isTrue): return isTrue ? 1 : 0
    case .number(let number): return number.isNaN ? nil : number
    case .list(let elements):
      guard elements.count == 1 else { return elements.isEmpty ? 0 : nil }
      return elements[0].list == nil ? Self.parsed(elements[0].text) : nil
    case .text(let text): return Self.parsed(text)
    default: return nil
    }
  }

  private static func parsed(_ text: String) -> Double? {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if text.isEmpty { return 0 }
    guard text.utf8.count <= 400 else { return nil }
    if let radix = radixes[text.prefix(2).lowercased()] {
      return whole(text.dropFirst(2), radix: radix)
    }
    if ["Infinity", "+Infinity"].contains(text) { return .infinity }
    if text == "-Infinity" { return -.infinity }
    guard text.utf8.allSatisfy({ "0123456789.+-eE".utf8.contains($0) }) else { return nil }
    return Double(text)
  }

  /// The radix of each prefix.
  private static let radixes = ["0x": 16, "0o": 8, "0b": 2]

  private static func whole(_ digits: Substring, radix: Int) -> Double? {
    guard !digits.isEmpty else { return nil }
    var number = 0.0
    for digit in digits {
      guard let value = digit.isASCII ? digit.hexDigitValue : nil, value < radix else {
        return nil
      }
      number = number * Double(radix) + Double(value)
    }
    return number
  }
}
