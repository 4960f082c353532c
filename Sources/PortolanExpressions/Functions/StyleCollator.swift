internal import Foundation
internal import PortolanJSON

/// Rules by which texts are compared.
package struct StyleCollator: Hashable, Sendable {
  let isCaseSensitive: Bool
  let isDiacriticSensitive: Bool
  /// The locale that is used, which is English where the one that was asked for is not known.
  let locale: String

  init(isCaseSensitive: Bool, isDiacriticSensitive: Bool, locale: String?) {
    self.isCaseSensitive = isCaseSensitive
    self.isDiacriticSensitive = isDiacriticSensitive
    let language = locale.map { String($0.prefix { $0 != "-" && $0 != "_" }).lowercased() }
    let isKnown = language.map { Self.languages.contains($0) } ?? false
    self.locale = isKnown ? locale ?? "en" : "en"
  }

  private static let languages = Set(
    Locale.availableIdentifiers.map { String($0.prefix { $0 != "_" && $0 != "-" }) })

  /// Less than zero if the left text comes first, zero if they count as equal.
  func compare(_ left: String, _ right: String) -> Int {
    let (left, right) = (Key(left, language), Key(right, language))
    let letters = Self.order(left.letters, right.letters)
    if letters != 0 { return letters }
    if isDiacriticSensitive {
      let marks = Self.order(left.marks, right.marks)
      if marks != 0 { return marks }
    }
    return isCaseSensitive ? Self.order(left.cases, right.cases) : 0
  }

  private var language: String { String(locale.prefix { $0 != "-" && $0 != "_" }).lowercased() }

  private static func order(_ left: [UInt32], _ right: [UInt32]) -> Int {
    left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
  }

  /// A text as its letters, the marks on them, and which are capital; each is compared only where
  /// what comes before is the same.
  private struct Key {
    var letters: [UInt32] = []
    var marks: [UInt32] = []
    var cases: [UInt32] = []

    /// Longer texts are cut: nothing is sorted by their ends.
    private static let maximumLength = 2000

    init(_ text: String, _ language: String) {
      for character in text.prefix(Self.maximumLength) {
        let lower = character.lowercased()
        // The sharp s is told from two by what tells capitals from small letters.
        let form: UInt32 = lower == "ß" ? 2 : lower == String(character) ? 0 : 1
        let spelled = StyleCollator.tailored(lower, language) ?? lower
        for scalar in spelled.decomposedStringWithCanonicalMapping.unicodeScalars.prefix(64) {
          if scalar.properties.canonicalCombiningClass == .notReordered {
            letters.append(Self.weight(of: scalar))
            cases.append(form)
            marks.append(0)
          } else {
            marks.append(scalar.value)
          }
        }
      }
    }

    /// Signs come before digits, and digits before letters.
    private static func weight(of scalar: Unicode.Scalar) -> UInt32 {
      let properties = scalar.properties
      let group: UInt32 = properties.isAlphabetic ? 2 : properties.numericType == nil ? 0 : 1
      return group << 21 | scalar.value
    }
  }

  /// The spelling in a language of a letter that others see as one with a mark, or as two.
  ///
  /// As in MapLibre texts are compared as for a search: by that the letters of Polish are letters with a mark,
  /// though lists are sorted otherwise.
  ///
  /// ǀ, ǁ and ǂ stand for letters beyond z. Where two letters are as good as one but for its mark,
  /// they get a mark that no text has.
  ///
  /// - SeeAlso: [Collation in CLDR](https://www.unicode.org/reports/tr35/tr35-collation.html)
  private static func tailored(_ letter: String, _ language: String) -> String? {
    let letter = letter.precomposedStringWithCanonicalMapping
    return tailorings[language]?[letter] ?? everywhere[letter]
  }

  private static let everywhere = [
    "ß": "ss", "æ": "ae\u{363}", "œ": "oe\u{363}", "ø": "o\u{338}", "ł": "l\u{335}",
    "đ": "d\u{335}", "ð": "d\u{363}", "ħ": "h\u{335}",
  ]

  private static let tailorings: [String: [String: String]] = {
    let danish = ["æ": "ǀ", "ä": "ǀ\u{363}", "ø": "ǁ", "ö": "ǁ\u{363}", "å": "ǂ"]
    let swedish = ["å": "ǀ", "ä": "ǁ", "æ": "ǁ\u{363}", "ö": "ǂ", "ø": "ǂ\u{363}"]
    return [
      "de": ["ä": "ae\u{363}", "ö": "oe\u{363}", "ü": "ue\u{363}"],
      "sv": swedish, "fi": swedish,
      "da": danish, "nb": danish, "nn": danish, "no": danish,
      "es": ["ñ": "nǂ"],
    ]
  }()
}

/// Makes a collator of options.
struct CollatorNode: ExpressionNode {
  let caseSensitive: any ExpressionNode
  let diacriticSensitive: any ExpressionNode
  let locale: (any ExpressionNode)?
  let type = ExpressionType.collator

  var children: [any ExpressionNode] {
    [caseSensitive, diacriticSensitive] + [locale].compactMap(\.self)
  }
  var dependency: ExpressionDependency { .environment }

  static func parse(_ list: [JSONValue], _ context: ParsingContext) -> (any ExpressionNode)? {
    guard context.hasArguments(list, 1...1) else { return nil }
    guard let options = list[1].object else {
      return context.fail("The options of a collator are an object.")
    }
    guard
      let cases = context.parse(options["case-sensitive"] ?? false, at: 1, as: .boolean),
      let marks = context.parse(options["diacritic-sensitive"] ?? false, at: 1, as: .boolean)
    else { return nil }
    var locale: (any ExpressionNode)?
    if let name = options["locale"] {
      guard let node = context.parse(name, at: 1, as: .string) else { return nil }
      locale = node
    }
    return CollatorNode(caseSensitive: cases, diacriticSensitive: marks, locale: locale)
  }

  func value(_ context: EvaluationContext) throws(EvaluationFault) -> StyleValue {
    .collator(
      StyleCollator(
        isCaseSensitive: try caseSensitive.value(context).isTrue,
        isDiacriticSensitive: try diacriticSensitive.value(context).isTrue,
        locale: try locale?.value(context).string))
  }
}
