package import PortolanJSON

/// A text in which `{name}` is replaced by a property.
package struct TokenText {
  /// The expression that says the same.
  package let expression: JSONValue

  /// Reads a text; braces that hold nothing, or have no other end, are letters of it.
  package init(_ text: String) {
    var parts: [JSONValue] = []
    var plain = ""
    var rest = text[...]
    while let end = rest.firstIndex(of: "}") {
      let start = rest[..<end].lastIndex(of: "{")
      if let start, rest.index(after: start) < end {
        plain += rest[..<start]
        if !plain.isEmpty { parts.append(.string(plain)) }
        plain = ""
        parts.append(["to-string", ["get", .string(String(rest[rest.index(after: start)..<end]))]])
      } else {
        plain += rest[...end]
      }
      rest = rest[rest.index(after: end)...]
    }
    plain += rest
    if !plain.isEmpty || parts.isEmpty { parts.append(.string(plain)) }
    expression = parts.count == 1 ? parts[0] : .array(["concat"] + parts)
  }
}
