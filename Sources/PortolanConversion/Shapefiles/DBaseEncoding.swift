internal import Foundation
internal import PortolanFiles

/// The encoding of the names and texts of a table in the format of dBASE.
struct DBaseEncoding {
  /// The one that the file beside the table names, unless that is UTF-8.
  private let named: CodePage?
  /// The one of texts that are not in UTF-8.
  private let fallback: CodePage?
  /// What people call the one that the file beside the table names.
  private let namedLabel: String
  /// What people call the one of texts that are not in UTF-8.
  private let defaultName: String
  /// Whether nothing says that texts are in another encoding than UTF-8.
  private let expectsUTF8: Bool

  /// - Parameters:
  ///   - label: What the `.cpg` beside the table says, if there is one.
  ///   - driver: The byte of the header that stands for the language.
  init(label: String?, driver: UInt8) {
    let blanks = CharacterSet.whitespacesAndNewlines.union(CharacterSet(charactersIn: "\u{FEFF}\0"))
    let label = (label ?? "").trimmingCharacters(in: blanks).uppercased()
    let isUTF8 = label.contains("UTF-8") || label.contains("UTF8") || label == "65001"
    // Some name the byte of the header there.
    let number = label.hasPrefix("LDID/") ? UInt8(label.dropFirst(5)) : nil
    named = isUTF8 || number != nil ? nil : CodePage(named: label)
    let page = Self.pages.first { $0.value.contains(number ?? driver) }?.key
    fallback = CodePage(named: "\(page ?? 1252)")
    namedLabel = label
    defaultName = page.map { "code page \($0)" } ?? "Windows-1252"
    expectsUTF8 = isUTF8 || page == nil
  }

  /// The text that bytes stand for.
  func text(_ data: Data) -> String {
    let bytes = Array(data)
    if let named { return named.text(bytes) }
    // Without a word on the encoding, what is no UTF-8 is what the header says, or Windows wrote.
    return String(validating: bytes, as: UTF8.self) ?? (expectsUTF8 ? Self.cut(bytes) : nil)
      ?? fallback?.text(bytes) ?? String(decoding: bytes, as: UTF8.self)
  }

  /// What people call the encoding of a text; `nil` where it is UTF-8.
  func name(ofEncodingOf data: Data) -> String? {
    guard data.contains(where: { $0 >= 0x80 }) else { return nil }
    if named != nil { return namedLabel }
    let bytes = Array(data)
    let isUTF8 =
      String(validating: bytes, as: UTF8.self) != nil || expectsUTF8 && Self.cut(bytes) != nil
    return isUTF8 ? nil : defaultName
  }

  /// A text in UTF-8 without its last character, of which the length of the field has left a part; `nil` if
  /// it is none.
  private static func cut(_ bytes: [UInt8]) -> String? {
    let padding: Set<UInt8> = [0, 0x20]
    let end = bytes.lastIndex { !padding.contains($0) } ?? 0
    guard let start = bytes.lastIndex(where: { $0 >= 0xC0 }), start <= end else { return nil }
    let length = bytes[start] >= 0xF0 ? 4 : bytes[start] >= 0xE0 ? 3 : 2
    let (whole, rest) = (bytes[..<start], bytes[start...end].dropFirst())
    // A single byte that is no ASCII is rather a letter of another encoding.
    guard rest.count + 1 < length, rest.allSatisfy({ (0x80..<0xC0).contains($0) }),
      whole.contains(where: { $0 >= 0x80 })
    else { return nil }
    return String(validating: whole, as: UTF8.self)
  }

  /// The code pages that bytes of headers stand for; those of Windows for the west are left out.
  ///
  /// - SeeAlso: [dBASE file structure](https://www.clicketyclick.dk/databases/xbase/format/dbf.html)
  private static let pages: [Int: Set<UInt8>] = [
    437: [0x01, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x15, 0x18, 0x19, 0x1B],
    737: [0x6A, 0x86], 850: [0x02, 0x0A, 0x0E, 0x10, 0x12, 0x14, 0x16, 0x1A, 0x1D, 0x25, 0x37],
    852: [0x1F, 0x22, 0x23, 0x40, 0x64, 0x87], 857: [0x6B, 0x88], 860: [0x24], 861: [0x67],
    863: [0x1C, 0x6C], 865: [0x08, 0x17, 0x66], 866: [0x26, 0x65], 874: [0x50, 0x7C],
    932: [0x13, 0x7B], 936: [0x4D, 0x7A], 949: [0x4E, 0x79], 950: [0x4F, 0x78], 1250: [0xC8],
    1251: [0xC9], 1253: [0xCB], 1254: [0xCA], 1255: [0x7D], 1256: [0x7E], 1257: [0xCC],
    10_000: [0x04],
  ]
}
