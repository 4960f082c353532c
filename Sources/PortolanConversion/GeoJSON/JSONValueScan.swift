/// Finds the end of a JSON value without reading what it says.
struct JSONValueScan {
  private var depth = 0
  private var isInString = false
  private var isAfterBackslash = false
  private var isScalar = false
  /// Whether the end was found.
  private(set) var isDone = false

  /// Goes along `bytes`; returns where the value ends, or the end of `bytes` if it continues.
  ///
  /// A byte that no value has, if given, ends it as the end of the file does.
  mutating func advance(in bytes: [UInt8], from start: Int, before end: UInt8? = nil) -> Int {
    // No byte is below 0.
    let end = end.map { Int($0) } ?? -1
    var index = start
    while index < bytes.count, !isDone {
      let byte = bytes[index]
      if Int(byte) == end { return index }
      if isScalar, Self.endsScalar(byte) {
        isDone = true
        return index
      }
      if isInString { advanceInString(byte) } else { advance(byte) }
      index += 1
    }
    return index
  }

  /// Whether a value that the end of the file cuts off is whole: a number may be.
  var isWholeAtEnd: Bool { isDone || isScalar }

  private mutating func advanceInString(_ byte: UInt8) {
    if isAfterBackslash {
      isAfterBackslash = false
    } else if byte == UInt8(ascii: "\\") {
      isAfterBackslash = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
      isDone = depth == 0
    }
  }

  private mutating func advance(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
      isDone = depth <= 0
    case UInt8(ascii: "\""): isInString = true
    default: isScalar = depth == 0
    }
  }

  private static func endsScalar(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x09...0x0D, 0x20: true
    default: false
    }
  }
}
