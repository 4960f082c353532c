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
    case .entries(let entries): lines(ofEntries: entries)
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
      let value = field.value.withoutControlCharacters
      let shown = width == nil ? value : value.isolated
      return "\(field.name):\(blanks) \(shown)".withoutBlanksAtEnd
    }
  }

  /// A meaning is beside its name and, where no line of it would have room there, below it.
  private func lines(ofEntries entries: [TextDocument.Field]) -> [String] {
    let nameWidth = entries.map(\.name.count).max() ?? 0
    let indent = nameWidth + 4
    return entries.flatMap { entry -> [String] in
      let name = "  \(entry.name)".withoutControlCharacters
      if let width, width < indent + Self.leastRoom {
        return [name] + wrapped(entry.value, indent: 6)
      }
      let beginning = name + String(repeating: " ", count: indent - name.count)
      guard width != nil else { return [beginning + entry.value.withoutControlCharacters] }
      let lines = wrapped(entry.value, indent: indent)
      return [beginning + String(lines[0].dropFirst(indent))] + lines.dropFirst()
    }
  }

  /// The minimum number of columns of a meaning beside its name.
  private static let leastRoom = 24

  /// Breaks a text at blanks, at 80 columns where the width is not known.
  private func wrapped(_ text: String, indent: Int) -> [String] {
    let room = max((width ?? 80) - indent, 20)
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = ""
    for word in text.withoutControlCharacters.split(separator: " ") {
      if !line.isEmpty, line.terminalWidth + 1 + String(word).terminalWidth > room {
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

  /// The text with a blank for each control character, and without those that change the direction of
  /// what follows.
  ///
  /// Names come from files; an escape sequence in one must not reach the terminal, nor turn the rest of
  /// its line around.
  var withoutControlCharacters: String {
    guard unicodeScalars.contains(where: { $0.isControl || $0.changesDirection }) else {
      return self
    }
    var result = UnicodeScalarView()
    for scalar in unicodeScalars where !scalar.changesDirection {
      result.append(scalar.isControl ? " " : scalar)
    }
    return String(result)
  }

  /// The text as one piece for a terminal that shows letters of both directions, so that those from
  /// right to left do not affect the text beside it.
  ///
  /// - SeeAlso: [UAX #9, First Strong Isolate](https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates)
  var isolated: String {
    unicodeScalars.contains(where: \.isRightToLeft) ? "\u{2068}\(self)\u{2069}" : self
  }
}

extension Unicode.Scalar {
  /// Whether a terminal may take this for a command: C0, DEL and C1.
  fileprivate var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }

  /// Whether it begins or ends a piece of another direction: an embedding, an override or an isolate.
  fileprivate var changesDirection: Bool {
    (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
  }

  /// Whether it is of a block of letters that run from right to left: Hebrew, Arabic and their kin.
  fileprivate var isRightToLeft: Bool {
    switch value {
    case 0x0590...0x08FF, 0x200F, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF,
      0x1E800...0x1EFFF:
      true
    default: false
    }
  }
}
