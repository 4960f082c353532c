extension String {
  /// The text in braces, if it is a GUID without them.
  package var withGUIDBraces: String {
    switch utf8.count {
    case 36: isGUIDWithoutBraces ? "{\(self)}" : self
    default: self
    }
  }

  private var isGUIDWithoutBraces: Bool {
    var index = 0
    for byte in utf8 {
      let isHyphen = index == 8 || index == 13 || index == 18 || index == 23
      guard isHyphen ? byte == UInt8(ascii: "-") : byte.isHexadecimal else { return false }
      index += 1
    }
    return true
  }
}

extension UInt8 {
  fileprivate var isHexadecimal: Bool {
    let letter = self | 0x20
    return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(letter)
  }
}
