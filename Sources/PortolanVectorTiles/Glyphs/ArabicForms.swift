/// The shapes that Arabic letters take beside others, as code points of their own, under which fonts of
/// styles hold them.
///
/// - SeeAlso: [Arabic Presentation Forms](https://www.unicode.org/charts/PDF/UFE70.pdf)
enum ArabicForms {
  /// The shapes of a letter, or of a lam with an alef.
  private struct Forms {
    var isolated: Unicode.Scalar?
    var final: Unicode.Scalar?
    var initial: Unicode.Scalar?
    var medial: Unicode.Scalar?
  }

  private static let lam: Unicode.Scalar = "\u{0644}"
  /// A line between letters, which joins on both sides.
  private static let tatweel: Unicode.Scalar = "\u{0640}"

  /// The forms by letter.
  private static let letters: [Unicode.Scalar: Forms] = {
    var byName: [String: Unicode.Scalar] = [:]
    for value in UInt32(0x0621)...0x06D5 {
      guard let scalar = Unicode.Scalar(value), let name = scalar.properties.name else { continue }
      byName[name] = scalar
    }
    return table { name in name.hasPrefix("ARABIC LETTER ") ? byName[name] : nil }
  }()

  /// The forms by the alef that follows the lam.
  private static let lamWithAlef: [Unicode.Scalar: Forms] = {
    var byName: [String: Unicode.Scalar] = [:]
    for alef in ["\u{0622}", "\u{0623}", "\u{0625}", "\u{0627}"] as [Unicode.Scalar] {
      let name = alef.properties.name ?? ""
      byName["ARABIC LIGATURE LAM WITH " + name.dropFirst("ARABIC LETTER ".count)] = alef
    }
    return table { byName[$0] }
  }()

  /// Reads the names of the code points, which end with that of the shape.
  private static func table(
    _ letter: (String) -> Unicode.Scalar?
  ) -> [Unicode.Scalar: Forms] {
    let endings: [(String, WritableKeyPath<Forms, Unicode.Scalar?>)] = [
      (" ISOLATED FORM", \.isolated), (" FINAL FORM", \.final), (" INITIAL FORM", \.initial),
      (" MEDIAL FORM", \.medial),
    ]
    var forms: [Unicode.Scalar: Forms] = [:]
    for value in Array(UInt32(0xFB50)...0xFBFF) + Array(UInt32(0xFE70)...0xFEFC) {
      guard let scalar = Unicode.Scalar(value), let name = scalar.properties.name else { continue }
      for (ending, form) in endings where name.hasSuffix(ending) {
        if let letter = letter(String(name.dropLast(ending.count))) {
          forms[letter, default: Forms()][keyPath: form] = scalar
        }
      }
    }
    return forms
  }

  /// The letters in their shapes, in the order in which they are read.
  static func shaped(_ text: [Unicode.Scalar]) -> [Unicode.Scalar] {
    guard text.contains(where: { letters[$0] != nil }) else { return text }
    var shaped: [Unicode.Scalar] = []
    var index = 0
    while index < text.count {
      let scalar = text[index]
      let isJoined = neighbor(of: index, in: text, step: -1).map(joinsNext) ?? false
      if scalar == lam, index + 1 < text.count, let forms = lamWithAlef[text[index + 1]],
        let form = isJoined ? forms.final : forms.isolated
      {
        shaped.append(form)
        index += 2
        continue
      }
      shaped.append(form(of: scalar, isJoined: isJoined, index, text) ?? scalar)
      index += 1
    }
    return shaped
  }

  private static func form(
    of scalar: Unicode.Scalar, isJoined: Bool, _ index: Int, _ text: [Unicode.Scalar]
  ) -> Unicode.Scalar? {
    guard let forms = letters[scalar] else { return nil }
    let joins =
      joinsNext(scalar) && (neighbor(of: index, in: text, step: 1).map(joinsPrevious) ?? false)
    return switch (isJoined, joins) {
    case (true, true): forms.medial
    case (true, false): forms.final ?? forms.isolated
    case (false, true): forms.initial
    case (false, false): forms.isolated
    }
  }

  private static func joinsNext(_ scalar: Unicode.Scalar) -> Bool {
    scalar == tatweel || letters[scalar]?.initial != nil
  }

  private static func joinsPrevious(_ scalar: Unicode.Scalar) -> Bool {
    scalar == tatweel || letters[scalar]?.final != nil
  }

  /// The letter beside another; signs above and below letters are passed over.
  private static func neighbor(
    of index: Int, in text: [Unicode.Scalar], step: Int
  ) -> Unicode.Scalar? {
    var index = index + step
    while text.indices.contains(index) {
      if text[index].properties.generalCategory != .nonspacingMark { return text[index] }
      index += step
    }
    return nil
  }
}
