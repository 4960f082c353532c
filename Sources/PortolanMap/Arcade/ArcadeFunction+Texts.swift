internal import Foundation

extension ArcadeFunction {
  static let texts: [ArcadeFunction] = [
    ArcadeFunction("Text", 1...2, text),
    ArcadeFunction("Concatenate", 1...many, concatenate),
    ArcadeFunction("Upper", 1...1) { evaluator, values throws(ArcadeError) in
      try evaluator.made(try evaluator.text(of: values[0]).uppercased())
    },
    ArcadeFunction("Lower", 1...1) { evaluator, values throws(ArcadeError) in
      try evaluator.made(try evaluator.text(of: values[0]).lowercased())
    },
    ArcadeFunction("Trim", 1...1) { evaluator, values throws(ArcadeError) in
      try evaluator.made(try evaluator.text(of: values[0]).trimmingBlanks())
    },
    ArcadeFunction("Proper", 1...2, proper),
    ArcadeFunction("Left", 2...2) { evaluator, values throws(ArcadeError) in
      let units = Array(try evaluator.text(of: values[0]).utf16)
      return try evaluator.made(String(utf16: units.prefix(max(0, try values[1].integer()))))
    },
    ArcadeFunction("Right", 2...2) { evaluator, values throws(ArcadeError) in
      let units = Array(try evaluator.text(of: values[0]).utf16)
      return try evaluator.made(String(utf16: units.suffix(max(0, try values[1].integer()))))
    },
    ArcadeFunction("Mid", 2...3, middle),
    ArcadeFunction("Find", 2...3, find),
    ArcadeFunction("Replace", 3...4, replace),
    ArcadeFunction("Split", 2...4, split),
  ]

  private static let text: Body = { evaluator, values throws(ArcadeError) in
    guard values.count == 2 else { return try evaluator.made(try evaluator.text(of: values[0])) }
    return try evaluator.made(try evaluator.formatted(values[0], values[1]))
  }

  /// Texts, or the elements of an array with a text between them.
  private static let concatenate: Body = { evaluator, values throws(ArcadeError) in
    guard case .array(let place) = values[0] else {
      return try evaluator.made(try evaluator.text(joining: values))
    }
    guard values.count <= 3 else {
      throw .wrongCount(function: "Concatenate", count: values.count)
    }
    let separator = values.count > 1 ? values[1] : .text("")
    var parts: [ArcadeValue] = []
    for element in evaluator.elements(place) {
      if !parts.isEmpty { parts.append(separator) }
      parts.append(
        values.count == 3 ? .text(try evaluator.formatted(element, values[2])) : element)
    }
    return try evaluator.made(try evaluator.text(joining: parts))
  }

  private static let proper: Body = { evaluator, values throws(ArcadeError) in
    let mode = values.count > 1 ? try evaluator.text(of: values[1]).lowercased() : "everyword"
    guard ["everyword", "firstword"].contains(mode) else {
      throw .notSupported("Proper as \(mode)")
    }
    var isStart = true
    let text = try evaluator.text(of: values[0]).lowercased()
    let proper = text.map { character -> String in
      defer { isStart = character.isWhitespace ? isStart || mode == "everyword" : false }
      return isStart ? character.uppercased() : String(character)
    }
    return try evaluator.made(proper.joined())
  }

  private static let middle: Body = { evaluator, values throws(ArcadeError) in
    let units = Array(try evaluator.text(of: values[0]).utf16)
    let start = max(0, try values[1].integer())
    let count = values.count > 2 ? max(0, try values[2].integer()) : units.count
    return try evaluator.made(String(utf16: units.dropFirst(start).prefix(count)))
  }

  /// The place of a text in another, -1 without.
  private static let find: Body = { evaluator, values throws(ArcadeError) in
    let sought = Array(try evaluator.text(of: values[0]).utf16)
    let text = Array(try evaluator.text(of: values[1]).utf16)
    let start = values.count > 2 ? max(0, try values[2].integer()) : 0
    try evaluator.spend(1 + text.count / 16)
    guard start + sought.count <= text.count else { return .number(-1) }
    let place = (start...text.count - sought.count).first { text[$0...].starts(with: sought) }
    return .number(Double(place ?? -1))
  }

  private static let replace: Body = { evaluator, values throws(ArcadeError) in
    if case .array = values[0] { throw .notSupported("Replace in an array") }
    let text = try evaluator.text(of: values[0])
    let sought = try evaluator.text(of: values[1])
    let replacement = try evaluator.text(of: values[2])
    let replacesAll = values.count > 3 ? try values[3].condition() : true
    guard !sought.isEmpty else { return values[0] }
    let parts = text.pieces(between: sought, limit: replacesAll ? nil : 1)
    guard parts.count * replacement.utf8.count <= ArcadeEvaluator.maximumLength else {
      throw .tooLong
    }
    return try evaluator.made(parts.joined(separator: replacement))
  }

  private static let split: Body = { evaluator, values throws(ArcadeError) in
    let separator = try evaluator.text(of: values[1])
    let limit = values.count > 2 ? try values[2].integer() : -1
    let dropsEmpty = values.count > 3 ? try values[3].condition() : false
    guard !separator.isEmpty else { throw .notSupported("Split without a separator") }
    var parts = try evaluator.text(of: values[0]).pieces(between: separator, limit: nil)
    if dropsEmpty { parts.removeAll(where: \.isEmpty) }
    if limit >= 0 { parts = Array(parts.prefix(limit)) }
    return try evaluator.made(parts.map { .text($0) })
  }
}

extension ArcadeEvaluator {
  /// A number or a date by a pattern; other values have none.
  fileprivate func formatted(
    _ value: ArcadeValue, _ format: ArcadeValue
  ) throws(ArcadeError) -> String {
    let pattern = try text(of: format)
    guard !pattern.isEmpty else { return try text(of: value) }
    switch value {
    case .number(let number): return try ArcadeNumberFormat.text(number, pattern)
    case .date(let date): return try ArcadeDateFormat.text(date, pattern)
    default: return try text(of: value)
    }
  }
}

extension String {
  /// The parts between the occurrences of `separator`, of which no more than `limit` count.
  fileprivate func pieces(between separator: String, limit: Int?) -> [String] {
    let units = Array(utf16)
    let sought = Array(separator.utf16)
    var pieces: [String] = []
    var start = 0
    var position = 0
    while position + sought.count <= units.count, pieces.count < limit ?? .max {
      if units[position...].starts(with: sought) {
        pieces.append(String(utf16: units[start..<position]))
        position += sought.count
        start = position
      } else {
        position += 1
      }
    }
    return pieces + [String(utf16: units[start...])]
  }
}
