/// The directions of the parts of a text: a plain reading of the Unicode algorithm, without
/// embeddings and isolates.
///
/// - SeeAlso: [Unicode Bidirectional Algorithm](https://www.unicode.org/reports/tr9/)
enum TextDirection {
  private enum Kind { case left, right, number, separator, neutral }

  /// The level of each letter: odd ones run from right to left.
  static func levels(_ text: [Unicode.Scalar]) -> [Int] {
    let kinds = withSeparators(text.map(kind))
    guard kinds.contains(.right) else { return text.map { _ in 0 } }
    let base = kinds.first { $0 == .left || $0 == .right } == .right ? 1 : 0
    var levels: [Int?] = []
    var last = base == 1 ? Kind.right : .left
    for kind in kinds {
      switch kind {
      case .left: levels.append(base == 1 ? 2 : 0)
      case .right: levels.append(1)
      case .number: levels.append(base == 1 || last == .right ? 2 : 0)
      case .separator, .neutral: levels.append(nil)
      }
      if kind == .left || kind == .right { last = kind }
    }
    return resolved(levels, kinds, base)
  }

  /// Characters between two parts of one direction have it too, else that of the whole.
  private static func resolved(_ levels: [Int?], _ kinds: [Kind], _ base: Int) -> [Int] {
    var result: [Int] = []
    var index = 0
    while index < levels.count {
      if let level = levels[index] {
        result.append(level)
        index += 1
        continue
      }
      let end = levels[index...].firstIndex { $0 != nil } ?? levels.count
      let before = index > 0 ? isRight(kinds[index - 1], levels[index - 1]) : base == 1
      let after = end < levels.count ? isRight(kinds[end], levels[end]) : base == 1
      let level = before != after ? base : before ? 1 : base == 1 ? 2 : 0
      result += repeatElement(level, count: end - index)
      index = end
    }
    return result
  }

  /// Whether a part counts as one from right to left; numbers in such text do.
  private static func isRight(_ kind: Kind, _ level: Int?) -> Bool {
    kind == .right || (kind == .number && level == 2)
  }

  /// The letters of a line from left to right, by their levels.
  static func visual<Letter>(
    _ letters: ArraySlice<Letter>, level: (Letter) -> Int
  ) -> [Letter] {
    var letters = Array(letters)
    let highest = letters.map(level).max() ?? 0
    for turned in stride(from: highest, to: 0, by: -1) {
      var start = 0
      while start < letters.count {
        let end = letters[start...].firstIndex { level($0) < turned } ?? letters.count
        letters[start..<end].reverse()
        start = end + 1
      }
    }
    return letters
  }

  /// The letter that looks like another in a mirror, as brackets do.
  static func mirrored(_ scalar: Unicode.Scalar) -> Unicode.Scalar { mirrors[scalar] ?? scalar }

  private static let mirrors: [Unicode.Scalar: Unicode.Scalar] = [
    "(": ")", ")": "(", "[": "]", "]": "[", "{": "}", "}": "{", "<": ">", ">": "<",
    "\u{AB}": "\u{BB}", "\u{BB}": "\u{AB}", "‹": "›", "›": "‹",
  ]

  /// A separator between two digits belongs to the number.
  private static func withSeparators(_ kinds: [Kind]) -> [Kind] {
    kinds.indices.map { index in
      guard kinds[index] == .separator else { return kinds[index] }
      let isInside =
        index > 0 && index + 1 < kinds.count && kinds[index - 1] == .number
        && kinds[index + 1] == .number
      return isInside ? .number : .neutral
    }
  }

  private static func kind(_ scalar: Unicode.Scalar) -> Kind {
    switch scalar.value {
    case 0x30...0x39, 0x0660...0x0669, 0x06F0...0x06F9: .number
    case 0x2C, 0x2E, 0x2F, 0x3A, 0x066B, 0x066C: .separator
    case 0x200E: .left
    case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x200F: .right
    default: scalar.properties.isAlphabetic ? .left : .neutral
    }
  }
}
