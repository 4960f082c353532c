/// Judges from the words and numbers of a text whether it is a coordinate.
enum CoordinateForm {
  /// What is read of a text, in bytes; no coordinate is longer.
  static let longest = 100

  /// Words of coordinates, and what is written for them otherwise.
  private static let signs = [
    ("DEGREES", "°"), ("DEGREE", "°"), ("DEG", "°"), ("MINUTEN", "'"), ("MINUTES", "'"),
    ("MINUTE", "'"),
    ("MIN", "'"), ("SECONDS", "\""), ("SECOND", "\""), ("SEC", "\""), ("NORTH", "N"),
    ("SOUTH", "S"), ("EAST", "E"), ("WEST", "W"),
    // An O alone is the east in some languages and the west in others.
    ("OUEST", "W"), ("OESTE", "W"), ("OVEST", "W"), ("LESTE", "E"), ("ESTE", "E"), ("EST", "E"),
    ("OST", "E"), ("NORTE", "N"), ("NORD", "N"), ("SÜD", "S"), ("SUD", "S"), ("SUR", "S"),
    ("SUL", "S"), ("GRAD", "°"), ("SEKUNDEN", "\""), ("BREITE", "LAT"), ("LÄNGE", "LON"),
  ]
  /// The same in other scripts.
  private static let foreignSigns = [
    ("СЕВЕРНОЙ ШИРОТЫ", "N"), ("ЮЖНОЙ ШИРОТЫ", "S"), ("ВОСТОЧНОЙ ДОЛГОТЫ", "E"),
    ("ЗАПАДНОЙ ДОЛГОТЫ", "W"), ("ШИРОТА", "LAT"), ("ДОЛГОТА", "LON"), ("纬度", "LAT"),
    ("緯度", "LAT"), ("经度", "LON"), ("經度", "LON"), ("経度", "LON"), ("위도", "LAT"),
    ("경도", "LON"), ("شمالاً", "N"), ("شمالا", "N"), ("شمال", "N"), ("جنوباً", "S"), ("جنوبا", "S"),
    ("جنوب", "S"), ("شرقاً", "E"), ("شرقا", "E"), ("شرق", "E"), ("غرباً", "W"), ("غربا", "W"),
    ("غرب", "W"), ("צפון", "N"), ("דרום", "S"), ("מזרח", "E"), ("מערב", "W"), ("उत्तर", "N"),
    ("दक्षिण", "S"), ("पूर्व", "E"), ("पश्चिम", "W"), ("เหนือ", "N"), ("ใต้", "S"),
    ("ตะวันออก", "E"), ("ตะวันตก", "W"), ("С.Ш.", "N"), ("С. Ш.", "N"), ("СШ", "N"), ("Ю.Ш.", "S"),
    ("Ю. Ш.", "S"), ("ЮШ", "S"),
    ("В.Д.", "E"), ("В. Д.", "E"), ("ВД", "E"), ("З.Д.", "W"), ("З. Д.", "W"), ("ЗД", "W"),
    ("北緯", "N"), ("北纬", "N"), ("南緯", "S"), ("南纬", "S"), ("東経", "E"), ("東經", "E"),
    ("东经", "E"), ("西経", "W"), ("西經", "W"), ("西经", "W"), ("度", "°"), ("分", "'"),
    ("秒", "\""), ("북위", "N"), ("남위", "S"), ("동경", "E"), ("서경", "W"), ("도", "°"),
    ("분", "'"), ("초", "\""),
  ]
  private static let words =
    Set(signs.map(\.0)).union([
      "LATITUDE", "LONGITUDE", "LATITUD", "LONGITUD", "LATITUDINE", "LONGITUDINE", "LONG", "POINT",
      "MGRS", "USNG", "ZONE",
    ]).union(heights)
  /// Words before a height.
  static let heights = ["ALTITUDE", "ALT.", "ALT", "ELEVATION", "ELEV.", "ELEV", "HEIGHT"]

  /// A text with ordinary letters, digits and signs for those as wide as ideographs, and for the digits of
  /// other scripts and the signs between them.
  static func withNarrowLetters(_ text: String) -> String {
    // In UTF-8 these begin with D8, of Arabic, or more: no letter of Latin, Greek or Cyrillic does.
    guard text.utf8.count <= 3 * longest, text.utf8.contains(where: { $0 >= 0xD8 })
    else { return text }
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          switch scalar.value {
          case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
          case 0x3000: " "
          case 0x60C: ","
          case 0x61B: ";"
          case 0x66B: "."
          case 0x660...: FoldedWord.digit(scalar) ?? scalar
          default: scalar
          }
        }))
  }

  /// A text with the standard signs in place of similar ones that keyboards and web pages produce,
  /// and without marks of the writing direction.
  static func withUsualSigns(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 >= 0x80 || $0 == 0x60 }) else { return text }
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.compactMap { scalar -> Unicode.Scalar? in
          switch scalar.value {
          case 0xA0, 0x2000...0x200A, 0x202F, 0x205F: return " "
          case 0x200B, 0x200E...0x200F, 0x202A...0x202E, 0x2060, 0x2066...0x2069, 0xFEFF:
            return nil
          case 0x60, 0xB4, 0x2B9, 0x2BC, 0x2C8, 0x2CA, 0x2018...0x201B: return "'"
          case 0x2BA, 0x2DD, 0x2EE, 0x201C...0x201F: return "\""
          case 0x2DA, 0x2070, 0x2218: return "°"
          case 0x2010...0x2013: return "-"
          // The east of northern languages, and the letters of the Greek words.
          case 0xD6, 0xD8, 0xF6, 0xF8, 0x391, 0x3B1: return "E"
          case 0x392, 0x3B2: return "N"
          case 0x39D, 0x3BD: return "S"
          case 0x394, 0x3B4: return "W"
          default: return scalar
          }
        }))
  }

  /// Whether a text can be a coordinate.
  ///
  /// It is asked at each keystroke, and most of what is typed are names and addresses: these cost
  /// next to nothing.
  static func isPossible(_ text: String) -> Bool {
    var numberCount = 0
    var letterCount = 0
    var digitCount = 0
    var word: [UInt8] = []
    var wasDigit = false
    guard text.utf8.count <= longest else { return false }
    for byte in text.utf8 {
      let isDigit = byte >= 0x30 && byte <= 0x39
      if isDigit { digitCount += 1 }
      if isDigit, !wasDigit { numberCount += 1 }
      wasDigit = isDigit
      let capital = byte & 0xDF
      if capital >= 0x41, capital <= 0x5A {
        letterCount += 1
        word.append(capital)
      } else if !word.isEmpty {
        guard isOfCoordinate(word) else { return false }
        word.removeAll(keepingCapacity: true)
      }
    }
    // One number alone is that of a zone, with the three letters of a square, or all digits of a
    // reference without its zone.
    let isOfGrid = letterCount == 3 || letterCount == 2 && digitCount >= MGRSCoordinate.fewestDigits
    return isOfCoordinate(word) && (numberCount > 1 || numberCount == 1 && isOfGrid)
  }

  /// Whether letters are few enough for a zone or a hemisphere, or a word of coordinates.
  private static func isOfCoordinate(_ word: [UInt8]) -> Bool {
    word.count <= 3 || words.contains(String(decoding: word, as: UTF8.self))
  }

  /// A text in capitals with signs and letters for words: "44 degrees north" as "44 ° N".
  static func withSigns(_ text: String) -> String {
    var text = text
    // To make the pattern takes longer than to find suggestions, and hardly any text has both letters.
    if text.utf8.contains(UInt8(ascii: "M")), text.utf8.contains(UInt8(ascii: "S")) {
      // The "s" of "44d23m15.36s" is no hemisphere.
      text.replace(#/(\d)\s*M\s*(\d+(?:\.\d+)?)S/#) { "\($0.1)'\($0.2)\"" }
    }
    text = withDutchAndTurkishSides(text)
    // Signs such as primes begin with E2 in UTF-8, and no letter of these scripts does.
    if text.utf8.contains(where: { $0 >= 0xD0 && $0 != 0xE2 }) {
      let scalars = Set(text.unicodeScalars)
      for (word, sign) in foreignSigns
      where word.unicodeScalars.first.map(scalars.contains) ?? false {
        text = text.replacing(word, with: sign)
      }
    }
    guard hasWord(text), signs.contains(where: { text.contains($0.0) }) else { return text }
    for (word, sign) in signs { text = text.replacing(word, with: sign) }
    return text
  }

  /// A text with N, S, E and W for what Dutch ("52.37 NB 4.89 OL") and Turkish ("41.01 K 28.97 D") have behind
  /// the numbers.
  private static func withDutchAndTurkishSides(_ text: String) -> String {
    guard let last = text.utf8.last(where: { $0 != 0x2E }), "LDB".utf8.contains(last) else {
      return text
    }
    if let dutch = text.wholeMatch(of: #/([^A-Z]+)([NZ])\.? ?B\.?([^A-Z]+)([OW])\.? ?L\.?/#) {
      return "\(dutch.1)\(dutch.2 == "N" ? "N" : "S")\(dutch.3)\(dutch.4 == "O" ? "E" : "W")"
    }
    if let turkish = text.wholeMatch(of: #/([^A-Z]+)([KG])([^A-Z]+)([DB])/#) {
      return
        "\(turkish.1)\(turkish.2 == "K" ? "N" : "S")\(turkish.3)\(turkish.4 == "D" ? "E" : "W")"
    }
    return text
  }

  /// Whether as many capitals follow each other as the shortest word of coordinates has.
  private static func hasWord(_ text: String) -> Bool {
    var count = 0
    return text.utf8.contains { byte in
      count = byte >= 0x41 && byte <= 0x5A ? count + 1 : 0
      return count == 3
    }
  }
}
