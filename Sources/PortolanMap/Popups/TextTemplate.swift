/// Texts with the names of values in braces: `{NAME} ({POP_2020} people)`.
enum TextTemplate {
  /// The longest name that is looked for.
  private static let maximumNameLength = 300
  /// The longest text that comes out, in bytes; short templates can name long values many times.
  static let maximumLength = 1_000_000

  /// Replaces each `{name}` by what `value` says; where it says nothing, the text stays.
  ///
  /// Each name is requested once. A text that grows too long ends with an ellipsis.
  static func fill(_ template: String, value: (String) -> String?) -> String {
    var result = ""
    var known: [String: String?] = [:]
    var rest = template[...]
    while let start = rest.firstIndex(of: "{") {
      guard result.utf8.count <= maximumLength else { return result + "…" }
      result += rest[..<start]
      let inside = rest[rest.index(after: start)...].prefix(maximumNameLength)
      let name = inside.prefix { $0 != "}" && $0 != "{" }
      let isClosed = name.endIndex < inside.endIndex && inside[name.endIndex] == "}"
      if isClosed, let text = text(String(name).trimmingBlanks(), &known, value) {
        result += text
        rest = rest[rest.index(after: name.endIndex)...]
      } else {
        result += "{"
        rest = rest[rest.index(after: start)...]
      }
    }
    return result + rest
  }

  private static func text(
    _ name: String, _ known: inout [String: String?], _ value: (String) -> String?
  ) -> String? {
    if let found = known[name] { return found }
    let text = value(name)
    known[name] = .some(text)
    return text
  }
}
