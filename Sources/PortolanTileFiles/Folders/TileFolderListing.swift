internal import Foundation
internal import PortolanArchives
internal import PortolanFiles
internal import PortolanTiles

/// The files of a folder of tiles, in folders of levels and columns: `Z/X/Y.png`.
///
/// A link counts as what it leads to, if that lies in the folder too.
struct TileFolderListing: Sendable {
  /// The folder.
  let folder: URL
  /// Whether rows are counted from the bottom.
  var isTMS = false
  /// The endings of the names of tiles, the likeliest first.
  var endings = Self.knownEndings
  /// The path of the folder without links, with a slash at its end.
  private let root: String
  private let fileSystem: FileSystem

  static let knownEndings = [
    "png", "jpg", "jpeg", "webp", "pbf", "mvt", "PNG", "JPG", "JPEG", "WEBP",
  ]

  init(_ folder: URL, in fileSystem: FileSystem = .live) {
    self.folder = folder
    self.fileSystem = fileSystem
    let path = folder.resolvingSymlinksInPath().path(percentEncoded: false)
    root = path.hasSuffix("/") ? path : path + "/"
  }

  /// The folder, for messages.
  var name: String { FolderTileContainer(folder, access: .copying).name }

  // MARK: - Files

  /// The file of a tile; `nil` if there is none.
  func file(of id: TileID) throws(TileError) -> FileByteSource? {
    guard Self.hasAddress(id) else { return nil }
    let column = column(id.column, ofLevel: id.level)
    guard try kind(of: level(id.level)) == .folder, try kind(of: column) == .folder else {
      return nil
    }
    let row = isTMS ? id.tmsRow : id.row
    for ending in endings {
      let url = column.appending(path: "\(row).\(ending)")
      guard try kind(of: url) == .file else { continue }
      do { return try FileByteSource(at: url) } catch { throw TileError(error) }
    }
    return nil
  }

  /// A document beside the folders of levels; `nil` if it is absent.
  func document(named name: String) throws(TileError) -> Data? {
    let url = folder.appending(path: name)
    guard try kind(of: url) == .file else { return nil }
    do { return try fileSystem.read(url, limit: TileContainerLimits.parsedSize) } catch {
      throw TileError(error)
    }
  }

  private static func hasAddress(_ id: TileID) -> Bool {
    guard (0...WebMercatorQuad.maximumLevel).contains(id.level) else { return false }
    let sides = 0..<1 << id.level
    return sides.contains(id.row) && sides.contains(id.column)
  }

  // MARK: - Lists

  /// The levels that have a folder, in order.
  func levels() throws(TileError) -> [Int] {
    var ignored = IgnoredNames()
    return try numbered(in: folder, below: WebMercatorQuad.maximumLevel + 1, &ignored)
  }

  /// The columns of a level that have a folder, in order.
  func columns(ofLevel number: Int, _ ignored: inout IgnoredNames) throws(TileError) -> [Int] {
    try numbered(in: level(number), below: 1 << number, &ignored)
  }

  /// The tiles of a column, row by row from the top, and how many there are by the endings of their names.
  func tiles(
    ofColumn number: Int, level: Int, _ ignored: inout IgnoredNames
  ) throws(TileError) -> (ids: [TileID], endings: [String: Int]) {
    let url = column(number, ofLevel: level)
    var found: Set<TileID> = []
    var count: [String: Int] = [:]
    for name in try names(in: url) {
      let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      let isTile = parts.count == 2 && endings.contains(String(parts[1]))
      guard isTile,
        let row = Self.number(parts[0], below: 1 << level),
        try kind(of: url.appending(path: name)) == .file
      else {
        ignored.add("\(level)/\(number)/\(name)", isTile: isTile)
        continue
      }
      let stored = TileID(level: level, row: row, column: number)
      found.insert(isTMS ? TileID(level: level, row: stored.tmsRow, column: number) : stored)
      count[parts[1].lowercased(), default: 0] += 1
    }
    return (found.sorted(), count)
  }

  /// The folders that are named as numbers below a limit, in order.
  private func numbered(
    in url: URL, below limit: Int, _ ignored: inout IgnoredNames
  ) throws(TileError) -> [Int] {
    var numbers: [Int] = []
    for name in try names(in: url) {
      if let number = Self.number(name[...], below: limit),
        try kind(of: url.appending(path: name)) == .folder
      {
        numbers.append(number)
      } else {
        ignored.add("\(url.lastPathComponent)/\(name)")
      }
    }
    return numbers.sorted()
  }

  /// The number that a name is, as it is written in addresses: without a sign or zeros in front.
  private static func number(_ text: Substring, below limit: Int) -> Int? {
    guard let number = Int(text), (0..<limit).contains(number), String(number) == text else {
      return nil
    }
    return number
  }

  private func names(in url: URL) throws(TileError) -> [String] {
    do { return try fileSystem.names(in: url) } catch { throw TileError(error) }
  }

  private func level(_ number: Int) -> URL {
    folder.appending(path: String(number), directoryHint: .notDirectory)
  }

  private func column(_ number: Int, ofLevel level: Int) -> URL {
    self.level(level).appending(path: String(number), directoryHint: .notDirectory)
  }

  /// The kind of a name; `nil` if nothing has it, or it is a link out of the folder.
  private func kind(of url: URL) throws(TileError) -> FileType? {
    do throws(FileError) {
      guard let status = try FileStatus(at: url) else { return nil }
      guard status.kind == .link else { return status.kind }
      let target = url.resolvingSymlinksInPath().path(percentEncoded: false)
      guard target.hasPrefix(root) else { return nil }
      return try FileStatus(at: url, links: .followed)?.kind
    } catch {
      throw TileError(error)
    }
  }
}

/// The names in a folder of tiles that are those of no tile.
struct IgnoredNames: Hashable, Sendable {
  /// How many there are.
  private(set) var count = 0
  /// How many of them are files that end as tiles do.
  private(set) var tileCount = 0
  /// The first of them.
  private(set) var first: String?

  mutating func add(_ path: String, isTile: Bool = false) {
    count += 1
    if isTile { tileCount += 1 }
    first = first ?? path
  }
}
