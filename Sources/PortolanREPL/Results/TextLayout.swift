/// Lays text out for a terminal or a file.
struct TextLayout {
  /// The number of columns, or `nil` where lines may be of any length.
  let width: Int?
  /// Whether titles are set off by colour.
  let usesColor: Bool

  /// The text, each line with its end.
  func text(of document: TextDocument) -> String {
    document.blocks.flatMap(lines).map { $0 + "\n" }.joined()
  }

  private func lines(of block: TextDocument.Block) -> [String] {
    switch block {
    case .heading(let title): [bold(title.withoutControlCharacters)]
    case .line(let line): [line.withoutControlCharacters]
    case .paragraph(let text, let indent): wrapped(text, indent: indent)
    case .fields(let fields): lines(of: fields)
    case .table(let table):
      table.lines(width: width).enumerated().map { $0 == 0 ? bold($1) : $1 }
    case .blank: [""]
    case .picture(let lines): lines
    }
  }

  private func lines(of fields: [TextDocument.Field]) -> [String] {
    let nameWidth = fields.map(\.name.count).max() ?? 0
    return fields.map { field in
      let blanks = String(repeating: " ", count: nameWidth - field.name.count)
      return "\(field.name):\(blanks) \(field.value.withoutControlCharacters)".withoutBlanksAtEnd
    }
  }

  /// Breaks a text at blanks, at 80 columns where the width is not known.
  private func wrapped(_ text: String, indent: Int) -> [String] {
    let room = max((width ?? 80) - indent, 20)
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = ""
    for word in text.withoutControlCharacters.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > room {
        lines.append(margin + line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " " + word
    }
    return lines + [margin + line]
  }

  private func bold(_ text: String) -> String {
    usesColor ? "\u{1B}[1m\(text)\u{1B}[0m" : text
  }
}

extension String {
  /// The text without blanks at its end.
  var withoutBlanksAtEnd: String { String(reversed().drop { $0 == " " }.reversed()) }

  /// The text with a blank for each control character.
  ///
  /// Names come from files; an escape sequence in one must not reach the terminal.
  var withoutControlCharacters: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    var result = UnicodeScalarView()
    for scalar in unicodeScalars { result.append(scalar.isControl ? " " : scalar) }
    return String(result)
  }
}

extension Unicode.Scalar {
  /// Whether a terminal may take this for a command: C0, DEL and C1.
  fileprivate var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}
