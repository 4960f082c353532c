// What else somebody may mean whose words are not found as they were typed.
extension SearchText {
  /// How many words may be joined in turn; in longer texts the words have said enough.
  private static let mostJoined = 6

  /// The text with words cut apart where letters meet digits, and with each two words written
  /// together: "M00042" for "M-00042", "o hare" for "O'Hare".
  var respaced: [SearchText] {
    let apart = words.flatMap(Self.runs)
    var readings = apart.count > words.count ? [SearchText(words: apart)] : []
    guard words.count > 1, words.count <= Self.mostJoined else { return readings }
    for place in 1..<words.count {
      let joined = words[place - 1] + words[place]
      readings.append(SearchText(words: words[..<(place - 1)] + [joined] + words[(place + 1)...]))
    }
    return readings
  }

  /// The text without words that labels often lack: towns, states and countries at its end, or what
  /// stands before the first comma.
  ///
  /// The longest come first. Half of the words stay, or what is before the first comma; a number
  /// is left out only behind a comma, or where the text begins with another, since it tells one
  /// house from another: a postal code, or a flat.
  var parts: [SearchText] {
    let isListed = headCount < words.count
    let hasHouse = words.first?.contains(where: Self.isDigit) ?? false
    let fewest = isListed ? headCount : max(2, (words.count + 1) / 2)
    var parts: [SearchText] = []
    for count in stride(from: words.count - 1, through: fewest, by: -1) {
      guard isListed || hasHouse || !words[count].contains(where: Self.isDigit) else { break }
      parts.append(SearchText(words: Array(words[..<count])))
    }
    if isListed, words.count - headCount > 1 {
      parts.append(SearchText(words: Array(words[headCount...])))
    }
    return parts
  }

  /// The runs of digits, and of all else, that a word consists of.
  private static func runs(of word: [UInt8]) -> [[UInt8]] {
    var runs: [[UInt8]] = []
    var last: Bool?
    for byte in word {
      let isDigit = isDigit(byte)
      if last == isDigit {
        runs[runs.count - 1].append(byte)
      } else {
        runs.append([byte])
      }
      last = isDigit
    }
    return runs
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
}
