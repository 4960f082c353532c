extension XMLElement {
  /// The element as text, on one line; the same element gives the same text.
  ///
  /// Names are written as they are, so that they may carry prefixes; attributes are in the
  /// order of their names. Text is before the elements inside. Characters that XML cannot
  /// hold, such as most below the space, are left out.
  public var serialized: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to output: inout String) {
    output += "<\(name)"
    for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
      output += " \(name)=\""
      output += value.xmlEscaped
      output += "\""
    }
    guard !children.isEmpty || !text.isEmpty else {
      output += "/>"
      return
    }
    output += ">"
    output += text.xmlEscaped
    for child in children { child.write(to: &output) }
    output += "</\(name)>"
  }
}

extension String {
  /// The text with the characters replaced that mean something in XML.
  ///
  /// Line breaks are written as references, or else a parser would turn them into blanks where
  /// they are in attributes.
  ///
  /// - SeeAlso: [Characters](https://www.w3.org/TR/xml/#charsets)
  fileprivate var xmlEscaped: String {
    var escaped = ""
    escaped.reserveCapacity(utf8.count)
    for scalar in unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\t", "\n", "\r": escaped += "&#\(scalar.value);"
      case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": break
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
