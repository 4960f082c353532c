internal import Foundation
internal import PortolanFeatures

/// Texts and names of fields in turn, as label expressions that only join them come down to.
struct LabelTemplate: Hashable, Sendable {
  enum Part: Hashable, Sendable {
    case text(String)
    case field(String)
  }

  private(set) var parts: [Part] = []

  var fields: [String] {
    parts.compactMap { if case .field(let name) = $0 { name } else { nil } }
  }

  /// The whole with each field replaced.
  func text(_ value: (String) -> String) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .field(let name): value(name)
      }
    }.joined()
  }

  /// A text with `{FIELD}` in it; braces around anything else stay.
  static func braces(_ text: String) -> LabelTemplate {
    var template = LabelTemplate()
    var rest = text[...]
    while let start = rest.firstIndex(of: "{"),
      let end = rest[start...].firstIndex(of: "}")
    {
      let name = String(rest[rest.index(after: start)..<end]).trimmingBlanks()
      template.parts.append(.text(String(rest[..<start])))
      template.parts.append(
        isName(name) ? .field(name) : .text(String(rest[start...end])))
      rest = rest[rest.index(after: end)...]
    }
    template.parts.append(.text(String(rest)))
    return template
  }

  /// The older form: fields in brackets and quoted texts, joined by `CONCAT`, `&` or `+`.
  ///
  /// Also the form of the print service, a bare text with `{FIELD}`. `nil` for anything else.
  static func legacy(_ text: String) -> LabelTemplate? {
    if text.contains("{"), !text.contains("[") { return braces(text) }
    var template = LabelTemplate()
    var rest = Substring(text.trimmingBlanks())
    while !rest.isEmpty {
      guard let part = part(&rest) else { return nil }
      template.parts.append(part)
      rest = rest.drop(while: \.isWhitespace)
      guard !rest.isEmpty else { break }
      guard skipOperator(&rest) else { return nil }
      rest = rest.drop(while: \.isWhitespace)
      guard !rest.isEmpty else { return nil }
    }
    return template.parts.isEmpty ? nil : template
  }

  private static func part(_ rest: inout Substring) -> Part? {
    guard let first = rest.first else { return nil }
    let closing: Character
    switch first {
    case "[": closing = "]"
    case "\"", "'": closing = first
    default:
      let newLines = ["vbnewline", "vbcrlf", "newline"]
      let word = rest.prefix { $0.isLetter }
      guard newLines.contains(word.lowercased()) else { return nil }
      rest = rest[word.endIndex...]
      return .text("\n")
    }
    let inside = rest.dropFirst()
    guard let end = inside.firstIndex(of: closing) else { return nil }
    let content = String(inside[..<end])
    rest = inside[inside.index(after: end)...]
    return first == "[" ? .field(content) : .text(content)
  }

  private static func skipOperator(_ rest: inout Substring) -> Bool {
    if rest.first == "&" || rest.first == "+" {
      rest.removeFirst()
      return true
    }
    guard rest.prefix(6).lowercased() == "concat" else { return false }
    rest = rest.dropFirst(6)
    return true
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || "_.$".contains($0) }
  }

  /// A value as labels write it.
  static func text(of value: AttributeValue) -> String {
    switch value {
    case .null, .blob: ""
    case .integer(let number): String(number)
    case .double(let number): DecimalText.shortest(number)
    case .text(let text): text
    case .date(let date): PopupDateFormat(.shortDate).text(of: date, in: .gmt)
    }
  }
}
