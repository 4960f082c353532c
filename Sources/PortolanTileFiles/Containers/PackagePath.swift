/// Paths inside a package, with `/` between names and none at the start.
enum PackagePath {
  /// The path that a document at `document` means by `relative`.
  ///
  /// - Returns: `nil` if it would lead out of the package, or is absolute.
  static func resolve(_ relative: String, besides document: String) -> String? {
    resolve(relative, in: folder(of: document))
  }

  /// The path that `relative` means, counted from `folder`.
  ///
  /// - Returns: `nil` if it would lead out of the package, or is absolute.
  static func resolve(_ relative: String, in folder: String) -> String? {
    guard !relative.hasPrefix("/"), !relative.contains("\\"), !relative.contains(":"),
      !relative.contains("\0")
    else { return nil }
    var names = folder.split(separator: "/")
    for name in relative.split(separator: "/") where name != "." {
      if name == ".." {
        guard names.popLast() != nil else { return nil }
      } else {
        names.append(name)
      }
    }
    return names.joined(separator: "/")
  }

  /// A path below a folder, either of which may be empty.
  static func join(_ folder: String, _ path: String) -> String {
    folder.isEmpty ? path : path.isEmpty ? folder : "\(folder)/\(path)"
  }

  /// The path before the last name; empty at the top.
  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }

  static func lastName(of path: String) -> Substring {
    path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
  }

  /// The last name without its extension, for people.
  static func title(of path: String) -> String {
    let file = lastName(of: path)
    return file.lastIndex(of: ".").map { String(file[..<$0]) } ?? String(file)
  }

  /// Whether the last name of `path` is `name`, in lower case, when case is ignored.
  static func endsWith(_ name: String, _ path: String) -> Bool {
    guard equalEnds(name.utf8.reversed(), path.utf8.reversed()) else { return false }
    let start = path.utf8.index(path.utf8.endIndex, offsetBy: -name.utf8.count)
    return start == path.utf8.startIndex
      || path.utf8[path.utf8.index(before: start)] == UInt8(ascii: "/")
  }

  /// The part of `path` after `folder`, or `nil` if the path does not lead there; case is
  /// ignored, as it is by those who made the archives.
  static func below(_ folder: String, _ path: String) -> Substring? {
    guard !folder.isEmpty else { return path[...] }
    guard equalEnds(folder.utf8, path.utf8) else { return nil }
    let end = path.utf8.index(path.utf8.startIndex, offsetBy: folder.utf8.count)
    guard end < path.utf8.endIndex, path.utf8[end] == UInt8(ascii: "/") else { return nil }
    return path[path.utf8.index(after: end)...]
  }

  /// Whether `bytes` begin with `start`, letters of the Latin alphabet compared without case.
  private static func equalEnds(
    _ start: some Sequence<UInt8>, _ bytes: some Sequence<UInt8>
  ) -> Bool {
    var iterator = bytes.makeIterator()
    return start.allSatisfy { lowercased($0) == iterator.next().map(lowercased) }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
