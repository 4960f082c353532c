/// The small letters between two ideographs of a Japanese name, which are written in several ways or left
/// out: "霞ヶ関", "霞ケ関" and "霞が関", "四ツ谷" and "四谷".
enum JoiningKana {
  private static let groups = [["ヶ", "け", "が"], ["っ", "つ"]]
    .map { $0.map { FoldedWord.bytes(of: Array($0.utf8)) } }

  /// In how many words of a text they are looked for.
  private static let mostPlaces = 16

  /// The words with each such letter written otherwise, or left out.
  static func readings(of words: [[UInt8]]) -> [[[UInt8]]] {
    guard words.count > 2 else { return [] }
    return (1..<min(words.count - 1, mostPlaces)).flatMap { place -> [[[UInt8]]] in
      guard let group = groups.first(where: { $0.contains(words[place]) }),
        HanLetters.isOne(words[place - 1]), HanLetters.isOne(words[place + 1])
      else { return [] }
      let (before, after) = (Array(words[..<place]), Array(words[(place + 1)...]))
      return group.filter { $0 != words[place] }.map { before + [$0] + after } + [before + after]
    }
  }
}
