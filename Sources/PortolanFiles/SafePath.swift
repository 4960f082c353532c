/// A relative path that stays below the folder that it is appended to.
public struct SafePath: Hashable, Sendable {
  /// The path, its components parted by `/`.
  public let text: String

  /// Checks a path that a stranger has written; `nil` if it leads out of its folder.
  ///
  /// Refused are absolute paths, drive letters, `..`, zero bytes, and paths without a name.
  /// Backslashes, which Windows programs write, count as `/`; `.` is left out.
  public init?(_ path: String) {
    if Self.isPlain(path) {
      text = path
      return
    }
    guard let first = path.utf8.first, !Self.isSeparator(first), !path.utf8.contains(0) else {
      return nil
    }
    let parts = path.utf8.split(whereSeparator: Self.isSeparator).map { Substring($0) }
    let components = parts.filter { $0 != "." }
    guard let root = components.first, !Self.isDrive(root), !components.contains("..") else {
      return nil
    }
    text = components.joined(separator: "/")
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\")
  }

  /// Whether nothing in `path` asks for a closer look, which is so for nearly all paths.
  private static func isPlain(_ path: String) -> Bool {
    var previous = UInt8(ascii: "/")
    for byte in path.utf8 {
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
