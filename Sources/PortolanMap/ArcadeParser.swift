internal import Foundation
internal import PortolanFeatures

/// Reads the small part of Arcade that is understood, by recursive descent.
struct ArcadeParser {
  /// Parentheses and calls may not be nested deeper.
  private static let maximumDepth = 64
  /// Chains make the tree as deep as they are long, and it is walked by recursion.
  private static let maximumOperations = 1000

  private var rest: Substring
  private var depth = 0
  private var operations = 0

  init(_ text: String) { rest = text[...] }

  /// The whole text as one expression.
  mutating func expression() throws(ArcadeFailure) -> ArcadeTerm {
    if skipWord("return") { skipBlanks() }
    let term = try sum()
    skipBlanks()
    while skip(";") { skipBlanks() }
    guard rest.isEmpty else { throw notUnderstood() }
    return term
  }

  private mutating func sum() throws(ArcadeFailure) -> ArcadeTerm {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { throw notUnderstood() }
    var term = try product()
    while let sign = skip(oneOf: "+-") {
      try countOperation()
      term = .operation(sign, term, try product())
    }
    return term
  }

  private mutating func product() throws(ArcadeFailure) -> ArcadeTerm {
    var term = try factor()
    while let sign = skip(oneOf: "*/") {
      try countOperation()
      term = .operation(sign, term, try factor())
    }
    return term
  }

  private mutating func countOperation() throws(ArcadeFailure) {
    operations += 1
    guard operations <= Self.maximumOperations else { throw notUnderstood() }
  }

  private mutating func factor() throws(ArcadeFailure) -> ArcadeTerm {
    skipBlanks()
    if skip("-") { return .negation(try primary()) }
    return try primary()
  }

  private mutating func primary() throws(ArcadeFailure) -> ArcadeTerm {
    skipBlanks()
    guard let first = rest.first else { throw notUnderstood() }
    if first == "(" { return try parenthesized() }
    if first == "\"" || first == "'" { return .literal(.text(try quoted())) }
    if first.isASCII, first.isNumber || first == "." { return .literal(.double(try number())) }
    if first == "$" { return try field() }
    let name = word().lowercased()
    if name == "null" { return .literal(.null) }
    guard let function = ArcadeExpression.Function(rawValue: name) else { throw notUnderstood() }
    return .call(function, try arguments())
  }

  private mutating func parenthesized() throws(ArcadeFailure) -> ArcadeTerm {
    rest.removeFirst()
    let term = try sum()
    skipBlanks()
    guard skip(")") else { throw notUnderstood() }
    return term
  }

  private mutating func arguments() throws(ArcadeFailure) -> [ArcadeTerm] {
    skipBlanks()
    guard skip("(") else { throw notUnderstood() }
    var arguments: [ArcadeTerm] = []
    repeat { arguments.append(try sum()) } while skip(oneOf: ",") != nil
    guard skip(")") else { throw notUnderstood() }
    return arguments
  }

  /// `$feature.NAME` or `$feature["NAME"]`.
  private mutating func field() throws(ArcadeFailure) -> ArcadeTerm {
    rest.removeFirst()
    guard word().lowercased() == "feature" else { throw notUnderstood() }
    if skip(".") {
      let name = word()
      guard !name.isEmpty else { throw notUnderstood() }
      return .field(name)
    }
    guard skip("["), let quote = rest.first, quote == "\"" || quote == "'" else {
      throw notUnderstood()
    }
    let name = try quoted()
    guard skip("]") else { throw notUnderstood() }
    return .field(name)
  }

  private mutating func quoted() throws(ArcadeFailure) -> String {
    let quote = rest.removeFirst()
    guard let end = rest.firstIndex(of: quote), !rest[..<end].contains("\\") else {
      throw notUnderstood()
    }
    defer { rest = rest[rest.index(after: end)...] }
    return String(rest[..<end])
  }

  private mutating func number() throws(ArcadeFailure) -> Double {
    let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let number = Double(digits), digits.count <= 30 else { throw notUnderstood() }
    rest = rest[digits.endIndex...]
    return number
  }

  private mutating func word() -> String {
    let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    rest = rest[word.endIndex...]
    return String(word)
  }

  private mutating func skipWord(_ name: String) -> Bool {
    skipBlanks()
    guard rest.prefix(name.count).lowercased() == name else { return false }
    let end = rest.index(rest.startIndex, offsetBy: name.count)
    guard end < rest.endIndex, rest[end].isWhitespace else { return false }
    rest = rest[end...]
    return true
  }

  private mutating func skip(_ character: Character) -> Bool {
    guard rest.first == character else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func skip(oneOf characters: String) -> Character? {
    skipBlanks()
    guard let first = rest.first, characters.contains(first) else { return nil }
    rest.removeFirst()
    return first
  }

  /// White space, and comments to the end of the line or between `/*` and `*/`.
  private mutating func skipBlanks() {
    while true {
      rest = rest.drop(while: \.isWhitespace)
      if rest.hasPrefix("//") {
        rest = rest.drop { !$0.isNewline }
      } else if rest.hasPrefix("/*"), let end = rest.range(of: "*/") {
        rest = rest[end.upperBound...]
      } else {
        return
      }
    }
  }

  private func notUnderstood() -> ArcadeFailure {
    let place = rest.prefix(20)
    return ArcadeFailure(
      reason: place.isEmpty
        ? "The Arcade expression ends too early."
        : "This part of Arcade is not evaluated: \"\(place)\".")
  }
}
