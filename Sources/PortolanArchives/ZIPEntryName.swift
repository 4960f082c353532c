/// How names of entries are read, and which of them are safe.
enum ZIPEntryName {
  /// The text of a raw name.
  ///
  /// The format knows two encodings, told apart by a flag that many writers forget: so bytes
  /// that are valid UTF-8 are taken for it, and CP437 is what remains.
  static func decode(_ bytes: UnsafeRawBufferPointer, isMarkedUTF8: Bool) -> String {
    if let text = unsafe String(validating: bytes, as: UTF8.self) { return text }
    if isMarkedUTF8 { return unsafe String(decoding: bytes, as: UTF8.self) }
    return unsafe CodePage437.decode(bytes)
  }

  /// `name` as a path below the folder that it is unpacked to; `nil` if it leads out of there.
  ///
  /// Refused are absolute paths, drive letters, `..`, zero bytes, and names without a letter.
  static func safePath(_ name: String) -> String? {
    if isPlain(name) { return name }
    guard let first = name.utf8.first, !isSeparator(first), !name.utf8.contains(0) else {
      return nil
    }
    let parts = name.utf8.split(whereSeparator: isSeparator).map { Substring($0) }
    let components = parts.filter { $0 != "." }
    guard let root = components.first, !isDrive(root), !components.contains("..") else {
      return nil
    }
    return components.joined(separator: "/")
  }

  // Windows programs write backslashes, although the format forbids them.
  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\")
  }

  /// Whether nothing in `name` asks for a closer look, which is so for nearly all names.
  private static func isPlain(_ name: String) -> Bool {
    var previous = UInt8(ascii: "/")
    for byte in name.utf8 {
      switch byte {
      case 0, UInt8(ascii: "\\"), UInt8(ascii: ":"): return false
      case UInt8(ascii: "."), UInt8(ascii: "/"):
        if previous == UInt8(ascii: "/") { return false }
      default: break
      }
      previous = byte
    }
    return previous != UInt8(ascii: "/")
  }

  /// Whether `component` is a drive letter, which Windows reads as a place of its own.
  private static func isDrive(_ component: Substring) -> Bool {
    let bytes = Array(component.utf8.prefix(2))
    guard bytes.count == 2, bytes[1] == UInt8(ascii: ":") else { return false }
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[0] | 0x20)
  }
}
