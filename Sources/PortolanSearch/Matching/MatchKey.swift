/// The sort key of a match: lower is better.
///
/// Mistyped words count most, then whether the last word is whole, then how many words of the label
/// were not requested, then whether the words are in the order in which they were typed; labels
/// that do not differ in any of these are listed as people sort names.
struct MatchKey: Hashable, Comparable, Sendable {
  private let value: UInt64

  /// Describes a match.
  init(isMistyped: Bool, isPrefix: Bool, wordCount: Int, isReordered: Bool, document: Int) {
    value =
      (isMistyped ? 1 << 62 : 0) | (isPrefix ? 1 << 61 : 0)
      | UInt64(truncatingIfNeeded: wordCount) << 40 | (isReordered ? 1 << 39 : 0)
      | UInt64(truncatingIfNeeded: document)
  }

  private init(value: UInt64) { self.value = value }

  /// The same match of a text of which words were left out to find it.
  var ofPart: MatchKey { MatchKey(value: value | 1 << 60) }

  /// The same match of a number between the ends of a range.
  ///
  /// - Parameter isOnSide: Whether the ends are even or odd as the number is.
  /// - Returns: The match, which is worse.
  func ofHouseRange(isOnSide: Bool) -> MatchKey {
    MatchKey(value: value | 1 << 59 | (isOnSide ? 0 : 1 << 58))
  }

  /// The same match of a text with more than one typing mistake.
  var ofSeveralMistakes: MatchKey { MatchKey(value: value | 1 << 57) }

  var hasSeveralMistakes: Bool { value & 1 << 57 != 0 }
  var isOfHouseRange: Bool { value & 1 << 59 != 0 }
  var isOnOtherSide: Bool { value & 1 << 58 != 0 }
  var isOfPart: Bool { value & 1 << 60 != 0 }
  var isMistyped: Bool { value & 1 << 62 != 0 }
  var isPrefix: Bool { value & 1 << 61 != 0 }
  var isReordered: Bool { value & 1 << 39 != 0 }
  /// How many words the label has.
  var wordCount: Int { Int(value >> 40 & 0xFF) }
  var document: Int { Int(value & (1 << 39 - 1)) }

  static func < (left: MatchKey, right: MatchKey) -> Bool { left.value < right.value }
}
