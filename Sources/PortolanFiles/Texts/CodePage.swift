internal import CIconv

/// An encoding of texts that are not in Unicode, as files of old systems have them.
public struct CodePage: Hashable, Sendable {
  private let name: String

  /// The encoding that files call so: `CP1251`, `ANSI 1251`, `windows-1251`, `1251`, `ISO-8859-2`, `88592`,
  /// `GBK`, `Shift_JIS`; `nil` if none of that name is known.
  public init?(named label: String) {
    let known = Self.candidates(for: label).first { Self.decoded([], $0) != nil }
    guard let known else { return nil }
    name = known
  }

  /// The text that bytes stand for; what stands for no character becomes U+FFFD.
  public func text(_ bytes: [UInt8]) -> String {
    // What is ASCII is so in all of them.
    let isPlain = bytes.allSatisfy { $0 < 0x80 }
    let decoded = isPlain ? bytes : Self.decoded(bytes, name) ?? bytes
    return String(decoding: decoded, as: UTF8.self)
  }

  /// Bytes in an encoding as UTF-8; `nil` if there is no such encoding.
  private static func decoded(_ bytes: [UInt8], _ name: String) -> [UInt8]? {
    var text = [UInt8](repeating: 0, count: max(1, 4 * bytes.count))
    let count = unsafe text.withUnsafeMutableBufferPointer {
      unsafe ciconv_decode(name, bytes, bytes.count, $0.baseAddress)
    }
    return count < 0 ? nil : Array(text.prefix(count))
  }

  // MARK: - Names

  /// What programs write before the number of an encoding.
  private static let prefixes: Set<String> = [
    "", "CP", "MS", "WIN", "WINDOWS", "ANSI", "OEM", "DOS", "IBM", "ISO",
  ]

  /// Numbers of Windows for encodings that have other names elsewhere.
  private static let numbered = [
    10_000: "MACINTOSH", 20_866: "KOI8-R", 21_866: "KOI8-U", 51_932: "EUC-JP", 51_949: "EUC-KR",
    54_936: "GB18030",
  ]

  /// The names under which the C library may know an encoding, the likeliest first.
  private static func candidates(for label: String) -> [String] {
    let plain = label.uppercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    let digits = plain.drop { $0.isLetter }
    var names: [String] = []
    if prefixes.contains(String(plain.dropLast(digits.count))), let number = Int(digits) {
      names.append(name(numbered: number))
    }
    let isName = label.allSatisfy { character in
      character.isASCII && (character.isLetter || character.isNumber || "-_.".contains(character))
    }
    if isName, !label.isEmpty { names.append(label.uppercased()) }
    return names
  }

  private static func name(numbered number: Int) -> String {
    if let name = numbered[number] { return name }
    let part =
      if (28_591...28_606).contains(number) {
        number - 28_590
      } else if (88_591...88_599).contains(number) {
        number - 88_590
      } else if (885_910...885_916).contains(number) {
        number - 885_900
      } else { 0 }
    // Programs that say Latin-1 write what Windows has in its place, which is that and more.
    return part == 0 ? "CP\(number)" : part == 1 ? "CP1252" : "ISO-8859-\(part)"
  }
}
