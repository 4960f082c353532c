/// Two streets that were typed as a crossing: "Main & 2nd", "Main St and 2nd Ave", "Main / 2nd",
/// "corner of Main and 2nd".
struct IntersectionText: Hashable, Sendable {
  private static let separators = [
    "&", "@", " and ", " at ", " und ", " et ", " y ", " og ", " och ", "/", "+", " ecke ",
    " esquina ", " esq ", " esq. ", " cnr ", " corner of ", " hoek ", " angolo ", " róg ", " ve ",
    " и ", " та ", " угол ", " و ", "与", "與",
  ].map { Array($0.utf8) }
  private static let openings = [
    "the ", "corner of ", "corner ", "intersection of ", "crossing of ", "junction of ", "ecke ",
    "esquina ", "угол ", "Угол ", "на углу ", "На углу ", "перекресток ", "Перекресток ",
    "перекрёсток ", "Перекрёсток ",
  ].map { Array($0.utf8) }
  private static let closings = [
    "交叉口", "交叉路口", "路口", "交差点", "교차로", " intersection", " kreuzung",
  ].map { Array($0.utf8) }
  /// What is read of a text, in bytes.
  private static let longest = 256
  /// How many readings are tried; no names of two streets have more words between them.
  private static let mostReadings = 4

  let first: String
  let second: String

  /// The readings of a text, none if it names no crossing: "Fish and Game Rd and Main St" may be cut at
  /// either word.
  ///
  /// It is read at each keystroke, and seldom is one: what is compared are bytes.
  static func readings(of text: String) -> [IntersectionText] {
    let bytes = withoutClosing(withoutOpening(Array(text.utf8.prefix(longest))))
    let small = bytes.map { $0 >= 0x41 && $0 <= 0x5A ? $0 + 0x20 : $0 }
    var readings: [IntersectionText] = []
    for separator in separators {
      var start = 0
      while readings.count < mostReadings,
        let place = Self.place(of: separator, in: small, from: start)
      {
        start = place + separator.count
        let (first, second) = (bytes[..<place], bytes[start...])
        guard hasWords(first), hasWords(second),
          separator != [0x2F] || !isNumber(first) && !isNumber(second)
        else { continue }
        let pair = IntersectionText(
          first: String(decoding: first, as: UTF8.self),
          second: String(decoding: second, as: UTF8.self))
        // "4b/104 Main St" is a flat of a house.
        guard separator != [0x2F] || !pair.isOfHouses else { continue }
        readings.append(pair)
      }
    }
    return readings
  }

  /// Whether it is rather a number before the address of a house: that of another house, or of a flat.
  var isOfHouses: Bool {
    SearchText(first).isHouseOrFlat && SearchText(second).beginsWithHouse
  }

  private static func withoutOpening(_ bytes: [UInt8]) -> [UInt8] {
    var rest = bytes[...].drop { $0 <= 0x20 }
    while let opening = openings.first(where: { begins(rest, with: $0) }) {
      rest = rest.dropFirst(opening.count).drop { $0 <= 0x20 }
    }
    return Array(rest)
  }

  /// A text without the word for a crossing at its end; one that is a name alone keeps it.
  private static func withoutClosing(_ bytes: [UInt8]) -> [UInt8] {
    let closing = closings.first {
      bytes.count > $0.count && begins(bytes.suffix($0.count), with: $0)
    }
    guard let closing else { return bytes }
    return Array(bytes.dropLast(closing.count))
  }

  private static func begins(_ text: ArraySlice<UInt8>, with opening: [UInt8]) -> Bool {
    text.count >= opening.count
      && zip(text, opening).allSatisfy { ($0 >= 0x41 && $0 <= 0x5A ? $0 + 0x20 : $0) == $1 }
  }

  /// The first place of a separator from another place on.
  private static func place(of separator: [UInt8], in text: [UInt8], from start: Int) -> Int? {
    var place = start
    while place + separator.count <= text.count {
      var length = 0
      while length < separator.count, text[place + length] == separator[length] { length += 1 }
      if length == separator.count { return place }
      place += 1
    }
    return nil
  }

  private static func hasWords(_ bytes: ArraySlice<UInt8>) -> Bool {
    !SearchText(String(decoding: bytes, as: UTF8.self)).words.isEmpty
  }

  /// Whether a text is no more than a number: "12/14 Main St" is no crossing.
  private static func isNumber(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.allSatisfy { $0 <= 0x20 || $0 >= 0x30 && $0 <= 0x39 }
  }
}
