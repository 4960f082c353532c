extension ExpressionFunction {
  /// Texts and lists that functions make are not longer.
  private static let maximumLength = 10_000

  static let texts: [String: [ExpressionFunction]] = [
    "typeof": [
      ExpressionFunction(.string, .exactly([.value])) { values, _ throws(EvaluationFault) in
        .text(values[0].type.description)
      }
    ],
    "error": [
      ExpressionFunction(.error, .exactly([.string]), needs: .environment) {
        values, _ throws(EvaluationFault) in
        throw EvaluationFault(values[0].text)
      }
    ],
    "upcase": [
      ExpressionFunction(.string, .exactly([.string])) { values, _ throws(EvaluationFault) in
        .text(values[0].text.uppercased())
      }
    ],
    "downcase": [
      ExpressionFunction(.string, .exactly([.string])) { values, _ throws(EvaluationFault) in
        .text(values[0].text.lowercasedInContext())
      }
    ],
    "concat": [
      ExpressionFunction(.string, .any(.value)) { values, _ throws(EvaluationFault) in
        .text(try joined(values.map(\.text), with: ""))
      }
    ],
    "join": [
      ExpressionFunction(.string, .exactly([.array(.string, nil), .string])) {
        values, _ throws(EvaluationFault) in
        .text(try joined((values[0].list ?? []).map(\.text), with: values[1].text))
      }
    ],
    "split": [
      ExpressionFunction(.array(.string, nil), .exactly([.string, .string])) {
        values, _ throws(EvaluationFault) in
        .list(split(values[0].text, at: values[1].text).map(StyleValue.text))
      }
    ],
    "resolved-locale": [
      ExpressionFunction(.string, .exactly([.collator])) { values, _ throws(EvaluationFault) in
        guard case .collator(let collator) = values[0] else { return .null }
        return .text(collator.locale)
      }
    ],
    // Text is shaped here whatever its script.
    "is-supported-script": [
      ExpressionFunction(.boolean, .exactly([.string]), needs: .environment) {
        _, _ throws(EvaluationFault) in
        .bool(true)
      }
    ],
  ]

  private static func joined(
    _ parts: [String], with separator: String
  ) throws(EvaluationFault) -> String {
    var length = 0
    for part in parts { length += part.utf8.count + separator.utf8.count }
    guard length <= maximumLength else {
      throw EvaluationFault("A text may have at most \(maximumLength) bytes.")
    }
    return parts.joined(separator: separator)
  }

  private static func split(_ text: String, at separator: String) -> [String] {
    if separator.isEmpty { return text.unicodeScalars.map { String($0) } }
    // Marks that follow a separator, and line feeds behind carriage returns, are letters of their own.
    return text.unicodeScalars
      .split(separator: separator.unicodeScalars, omittingEmptySubsequences: false)
      .map { String($0) }
  }
}
