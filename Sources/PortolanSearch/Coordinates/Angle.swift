/// One half of a coordinate: up to three numbers, of which only the last has decimals.
struct Angle: Hashable, Sendable {
  /// In degrees; negative in the south and the west.
  private(set) var value = 0.0
  /// N, S, E or W, if the text says.
  private(set) var hemisphere: Character?

  private var numbers: [Double] = []
  private var digits = ""
  private var sign: Character?
  /// Whether the hemisphere stands before the numbers.
  private var isLed = false

  /// Reads a text in capitals; `nil` if it is no angle.
  init?(_ text: String) {
    for character in text {
      guard read(character) else { return nil }
    }
    guard finishNumber(), let degrees = numbers.first, numbers.count <= 3 else { return nil }
    let isNegative = sign != nil && sign != "+"
    guard !isNegative || hemisphere == nil, numbers.dropFirst().allSatisfy({ $0 < 60 }) else {
      return nil
    }
    let minutes = numbers.count > 1 ? numbers[1] : 0
    let seconds = numbers.count > 2 ? numbers[2] : 0
    let size = degrees + minutes / 60 + seconds / 3600
    value = isNegative || hemisphere == "S" || hemisphere == "W" ? -size : size
  }

  /// Takes a character; `false` if it cannot stand there.
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
    case "-", "−", "+":
      guard finishNumber(), numbers.isEmpty, sign == nil else { return false }
      sign = character
      return true
    case " ", "°", "º", "'", "′", "’", "\"", "″", "”", ":", "D", "M":
      return finishNumber()
    default: return false
    }
  }

  /// Ends a number; only whole ones may stand before it.
  private mutating func finishNumber() -> Bool {
    guard !digits.isEmpty else { return true }
    guard let number = Double(digits), numbers.allSatisfy({ $0 == $0.rounded() }) else {
      return false
    }
    numbers.append(number)
    digits = ""
    return true
  }
}
