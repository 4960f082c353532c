/// Numbers as ideographs, which addresses have in one place and people type as digits in another: "三丁目"
/// and "3丁目", "五段" and "5段".
enum HanNumerals {
  /// How many digits a number has that may be written either way.
  private static let mostDigits = 4
  /// How many numbers of a text may each be written either way.
  private static let mostNumbers = 4

  private static let digits = Array("〇一二三四五六七八九").map { Array(String($0).utf8) }
  private static let units = Array("十百千").map { Array(String($0).utf8) }
  /// Other ways to write a digit.
  private static let otherDigits = ["零": 0, "两": 2].map { (Array($0.key.utf8), $0.value) }

  /// One number of a text, in both ways.
  private struct Number {
    let place: Range<Int>
    let other: [[UInt8]]
  }

  /// The text with some of its numbers in the other way; none if no ideographs are among the words.
  static func readings(of words: [[UInt8]]) -> [[[UInt8]]] {
    guard words.contains(where: HanLetters.isOne) else { return [] }
    let numbers = Array(numbers(in: words).prefix(mostNumbers))
    guard !numbers.isEmpty else { return [] }
    return (1..<1 << numbers.count).map { choice in
      var reading = words
      for (index, number) in numbers.enumerated().reversed() where choice & 1 << index != 0 {
        reading.replaceSubrange(number.place, with: number.other)
      }
      return reading
    }
  }

  private static func numbers(in words: [[UInt8]]) -> [Number] {
    var numbers: [Number] = []
    var place = 0
    while place < words.count {
      let run = words[place...].prefix { value(of: $0) != nil || units.contains($0) }
      if let number = number(run) {
        numbers.append(Number(place: run.startIndex..<run.endIndex, other: [number]))
      } else if let ideographs = ideographs(words[place]) {
        numbers.append(Number(place: place..<place + 1, other: ideographs))
      }
      place += max(1, run.count)
    }
    return numbers
  }

  private static func value(of word: [UInt8]) -> Int? {
    digits.firstIndex(of: word) ?? otherDigits.first { $0.0 == word }?.1
  }

  /// The digits of a number: of one with units, "三十八", or of its digits in turn, "二〇二".
  private static func number(_ words: ArraySlice<[UInt8]>) -> [UInt8]? {
    guard !words.isEmpty else { return nil }
    guard words.contains(where: units.contains) else {
      let values = words.compactMap(value)
      return values.count <= mostDigits ? Array(values.map(String.init).joined().utf8) : nil
    }
    var (sum, digit, last) = (0, Int?.none, units.count)
    for word in words {
      if let unit = units.firstIndex(of: word) {
        // Units descend; "十" alone is ten.
        guard unit < last else { return nil }
        sum += (digit ?? 1) * [10, 100, 1000][unit]
        (digit, last) = (nil, unit)
      } else {
        guard digit == nil, let value = value(of: word) else { return nil }
        digit = value > 0 ? value : nil
      }
    }
    return Array(String(sum + (digit ?? 0)).utf8)
  }

  /// A number of digits as ideographs; `nil` if it is none.
  private static func ideographs(_ word: [UInt8]) -> [[UInt8]]? {
    guard word.count <= mostDigits, word.first != 0x30,
      word.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 })
    else { return nil }
    let values = word.map { Int($0 - 0x30) }
    var words: [[UInt8]] = []
    for (index, value) in values.enumerated() where value > 0 {
      let unit = values.count - 1 - index
      // "十二" and "百", but "二百一十二".
      if value > 1 || unit == 0 || index > 0 { words.append(digits[value]) }
      if unit > 0 { words.append(units[unit - 1]) }
    }
    return words.isEmpty ? nil : words
  }
}
