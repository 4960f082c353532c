// Other readings of words that are not found as they were typed.
extension SearchText {
  /// How many words may be joined in turn; in longer texts the words have said enough.
  private static let mostJoined = 6

  /// How many digits the numbers of things in a network have at most, with their zeros.
  private static let mostPadded = 7
  /// How many letters, in bytes, precede such a number.
  private static let mostLetters = 6

  /// What folding writes between the two numbers of a fraction that is one character.
  private static let slash = Array("\u{2044}".utf8)
  /// The fractions that are one character, folded.
  private static let fractions: Set<[UInt8]> = Set(
    [
      "1/2", "1/3", "2/3", "1/4", "3/4", "1/5", "2/5", "3/5", "4/5", "1/6", "5/6", "1/7", "1/8",
      "3/8", "5/8", "7/8", "1/9", "1/10",
    ].map { Array($0.replacing("/", with: "\u{2044}").utf8) })

  /// The text with words cut apart where letters meet digits, or where an apostrophe may occur, with
  /// each two or three words written together, without "No." before a number, with the blank of a postal
  /// code, the points of initials, fractions of one character, accents for what is typed for them, numbers
  /// in words, and the zeros of a number: "M00042" for "M-00042", "dangelo" for "d'Angelo", "o hare" for
  /// "O'Hare", "k1a0b1" for "K1A 0B1", "12 1/2" for "12½", "mueller" for "Müller", "5 ave" for "5th Ave",
  /// "h12" for "H-00012".
  ///
  /// Digits are never joined to digits: "12-14" is two houses, and not the one with the number 1214.
  var respaced: [SearchText] {
    let apart = words.flatMap(Self.runs)
    let elided = words.flatMap { Elision.cut($0) ?? [$0] }
    let accented = words.map(Self.withoutUmlauts)
    var readings = [apart, elided].filter { $0.count > words.count }.map { SearchText(words: $0) }
    for (place, word) in words.enumerated() {
      let cuts = Elision.longCuts(word) + Elision.gaelicCuts(word)
      for cut in cuts + Self.postcodeCuts(word) + Self.initials(word) {
        readings.append(
          SearchText(words: Array(words[..<place]) + cut + words[(place + 1)...]))
      }
      guard place > 0 else { continue }
      let fraction = words[place - 1] + Self.slash + word
      if Self.fractions.contains(fraction) {
        readings.append(
          SearchText(words: words[..<(place - 1)] + [fraction] + words[(place + 1)...]))
      }
    }
    for plain in [accented, words.map(Self.withoutRoundUmlauts)] where plain != words {
      readings.append(SearchText(words: plain, headCount: headCount))
    }
    readings += withoutHouseWords + numberReadings
    readings += Initialisms.readings(of: words).map { SearchText(words: $0) }
    guard words.count > 1, words.count <= Self.mostJoined else {
      return readings + Self.numbered(apart)
    }
    for place in 1..<words.count where !Self.meetInDigits(words[place - 1], words[place]) {
      let joined = words[place - 1] + words[place]
      readings.append(SearchText(words: words[..<(place - 1)] + [joined] + words[(place + 1)...]))
    }
    return readings + threeJoined + Self.numbered(apart)
  }

  /// The text with each three words written together: "rock'n'roll" for "rock n roll".
  private var threeJoined: [SearchText] {
    words.indices.dropFirst(2).compactMap { place in
      let (first, second, third) = (words[place - 2], words[place - 1], words[place])
      guard !Self.meetInDigits(first, second), !Self.meetInDigits(second, third) else { return nil }
      return SearchText(
        words: words[..<(place - 2)] + [first + second + third] + words[(place + 1)...])
    }
  }

  /// The letters of a short word, which may have points behind them: "U.S." for "us"; not of directions,
  /// whose letters are words by themselves.
  private static func initials(_ word: [UInt8]) -> [[[UInt8]]] {
    guard (2...mostInitials).contains(word.count), word.allSatisfy({ $0 >= 0x61 && $0 <= 0x7A }),
      !word.allSatisfy({ "nsew".utf8.contains($0) })
    else { return [] }
    return [word.map { [$0] }]
  }

  /// How many letters an abbreviation of initials has.
  private static let mostInitials = 4

  /// A postal code in the two parts of which people leave the blank out: "sw1a 1aa" for "sw1a1aa", "k1a 0b1" for
  /// "k1a0b1".
  private static func postcodeCuts(_ word: [UInt8]) -> [[[UInt8]]] {
    guard (5...7).contains(word.count), !isDigit(word[0]), word.allSatisfy({ $0 < 0x80 }) else {
      return []
    }
    let (area, place) = (Array(word.dropLast(3)), Array(word.suffix(3)))
    guard area.contains(where: isDigit), isDigit(place[0]), !place.allSatisfy(isDigit) else {
      return []
    }
    return [[area, place]]
  }

  /// Words with the zeros before a number, which people leave out: "H-00012" and "H00012" for
  /// "h12".
  ///
  /// Only where a few letters and a number are all that there is: "12 n 3" is an address.
  private static func numbered(_ words: [[UInt8]]) -> [SearchText] {
    guard words.count == 2, let digits = words.last, digits.allSatisfy(isDigit),
      digits.first != 0x30, digits.count < mostPadded, let letters = words.first,
      letters.count <= mostLetters, !letters.contains(where: isDigit)
    else { return [] }
    // The last word may be the beginning of one: "012" would find "01200" before "00012" is tried.
    return ((digits.count + 1)...mostPadded).reversed().flatMap { length in
      let number = [UInt8](repeating: 0x30, count: length - digits.count) + digits
      return [SearchText(words: [letters, number]), SearchText(words: [letters + number])]
    }
  }

  /// The text with less said of the house: "104" for "104a", and either end of "104-106".
  var housesNearby: [SearchText] {
    var readings: [SearchText] = []
    for (place, word) in words.enumerated() where words.count > 1 {
      let digits = word.prefix(while: Self.isDigit)
      if !digits.isEmpty, digits.count == word.count - 1 {
        readings.append(SearchText(words: words.replacing(place, with: [Array(digits)])))
      } else if digits.count == word.count, place + 1 < words.count,
        Self.isRange(word, words[place + 1])
      {
        let rest = Array(words[..<place]) + Array(words[(place + 2)...])
        for end in [word, words[place + 1]] where !rest.isEmpty {
          readings.append(SearchText(words: rest[..<place] + [end] + rest[place...]))
        }
      }
    }
    return readings
  }

  /// How many houses between the first and the last of a lot are looked for.
  private static let mostBetween = 10

  /// The text with each house between the first and the last of a lot, on their side of the street: 104
  /// for "102-106".
  var housesBetween: [SearchText] {
    guard words.count > 2 else { return [] }
    for place in words.indices.dropLast() {
      guard let first = HouseRange.number(words[place]),
        let last = HouseRange.number(words[place + 1]), HouseRange(first, last) != nil
      else { continue }
      let numbers = stride(from: first + 2, to: last, by: 2).prefix(Self.mostBetween)
      return numbers.map { number in
        SearchText(
          words: Array(words[..<place]) + [Array("\(number)".utf8)] + words[(place + 2)...])
      }
    }
    return []
  }

  /// Whether two words written together would make another number.
  private static func meetInDigits(_ first: [UInt8], _ second: [UInt8]) -> Bool {
    first.last.map(isDigit) == true && second.first.map(isDigit) == true
  }

  /// Whether two words are the first and the last number of one lot.
  private static func isRange(_ first: [UInt8], _ last: [UInt8]) -> Bool {
    guard let first = HouseRange.number(first), let last = HouseRange.number(last) else {
      return false
    }
    return HouseRange(first, last) != nil
  }

  /// A word with one vowel for the two that stand for an umlaut, or for å, where there is no key for it.
  private static func withoutUmlauts(_ word: [UInt8]) -> [UInt8] {
    var plain: [UInt8] = []
    for (place, byte) in word.enumerated() {
      // a, o, u
      if byte == 0x65, let last = plain.last, last == 0x61 || last == 0x6F || last == 0x75 {
        continue
      }
      if isSecondOfTwo(place, in: word) { continue }
      plain.append(byte)
    }
    return plain
  }

  /// The same of ö and ü only: æ and ä stay, which may be beside them.
  private static func withoutRoundUmlauts(_ word: [UInt8]) -> [UInt8] {
    var plain: [UInt8] = []
    for byte in word {
      // o, u
      if byte == 0x65, let last = plain.last, last == 0x6F || last == 0x75 { continue }
      plain.append(byte)
    }
    return plain
  }

  /// The text with numbers in words for those in digits, and the other way round.
  var numberReadings: [SearchText] {
    let readings = HanNumerals.readings(of: words) + JoiningKana.readings(of: words)
    return (readings.isEmpty ? SpelledNumbers.readings(of: words) : readings)
      .map { SearchText(words: $0) }
  }

  /// Whether a letter is the second of two a, and not of a row of them.
  private static func isSecondOfTwo(_ place: Int, in word: [UInt8]) -> Bool {
    let row = word[max(0, place - 2)...min(place + 1, word.count - 1)].filter { $0 == 0x61 }
    return row.count == 2 && place > 0 && word[place - 1] == 0x61 && word[place] == 0x61
  }

  /// The text without words that labels often lack: towns, states and countries at its end, or what
  /// precedes the first comma.
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
    // The numbers of a fraction are words without what is between them.
    return runs.count > 1 ? runs.filter { $0 != slash } : runs
  }

  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
}

extension [[UInt8]] {
  fileprivate func replacing(_ place: Int, with words: [[UInt8]]) -> [[UInt8]] {
    Array(self[..<place]) + words + Array(self[(place + 1)...])
  }
}
