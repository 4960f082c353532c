/// Numbers that labels have in words and people type in digits, or the other way round: "Seven Hills Road",
/// "42nd Street" for "forty-second street" and for "42 st", "Corso Vittorio Emanuele II".
enum SpelledNumbers {
  private static let cardinals = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
  ].map { Array($0.utf8) }
  private static let tens = [
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
  ].map { Array($0.utf8) }
  private static let ordinals = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
  ].map { Array($0.utf8) }
  private static let romans = [
    "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv",
    "xvi", "xvii", "xviii", "xix", "xx", "xxi", "xxii", "xxiii",
  ].map { Array($0.utf8) }
  private static let endings = ["st", "nd", "rd", "th"].map { Array($0.utf8) }
  /// How many digits the number of a street has at most.
  private static let mostDigits = 3

  /// The words with each number written otherwise.
  static func readings(of words: [[UInt8]]) -> [[[UInt8]]] {
    words.indices.flatMap { place -> [[[UInt8]]] in
      let (before, after) = (Array(words[..<place]), Array(words[(place + 1)...]))
      var readings = others(words[place]).map { before + $0 + after }
      if let next = after.first, let number = ordinal(words[place], next) {
        readings += [before + [number] + after.dropFirst()]
      }
      return readings
    }
  }

  /// A word as others that mean the same number.
  private static func others(_ word: [UInt8]) -> [[[UInt8]]] {
    let digits = Array(word.prefix { $0 >= 0x30 && $0 <= 0x39 })
    guard !digits.isEmpty else {
      let numbers = [cardinals.firstIndex(of: word), roman(word)].compactMap(\.self)
      return numbers.map { [Array("\($0)".utf8)] }
    }
    guard digits.count <= mostDigits, let number = Int(String(decoding: digits, as: UTF8.self)),
      number > 0
    else { return [] }
    if endings.contains(Array(word.dropFirst(digits.count))) {
      return [[digits]] + inWords(number)
    }
    guard digits.count == word.count else { return [] }
    var others = [[digits + ending(of: number)]]
    if number < cardinals.count { others.append([cardinals[number]]) }
    if number <= romans.count { others.append([romans[number - 1]]) }
    return others
  }

  /// "twenty", "first" for 21.
  private static func inWords(_ number: Int) -> [[[UInt8]]] {
    guard number > 20, number < 100, !number.isMultiple(of: 10) else { return [] }
    return [[tens[number / 10 - 2], ordinals[number % 10 - 1]]]
  }

  /// "21st" for "twenty", "first".
  private static func ordinal(_ word: [UInt8], _ next: [UInt8]) -> [UInt8]? {
    guard let ten = tens.firstIndex(of: word), let one = ordinals.firstIndex(of: next) else {
      return nil
    }
    let number = 20 + 10 * ten + one + 1
    return Array("\(number)".utf8) + ending(of: number)
  }

  /// The value of a number of several letters; one letter is rather one.
  private static func roman(_ word: [UInt8]) -> Int? {
    word.count > 1 ? romans.firstIndex(of: word).map { $0 + 1 } : nil
  }

  private static func ending(of number: Int) -> [UInt8] {
    guard !(11...13).contains(number % 100), (1...3).contains(number % 10) else {
      return endings[3]
    }
    return endings[number % 10 - 1]
  }
}
