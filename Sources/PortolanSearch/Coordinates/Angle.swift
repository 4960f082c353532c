/// One half of a coordinate: up to three numbers, of which only the last has decimals, or one with
/// all their digits: "442315N".
struct Angle: Hashable, Sendable {
  /// In degrees; negative in the south and the west.
  private(set) var value = 0.0
  /// N, S, E or W, if the text says.
  private(set) var hemisphere: Character?

  private var numbers: [Double] = []
  private var digits = ""
  private var sign: Character?
  /// How many digits the first number has before its decimals.
  private var wholeDigits = 0
  /// Whether the hemisphere is before the numbers.
  private var isLed = false
  /// Whether hyphens are between the numbers, as charts write them: "45-30-15N".
  private var isHyphenated = false

  /// Reads a text in capitals; `nil` if it is no angle.
  init?(_ text: String) {
    for character in text {
      guard read(character) else { return nil }
    }
    guard finishNumber(), let degrees = numbers.first, numbers.count <= 3 else { return nil }
    guard !isHyphenated || hemisphere != nil && sign == nil else { return nil }
    let isNegative = sign != nil && sign != "+"
    guard !isNegative || hemisphere == nil, numbers.dropFirst().allSatisfy({ $0 < 60 }) else {
      return nil
    }
    let size: Double
    if numbers.count == 1, wholeDigits > 3, hemisphere != nil || sign != nil {
      // Degrees of latitude have two digits, those of longitude three.
      let isLatitude = hemisphere.map { "NS".contains($0) } ?? wholeDigits.isMultiple(of: 2)
      guard wholeDigits.isMultiple(of: 2) == isLatitude,
        let packed = Self.unpacked(degrees, wholeDigits)
      else { return nil }
      size = packed
    } else {
      let minutes = numbers.count > 1 ? numbers[1] : 0
      let seconds = numbers.count > 2 ? numbers[2] : 0
      size = degrees + minutes / 60 + seconds / 3600
    }
    value = isNegative || hemisphere == "S" || hemisphere == "W" ? -size : size
  }

  /// Takes a character; `false` if it cannot be there.
  private mutating func read(_ character: Character) -> Bool {
    switch character {
    case "0"..."9", ".":
      guard character != "." || !digits.isEmpty, hemisphere == nil || isLed else { return false }
      digits.append(character)
      return true
    case "N", "S", "E", "W":
      guard finishNumber(), hemisphere == nil else { return false }
      isLed = numbers.isEmpty
      hemisphere = character
      return true
    case "-" where !digits.isEmpty:
      isHyphenated = true
      return finishNumber()
    case "-", "−", "+":
      guard finishNumber(), numbers.isEmpty, sign == nil else { return false }
      sign = character
      return true
    case " ", "°", "º", "'", "′", "’", "\"", "″", "”", ":", "D", "M":
      return finishNumber()
    default: return false
    }
  }

  /// Ends a number; only whole ones may be before it.
  private mutating func finishNumber() -> Bool {
    guard !digits.isEmpty else { return true }
    guard let number = Double(digits), numbers.allSatisfy({ $0 == $0.rounded() }) else {
      return false
    }
    if numbers.isEmpty { wholeDigits = digits.prefix { $0 != "." }.count }
    numbers.append(number)
    digits = ""
    return true
  }

  /// The degrees of a number that has minutes, and maybe seconds, in its last digits.
  private static func unpacked(_ number: Double, _ digitCount: Int) -> Double? {
    guard (4...7).contains(digitCount) else { return nil }
    let hasSeconds = digitCount > 5
    let seconds = hasSeconds ? number.truncatingRemainder(dividingBy: 100) : 0
    let rest = hasSeconds ? (number / 100).rounded(.down) : number
    let minutes = rest.truncatingRemainder(dividingBy: 100)
    guard minutes < 60, seconds < 60 else { return nil }
    return (rest / 100).rounded(.down) + minutes / 60 + seconds / 3600
  }
}
