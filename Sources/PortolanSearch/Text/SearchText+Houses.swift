// What is typed around the number of a house, and is not in labels.
extension SearchText {
  /// Words that may be before the number of a house.
  private static let numberSigns = folded([
    "no", "nr", "nro", "num", "número", "numéro", "дом", "д",
  ])
  /// Words before the number of a part of a house.
  private static let partWords = folded(["к", "корп", "корпус"])
  /// Words between the first and the last number of a lot.
  private static let rangeWords = folded(["to", "bis", "a", "à"])

  private static func folded(_ words: [String]) -> Set<[UInt8]> {
    Set(words.map { FoldedWord.bytes(of: Array($0.utf8)) })
  }

  private static func beginsWithDigit(_ word: [UInt8]) -> Bool { word.first.map(isDigit) ?? false }

  /// The text without the words that are before numbers and between them.
  ///
  /// That is "No. 104" and "14 to 18"; and with the part of a house behind its number: "5к2" for "д. 5,
  /// корп. 2".
  var withoutHouseWords: [SearchText] {
    var plain: [[UInt8]] = []
    for (place, word) in words.enumerated() {
      let isBeforeNumber = place + 1 < words.count && Self.beginsWithDigit(words[place + 1])
      let isBehindNumber = plain.last.map(Self.beginsWithDigit) ?? false
      if isBeforeNumber, Self.numberSigns.contains(word) { continue }
      if isBeforeNumber, isBehindNumber, Self.rangeWords.contains(word) { continue }
      plain.append(word)
    }
    var readings = plain == words ? [] : [SearchText(words: plain)]
    for place in plain.indices.dropFirst().dropLast() where Self.partWords.contains(plain[place]) {
      let (house, part) = (plain[place - 1], plain[place + 1])
      guard Self.beginsWithDigit(house), Self.beginsWithDigit(part) else { continue }
      let joined = house + Array("к".utf8) + part
      readings.append(
        SearchText(words: plain[..<(place - 1)] + [joined] + plain[(place + 2)...]))
    }
    return readings
  }

  // MARK: - Flats

  /// Words before the number or the letter of a flat.
  private static let flatWords = folded([
    "apt", "apartment", "flat", "unit", "suite", "ste", "room", "rm", "shop", "appartement", "appt",
    "wohnung", "whg",
  ])

  /// The text without the flat in front of the number of a house: "123 elm st" for "apt 4 123 elm st", for
  /// "flat 2/1 123 elm st" and for "4/123 elm st"; what leaves out least comes first.
  var withoutFlat: [SearchText] {
    guard let start = flatEnd else { return [] }
    var readings: [SearchText] = []
    for place in start..<words.count - 1 where Self.beginsWithDigit(words[place]) {
      readings.append(
        SearchText(
          words: Array(words[place...]), headCount: headCount > place ? headCount - place : nil))
      guard Self.beginsWithDigit(words[place + 1]) else { break }
    }
    return readings
  }

  /// Where the text continues behind the flat with which it begins; `nil` if it does not.
  private var flatEnd: Int? {
    guard words.count > 2, let first = words.first else { return nil }
    let letters = Array(first.prefix { !Self.isDigit($0) })
    if letters.count == first.count {
      guard Self.flatWords.contains(first), Self.isFlat(words[1]) else { return nil }
      return Self.beginsWithDigit(words[2]) ? 2 : nil
    }
    // "apt4", and the number alone.
    guard letters.isEmpty ? Self.isFlat(first) : Self.flatWords.contains(letters) else {
      return nil
    }
    return Self.beginsWithDigit(words[1]) ? 1 : nil
  }

  private static func isFlat(_ word: [UInt8]) -> Bool {
    word.count == 1 || word.contains(where: isDigit)
  }

  /// Whether the words are a number, or a flat with its number, and nothing else: what is before a slash is
  /// no street then.
  var isHouseOrFlat: Bool {
    guard let last = words.last, words.count <= 2 else { return false }
    let isNumber = Self.beginsWithDigit(last) && last.count { !Self.isDigit($0) } <= 1
    return words.count == 1
      ? isNumber || flatLetters(of: last) : Self.flatWords.contains(words[0]) && Self.isFlat(last)
  }

  private func flatLetters(of word: [UInt8]) -> Bool {
    let letters = Array(word.prefix { !Self.isDigit($0) })
    return letters.count < word.count && Self.flatWords.contains(letters)
  }

  /// Whether they begin with the number of a house and go on.
  var beginsWithHouse: Bool {
    words.count > 1 && (words.first.map { HouseRange.number($0) != nil } ?? false)
  }
}
