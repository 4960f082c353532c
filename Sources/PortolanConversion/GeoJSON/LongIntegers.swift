/// Whole numbers of more than 64 bits in a JSON text, which its parser has no place for.
enum LongIntegers {
  /// The fewest digits that may be too many.
  private static let fewestDigits = 19
  private static let quote = UInt8(ascii: "\"")
  private static let minus = UInt8(ascii: "-")

  /// The text with such numbers in quotation marks, so that they are read as texts and keep all digits.
  static func quoted(in text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard mayHoldSome(text) else { return text }
    var result: [UInt8] = []
    var (isInString, isAfterBackslash) = (false, false)
    var index = text.startIndex
    while index < text.endIndex {
      let byte = text[index]
      if !isInString, byte == minus || isDigit(byte) {
        let end = text[index...].firstIndex { !isPartOfNumber($0) } ?? text.endIndex
        let number = text[index..<end]
        result += isTooLong(number) ? [quote] + number + [quote] : Array(number)
        index = end
        continue
      }
      if isAfterBackslash {
        isAfterBackslash = false
      } else if byte == quote {
        isInString.toggle()
      } else {
        isAfterBackslash = isInString && byte == UInt8(ascii: "\\")
      }
      result.append(byte)
      index += 1
    }
    return result[...]
  }

  /// Whether there are so many digits in a row, other than decimals.
  private static func mayHoldSome(_ text: ArraySlice<UInt8>) -> Bool {
    // So many in a row cannot be between two of these places.
    var place = text.startIndex + fewestDigits - 1
    while place < text.endIndex {
      guard isDigit(text[place]) else {
        place += fewestDigits
        continue
      }
      var (start, end) = (place, place)
      while start > text.startIndex, isDigit(text[start - 1]) { start -= 1 }
      while end < text.endIndex, isDigit(text[end]) { end += 1 }
      let isDecimal = start > text.startIndex && text[start - 1] == UInt8(ascii: ".")
      if end - start >= fewestDigits, !isDecimal { return true }
      // Behind the run, so that none is walked along twice.
      place = end + fewestDigits - 1
    }
    return false
  }

  private static func isTooLong(_ number: ArraySlice<UInt8>) -> Bool {
    let digits = number.first == minus ? number.dropFirst() : number
    return digits.count >= fewestDigits && digits.allSatisfy(isDigit)
      && Int64(String(decoding: number, as: UTF8.self)) == nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isPartOfNumber(_ byte: UInt8) -> Bool {
    isDigit(byte) || "+-.eE".utf8.contains(byte)
  }
}
