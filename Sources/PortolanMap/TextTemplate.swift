/// Texts with the names of values in braces: `{NAME} ({POP_2020} people)`.
enum TextTemplate {
  /// The longest name that is looked for.
  private static let maximumNameLength = 300

  /// Replaces each `{name}` by what `value` says; where it says nothing, the text stays.
  static func fill(_ template: String, value: (String) -> String?) -> String {
    var result = ""
    var rest = template[...]
    while let start = rest.firstIndex(of: "{") {
      result += rest[..<start]
      let inside = rest[rest.index(after: start)...].prefix(maximumNameLength)
      let name = inside.prefix { $0 != "}" && $0 != "{" }
      let isClosed = name.endIndex < inside.endIndex && inside[name.endIndex] == "}"
      if isClosed, let text = value(String(name).trimmingBlanks()) {
        result += text
        rest = rest[rest.index(after: name.endIndex)...]
      } else {
        result += "{"
        rest = rest[rest.index(after: start)...]
      }
    }
    return result + rest
  }
}
