/// The first and the last number of one lot, as labels write them: "104-106 Main St".
struct HouseRange: Hashable, Sendable {
  /// How many numbers a lot or a block may have; what is wider are no houses.
  static let widest = 100
  /// The most digits of a number of a house.
  private static let mostDigits = 6

  /// The letters behind the numbers of houses on one lot, folded.
  static let letters = Array("abcdefghijklmnopqrstuvwxyzабвгде")

  let first: Int
  let last: Int

  /// A range; `nil` if the numbers are not in order, or too far apart for houses.
  init?(_ first: Int, _ last: Int) {
    guard last > first, last - first <= Self.widest else { return nil }
    self.first = first
    self.last = last
  }

  /// Whether a number lies between the ends; those are words of the label themselves.
  func encloses(_ number: Int) -> Bool { number > first && number < last }

  /// Whether a number is on the side of the street of both ends.
  func isOnSide(of number: Int) -> Bool {
    first % 2 == number % 2 && last % 2 == number % 2
  }

  /// The number that a word is; `nil` if it is none of a house.
  static func number(_ word: [UInt8]) -> Int? {
    guard !word.isEmpty, word.count <= mostDigits, word.allSatisfy(isDigit) else { return nil }
    return word.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// The ranges in a label, with a hyphen or a dash between their numbers.
  static func ranges(in label: String) -> [HouseRange] {
    let bytes = Array(label.utf8)
    var ranges: [HouseRange] = []
    var before: Int?
    var place = 0
    while place < bytes.count {
      guard isDigit(bytes[place]) else {
        if let next = afterDash(place, in: bytes), before != nil {
          place = next
        } else {
          before = nil
          place += 1
        }
        continue
      }
      let run = bytes[place...].prefix(while: isDigit)
      // No word follows a dash, which may be a character of several bytes.
      let isInWord = before == nil && place > 0 && isLetter(bytes[place - 1])
      let number = isInWord ? nil : Self.number(Array(run))
      if let first = before, let last = number, let range = HouseRange(first, last) {
        ranges.append(range)
      }
      before = number
      place = run.endIndex
    }
    return ranges
  }

  /// Where the text continues behind a dash and the blanks around it; `nil` if there is none.
  private static func afterDash(_ place: Int, in bytes: [UInt8]) -> Int? {
    var rest = bytes[place...].drop { $0 == 0x20 }
    if rest.first == 0x2D {
      rest = rest.dropFirst()
    } else if rest.starts(with: [0xE2, 0x80, 0x93]) || rest.starts(with: [0xE2, 0x80, 0x94]) {
      rest = rest.dropFirst(3)
    } else {
      return nil
    }
    rest = rest.drop { $0 == 0x20 }
    return rest.first.map(isDigit) == true ? rest.startIndex : nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
  }
}
