internal import Foundation
internal import PortolanMap

extension FuzzTarget {
  /// A path of a package is read, resolved and written; what it resolves to stays inside.
  static let packagePath = FuzzTarget(
    "package-path",
    words: ["../", "..", "/", "\\", "%2e%2e%2f", "%00", "file:", "C:", "?itemId=", "&"],
    texts: [
      "file:./a%20b.geodatabase?itemId=3", "file:../commondata/x.vtpk", "FILE:.\\p13\\x.tpkx",
      "file:a/../b/./c.tpk?x=1&itemid=9",
    ]
  ) { data in
    let text = String(decoding: data, as: UTF8.self)
    guard let path = PackagePath(parsing: text) else { return }
    _ = path.fileExtension
    let copy = PackagePath(parsing: path.text)
    try FuzzFinding.check(copy == path || path.path.isEmpty, "is written as another path")
    for folder in ["", "p13", "p13/maps"] {
      // Leading out of one folder may be right in another.
      guard let resolved = try? path.resolved(relativeTo: folder) else { continue }
      let parts = resolved.split(separator: "/", omittingEmptySubsequences: false)
      let isInside = !parts.contains("..") && !resolved.hasPrefix("/") && !resolved.contains("\0")
      try FuzzFinding.check(isInside, "leads out of its package, to \"\(resolved)\"")
    }
  }
}
