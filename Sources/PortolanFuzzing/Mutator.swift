internal import Foundation
internal import PortolanGeometry

/// Changes inputs in the ways that break parsers: flips, extreme numbers, cuts, repeats, splices,
/// and words of the format where they do not belong.
struct Mutator {
  /// Inputs do not grow beyond this by repeating, so that a slow one is slow for its kind.
  private static let maximumSize = 1 << 16

  private var random: SplitMix64
  private let words: [String]

  /// Creates a mutator; the same seed makes the same changes.
  init(seed: UInt64, words: [String]) {
    random = SplitMix64(seed: seed)
    self.words = words
  }

  /// A changed copy of `input`; `others` lend pieces.
  mutating func mutate(_ input: Data, with others: [Data]) -> Data {
    var bytes = [UInt8](input)
    // Most inputs differ in few places, so that they get past the first check.
    let count = random.below(4) > 0 ? 1 + random.below(3) : 4 + random.below(12)
    for _ in 0..<count { change(&bytes, others) }
    return Data(bytes)
  }

  private mutating func change(_ bytes: inout [UInt8], _ others: [Data]) {
    guard !bytes.isEmpty else {
      bytes = [random.byte()]
      return
    }
    let place = random.below(bytes.count)
    switch random.below(16) {
    case 0: bytes[place] ^= 1 << UInt8(random.below(8))
    case 1: bytes[place] = random.byte()
    case 2: bytes.overwrite(at: place, with: extremeNumber())
    case 3: bytes.removeSubrange(place...)
    case 4: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(16)))
    case 5: repeatPiece(of: &bytes, at: place, times: 1)
    case 6: bytes.insert(random.byte(), at: place)
    case 7: splice(&bytes, at: place, from: others[random.below(others.count)])
    case 8: bytes.swapAt(place, random.below(bytes.count))
    case 9: replaceDigits(in: &bytes, from: place)
    case 10, 11: insertWord(into: &bytes, at: place)
    case 12: overwriteWithWord(&bytes, at: place)
    case 13, 14: replaceName(in: &bytes, from: place, others)
    default: repeatPiece(of: &bytes, at: place, times: 1 << random.below(9))
    }
  }

  private mutating func extremeNumber() -> [UInt8] {
    let numbers: [UInt64] = [
      0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF,
      0x7FFF_FFFF_FFFF_FFFF, .max,
    ]
    let number = numbers[random.below(numbers.count)]
    let width = [1, 2, 4, 8][random.below(4)]
    let bytes = (0..<width).map { UInt8(truncatingIfNeeded: number >> UInt64($0 * 8)) }
    return random.below(4) == 0 ? bytes.reversed() : bytes
  }

  private mutating func repeatPiece(of bytes: inout [UInt8], at place: Int, times: Int) {
    let piece = bytes[place..<min(bytes.count, place + 1 + random.below(64))]
    let room = max(0, Self.maximumSize - bytes.count) / piece.count
    let copies = (0..<min(times, room)).flatMap { _ in piece }
    bytes.insert(contentsOf: copies, at: place)
  }

  private mutating func splice(_ bytes: inout [UInt8], at place: Int, from other: Data) {
    guard !other.isEmpty else { return }
    let start = random.below(other.count)
    let piece = other.dropFirst(start).prefix(1 + random.below(64))
    let replaced = random.below(2) == 0 ? piece.count : 0
    bytes.replaceSubrange(place..<min(bytes.count, place + replaced), with: piece)
  }

  /// Puts another number into the place of the next one that is written in digits.
  private mutating func replaceDigits(in bytes: inout [UInt8], from place: Int) {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard let start = bytes[place...].firstIndex(where: digits.contains) else { return }
    let end = bytes[start...].firstIndex { !digits.contains($0) } ?? bytes.count
    let texts = [
      "0", "-1", "1e308", "-1e999", "1e-320", "NaN", "2147483648", "-2147483649",
      "9007199254740993",
      "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551616",
      "255", "65536", "0.1", "102100", "4326",
    ]
    bytes.replaceSubrange(start..<end, with: texts[random.below(texts.count)].utf8)
  }

  /// Puts a word of the format or of another input into the place of the next one.
  private mutating func replaceName(in bytes: inout [UInt8], from place: Int, _ others: [Data]) {
    guard let old = Self.name(in: bytes[...], from: place) else { return }
    let other = [UInt8](others[random.below(others.count)])
    if !words.isEmpty, random.below(2) == 0 {
      bytes.replaceSubrange(old, with: words[random.below(words.count)].utf8)
    } else if let new = Self.name(in: other[...], from: random.below(max(1, other.count))) {
      bytes.replaceSubrange(old, with: other[new])
    }
  }

  /// The first run of letters and digits.
  private static func name(in bytes: ArraySlice<UInt8>, from place: Int) -> Range<Int>? {
    func isPart(_ byte: UInt8) -> Bool {
      let lower = byte | 0x20
      return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lower)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
    }
    guard place < bytes.count, let start = bytes[place...].firstIndex(where: isPart) else {
      return nil
    }
    return start..<(bytes[start...].firstIndex { !isPart($0) } ?? bytes.count)
  }

  private mutating func insertWord(into bytes: inout [UInt8], at place: Int) {
    guard !words.isEmpty else { return }
    bytes.insert(contentsOf: words[random.below(words.count)].utf8, at: place)
  }

  private mutating func overwriteWithWord(_ bytes: inout [UInt8], at place: Int) {
    guard !words.isEmpty else { return }
    bytes.overwrite(at: place, with: Array(words[random.below(words.count)].utf8))
  }
}
