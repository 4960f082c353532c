public import Foundation

extension JSONValue {
  /// How a document is laid out.
  public enum Layout: Sendable {
    /// On one line, without blanks.
    case compact
    /// Two blanks a level, a member a line.
    case indented
  }

  /// The document in UTF-8, members in their order; the same value gives the same bytes.
  ///
  /// Numbers that JSON cannot hold (infinities, not-a-number) are written as `null`.
  public func encoded(_ layout: Layout = .compact) -> Data {
    Data(text(layout).utf8)
  }

  /// The document as text; see ``encoded(_:)``.
  public func text(_ layout: Layout = .compact) -> String {
    var writer = JSONWriter(layout: layout)
    writer.write(self)
    return writer.text
  }
}

/// Writes one document.
private struct JSONWriter {
  let layout: JSONValue.Layout
  var text = ""
  private var level = 0

  init(layout: JSONValue.Layout) { self.layout = layout }

  mutating func write(_ value: JSONValue) {
    switch value {
    case .null: text += "null"
    case .bool(let isTrue): text += isTrue ? "true" : "false"
    case .integer(let number): text += String(number)
    case .number(let number): write(number)
    case .string(let string): write(string)
    case .array(let elements):
      writeList("[", "]", elements) { writer, element in writer.write(element) }
    case .object(let object):
      writeList("{", "}", object.members) { writer, member in
        writer.write(member.name)
        writer.text += writer.layout == .compact ? ":" : ": "
        writer.write(member.value)
      }
    }
  }

  private mutating func writeList<Element>(
    _ opening: String, _ closing: String, _ elements: [Element],
    _ write: (inout JSONWriter, Element) -> Void
  ) {
    text += opening
    level += 1
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      breakLine()
      write(&self, element)
    }
    level -= 1
    if !elements.isEmpty { breakLine() }
    text += closing
  }

  private mutating func breakLine() {
    guard layout == .indented else { return }
    text += "\n" + String(repeating: "  ", count: level)
  }

  private mutating func write(_ number: Double) {
    guard number.isFinite else {
      text += "null"
      return
    }
    // Whole numbers keep no ".0", as the services write them; beyond 2^53 digits would lie.
    if number == number.rounded(), abs(number) < 9_007_199_254_740_992 {
      text += number.sign == .minus && number == 0 ? "0" : String(Int64(number))
    } else {
      text += "\(number)"
    }
  }

  private mutating func write(_ string: String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{0}"..<"\u{20}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
