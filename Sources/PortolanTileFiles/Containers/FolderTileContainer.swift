internal import Foundation
internal import PortolanArchives
internal import PortolanTiles

/// A package that was unpacked, or a cache that never was packed.
struct FolderTileContainer: TileContainer {
  let name: String
  private let folder: URL
  private let access: FileByteSource.Access

  init(_ folder: URL, access: FileByteSource.Access) {
    self.folder = folder
    self.access = access
    let path = folder.path(percentEncoded: false)
    self.name = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  var title: String { folder.deletingPathExtension().lastPathComponent }

  func paths(named name: String) throws(TileError) -> [String] { search(for: name).found }

  var missingDocument: TileError {
    let (found, count) = search(for: "conf.xml")
    guard found.isEmpty, count >= TileContainerLimits.searchedNames else {
      return Self.none(in: name)
    }
    return .unsupported(
      file: name,
      reason: "none of the first \(count) files and folders in it describes tiles, as a "
        + "conf.xml or a root.json does")
  }

  /// The files with a last name, those nearest the top first, and how many names were looked at.
  private func search(for name: String) -> (found: [String], count: Int) {
    var found: [String] = []
    var looked = 0
    var folders = [""]
    for _ in 0..<TileContainerLimits.searchDepth {
      var deeper: [String] = []
      for folder in folders where looked < TileContainerLimits.searchedNames {
        let children = children(of: folder).sorted()
        found += children.filter { $0.lowercased() == name }.map { PackagePath.join(folder, $0) }
        let rest = TileContainerLimits.searchedNames - looked
        looked += children.count
        for child in children.prefix(rest) {
          let path = PackagePath.join(folder, child)
          // Below are tiles by the million, and nothing that describes them.
          let holdsTiles = BundleID.level(ofFolder: child[...]) != nil
          if !holdsTiles, Self.isFolder(url(path)) { deeper.append(path) }
        }
      }
      folders = looked < TileContainerLimits.searchedNames ? deeper : []
    }
    return (found, looked)
  }

  func names(in folder: String) throws(TileError) -> [String] { children(of: folder) }

  func paths(under folder: String, depth: Int) throws(TileError) -> [String] {
    (0..<depth).reduce([""]) { parents, _ in
      parents.flatMap { parent in
        // A file on the way has nothing below it, which is what the listing says.
        children(of: PackagePath.join(folder, parent)).map { PackagePath.join(parent, $0) }
      }
    }
  }

  func source(at path: String) throws(TileError) -> (any ByteSource)? {
    let url = url(path)
    guard FileManager.default.fileExists(atPath: url.path(percentEncoded: false)) else {
      return nil
    }
    do { return try FileByteSource(at: url, access: access) } catch { throw TileError(error) }
  }

  func data(at path: String) throws(TileError) -> Data? {
    guard let source = try source(at: path) else { return nil }
    guard source.count <= TileContainerLimits.documentSize else {
      throw .damaged(file: name, place: path, reason: "it is \(source.count) bytes long")
    }
    return try source.bytes(0..<source.count)
  }

  private func url(_ path: String) -> URL {
    path.isEmpty ? folder : folder.appending(path: path)
  }

  /// Whether there is a folder at `url`.
  static func isFolder(_ url: URL) -> Bool {
    var isDirectory: ObjCBool = false
    let path = url.path(percentEncoded: false)
    return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
      && isDirectory.boolValue
  }

  /// The names in a folder; none where it is absent, no folder, or closed to us.
  private func children(of path: String) -> [String] {
    // What cannot be listed holds nothing that can be read; a tile asked for says so itself.
    (try? FileManager.default.contentsOfDirectory(
      atPath: url(path).path(percentEncoded: false))) ?? []
  }
}
