/// Numbers for byte strings, the same for the same bytes, in the order of their first use.
struct ByteStringTable {
  /// The strings, one behind the other.
  private(set) var bytes: [UInt8] = []
  /// Where each string ends; the first entry is where the first begins.
  private(set) var offsets: [Int] = [0]
  /// The numbers by the strings' hashes; -1 where there is none.
  private var slots = [Int32](repeating: -1, count: 1 << 12)

  /// How many strings there are.
  var count: Int { offsets.count - 1 }

  /// The bytes of a string.
  func range(_ number: Int) -> Range<Int> { offsets[number]..<offsets[number + 1] }

  /// The number of a string, a new one if it was not seen before.
  mutating func number(of string: Span<UInt8>) -> Int {
    var slot = Self.hash(string) & (slots.count - 1)
    while case let number = Int(slots[slot]), number >= 0 {
      if isEqual(number, string) { return number }
      slot = (slot + 1) & (slots.count - 1)
    }
    let number = count
    slots[slot] = Int32(truncatingIfNeeded: number)
    for index in 0..<string.count { bytes.append(string[index]) }
    offsets.append(bytes.count)
    if count * 2 > slots.count { grow() }
    return number
  }

  private func isEqual(_ number: Int, _ string: Span<UInt8>) -> Bool {
    let start = offsets[number]
    guard offsets[number + 1] - start == string.count else { return false }
    for index in 0..<string.count where bytes[start + index] != string[index] { return false }
    return true
  }

  private mutating func grow() {
    slots = [Int32](repeating: -1, count: slots.count * 2)
    for number in 0..<count {
      var slot = Self.hash(bytes.span.extracting(range(number))) & (slots.count - 1)
      while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(truncatingIfNeeded: number)
    }
  }

  private static func hash(_ string: Span<UInt8>) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in 0..<string.count { hash = (hash ^ UInt64(string[index])) &* 0x100_0000_01B3 }
    return Int(truncatingIfNeeded: (hash ^ hash >> 29) & 0x7FFF_FFFF)
  }
}
