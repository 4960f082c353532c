internal import Foundation

/// Splits the text of an expression into tokens.
struct ArcadeLexer {
  /// Expressions of maps are a few thousand characters long.
  static let maximumLength = 100_000
  /// Template literals may be in template literals, but not without end.
  private static let maximumDepth = 16

  let scalars: [Unicode.Scalar]
  private var position = 0
  private var followsNewLine = false
  private var depth = 0

  init(_ text: String) throws(ArcadeError) {
    guard text.utf8.count <= Self.maximumLength else { throw .tooLong }
    scalars = Array(text.unicodeScalars)
  }

  /// All tokens, the last of which is the end.
  mutating func tokens() throws(ArcadeError) -> [ArcadeToken] {
    try tokens(inTemplate: false)
  }

  private mutating func tokens(inTemplate: Bool) throws(ArcadeError) -> [ArcadeToken] {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { throw .tooDeep }
    var tokens: [ArcadeToken] = []
    var openBraces = 0
    while true {
      try skipBlanks()
      let start = position
      let isLast = position >= scalars.count
      if inTemplate, isLast { throw syntaxError(at: start) }
      if inTemplate, !isLast, scalars[position] == "}", openBraces == 0 {
        position += 1
        tokens.append(ArcadeToken(kind: .end, offset: start, followsNewLine: followsNewLine))
        return tokens
      }
      let kind = try isLast ? .end : kind()
      if kind == .symbol("{") { openBraces += 1 }
      if kind == .symbol("}") { openBraces -= 1 }
      tokens.append(ArcadeToken(kind: kind, offset: start, followsNewLine: followsNewLine))
      followsNewLine = false
      if kind == .end { return tokens }
    }
  }

  private mutating func kind() throws(ArcadeError) -> ArcadeToken.Kind {
    let first = scalars[position]
    if first == "\"" || first == "'" { return .text(try quoted(first)) }
    if first == "`" { return .template(try template()) }
    if first.isDigit || (first == "." && peek(1)?.isDigit == true) { return .number(try number()) }
    if first.isNameStart { return .name(name()) }
    return try symbol()
  }

  // MARK: Blanks and comments

  private mutating func skipBlanks() throws(ArcadeError) {
    while position < scalars.count {
      let scalar = scalars[position]
      if scalar.isLineEnd { followsNewLine = true }
      if scalar.properties.isWhitespace || scalar == "\u{FEFF}" {
        position += 1
      } else if scalar == "/", peek(1) == "/" {
        while position < scalars.count, !scalars[position].isLineEnd { position += 1 }
      } else if scalar == "/", peek(1) == "*" {
        try skipComment()
      } else {
        return
      }
    }
  }

  private mutating func skipComment() throws(ArcadeError) {
    let start = position
    position += 2
    while position < scalars.count {
      if scalars[position] == "*", peek(1) == "/" {
        position += 2
        return
      }
      if scalars[position].isLineEnd { followsNewLine = true }
      position += 1
    }
    throw syntaxError(at: start)
  }

  // MARK: Numbers, names and symbols

  private mutating func number() throws(ArcadeError) -> Double {
    let start = position
    skipDigits()
    if peek(0) == "." {
      position += 1
      skipDigits()
    }
    if let letter = peek(0), letter == "e" || letter == "E" {
      let sign = peek(1)
      position += sign == "+" || sign == "-" ? 2 : 1
      skipDigits()
    }
    let digits = String(String.UnicodeScalarView(scalars[start..<position]))
    let isFollowedByName = peek(0)?.isNameStart ?? false
    guard position - start <= 60, let number = Double(digits), number.isFinite, !isFollowedByName
    else { throw syntaxError(at: start) }
    return number
  }

  private mutating func skipDigits() {
    while let scalar = peek(0), scalar.isDigit { position += 1 }
  }

  private mutating func name() -> String {
    let start = position
    position += 1
    while let scalar = peek(0), scalar.isNamePart { position += 1 }
    return String(String.UnicodeScalarView(scalars[start..<position]))
  }

  /// Those of Arcade, longer ones first; and those of JavaScript that Arcade does not have, so
  /// that they are not read as two others.
  private static let symbols = [
    "===", "!==", ">>>", "**=", "=>", "==", "!=", "<=", ">=", "&&", "||", "++", "--", "+=", "-=",
    "*=", "/=", "%=", "<<", ">>", "**", "??", "?.", "(", ")", "[", "]", "{", "}", ",", ";", ":",
    ".", "+", "-", "*", "/", "%", "<", ">", "=", "!", "&", "|", "^", "~", "?",
  ].map { Array($0.unicodeScalars) }
  private static let symbolsByFirst = Dictionary(grouping: symbols, by: \.[0])

  private mutating func symbol() throws(ArcadeError) -> ArcadeToken.Kind {
    let rest = scalars[position...]
    let candidates = Self.symbolsByFirst[scalars[position]] ?? []
    guard let found = candidates.first(where: { rest.starts(with: $0) }) else {
      throw syntaxError(at: position)
    }
    position += found.count
    return .symbol(String(String.UnicodeScalarView(found)))
  }

  // MARK: Texts

  private mutating func quoted(_ quote: Unicode.Scalar) throws(ArcadeError) -> String {
    let start = position
    position += 1
    var text = String.UnicodeScalarView()
    while let scalar = peek(0), !scalar.isLineEnd {
      position += 1
      if scalar == quote { return String(text) }
      text.append(contentsOf: try scalar == "\\" ? escaped() : [scalar])
    }
    throw syntaxError(at: start)
  }

  private mutating func template() throws(ArcadeError) -> [ArcadeToken.Part] {
    let start = position
    position += 1
    var parts: [ArcadeToken.Part] = []
    var text = String.UnicodeScalarView()
    while let scalar = peek(0) {
      position += 1
      if scalar == "`" {
        parts.append(.text(String(text)))
        return parts
      }
      if scalar == "$", peek(0) == "{" {
        position += 1
        parts.append(.text(String(text)))
        text = String.UnicodeScalarView()
        parts.append(.tokens(try tokens(inTemplate: true)))
        followsNewLine = false
      } else {
        text.append(contentsOf: try scalar == "\\" ? escaped() : [scalar])
      }
    }
    throw syntaxError(at: start)
  }

  /// The characters of the escape sequence after a backslash.
  private mutating func escaped() throws(ArcadeError) -> [Unicode.Scalar] {
    guard let scalar = peek(0) else { throw syntaxError(at: position) }
    position += 1
    switch scalar {
    case "n": return ["\n"]
    case "t": return ["\t"]
    case "r": return ["\r"]
    case "b": return ["\u{8}"]
    case "f": return ["\u{C}"]
    case "v": return ["\u{B}"]
    case "u": return [try hexadecimal(digits: 4)]
    case "x": return [try hexadecimal(digits: 2)]
    case _ where scalar.isDigit || scalar.isLineEnd: throw syntaxError(at: position - 2)
    default: return [scalar]
    }
  }

  private mutating func hexadecimal(digits: Int) throws(ArcadeError) -> Unicode.Scalar {
    let end = min(position + digits, scalars.count)
    let text = String(String.UnicodeScalarView(scalars[position..<end]))
    guard text.utf8.count == digits, text.allSatisfy(\.isHexDigit),
      let value = UInt32(text, radix: 16), let scalar = Unicode.Scalar(value)
    else { throw syntaxError(at: position - 2) }
    position = end
    return scalar
  }

  private func peek(_ distance: Int) -> Unicode.Scalar? {
    position + distance < scalars.count ? scalars[position + distance] : nil
  }

  func syntaxError(at offset: Int) -> ArcadeError {
    let end = min(offset + 20, scalars.count)
    return .syntax(near: String(String.UnicodeScalarView(scalars[min(offset, end)..<end])))
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
  fileprivate var isLineEnd: Bool { self == "\n" || self == "\r" || self == "\u{2028}" }
  fileprivate var isNameStart: Bool { self == "_" || self == "$" || properties.isAlphabetic }
  fileprivate var isNamePart: Bool { isNameStart || isDigit }
}
