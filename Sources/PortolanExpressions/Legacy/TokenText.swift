package import PortolanJSON

/// A text in which `{name}` is replaced by a property.
package struct TokenText {
  /// The expression that says the same.
  package let expression: JSONValue

  /// Reads a text.
  package init(_ text: String) {
    var parts: [JSONValue] = []
    var rest = text[...]
    while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
      let name = rest[rest.index(after: start)..<end]
      if start > rest.startIndex { parts.append(.string(String(rest[..<start]))) }
      parts.append(["to-string", ["get", .string(String(name))]])
      rest = rest[rest.index(after: end)...]
    }
    if !rest.isEmpty || parts.isEmpty { parts.append(.string(String(rest))) }
    expression = parts.count == 1 ? parts[0] : .array(["concat"] + parts)
  }
}
