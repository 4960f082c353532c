internal import Foundation
internal import PortolanSQLite

/// The files of a package, whether they are in a folder or in an archive.
///
/// Paths are relative to the package's root, with slashes, as they are spelled in it.
protocol PackageContents: Sendable {
  /// The file or folder, for messages.
  var name: String { get }

  /// Whether its files may be changed in place.
  var isWritable: Bool { get }

  /// The paths of all files, in the order of the archive or by name.
  var paths: [String] { get }

  /// The bytes of a file.
  ///
  /// - Throws: ``PackageError/damaged(file:place:reason:)`` if the file is missing, damaged or
  ///   larger than `limit`.
  func data(at path: String, limit: Int) throws(PackageError) -> Data

  /// The location of a file's bytes on disk, uncompressed.
  ///
  /// A file that is compressed in an archive is unpacked first, once.
  func location(of path: String) throws(PackageError) -> FileLocation
}

/// The location of a file's bytes.
enum FileLocation: Hashable, Sendable {
  /// They are a file or folder of their own.
  case file(URL)
  /// They are a part of another file.
  case region(FileRegion)
}

/// The limits on what is read whole.
enum PackageLimits {
  /// The largest metadata or map document, in bytes; what is larger is no such thing.
  static let documentSize = 64 << 20
}

extension PackageContents {
  /// The files that may be parts of maps; not those that begin with a dot, such as the `._` file that macOS
  /// writes beside each file on a disk without extended attributes.
  var visiblePaths: [String] { paths.filter { !$0.isHiddenInPackage } }

  /// The visible files directly in the root.
  var rootPaths: [String] { visiblePaths.filter { !$0.contains("/") } }

  /// The path that equals `path`, or else that equals it without case.
  func spelling(of path: String) -> String? {
    if paths.contains(path) { return path }
    return paths.first { $0.lowercased() == path.lowercased() }
  }
}

extension [String] {
  /// The first of these paths whose last component is `name`, without case; the shallowest wins.
  func shallowestPath(ofFileNamed name: String) -> String? {
    let name = name.lowercased()
    let matches = filter { $0.lowercased().split(separator: "/").last.map(String.init) == name }
    return matches.min { $0.count(where: { $0 == "/" }) < $1.count(where: { $0 == "/" }) }
  }
}
