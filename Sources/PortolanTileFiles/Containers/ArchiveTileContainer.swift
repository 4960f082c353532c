internal import Foundation
internal import PortolanArchives
internal import PortolanTiles

/// A package in a ZIP archive.
struct ArchiveTileContainer: TileContainer {
  /// Compressed entries up to here are decompressed to memory, larger ones to the disk.
  private static let memoryLimit = 1 << 20
  /// The largest compressed entry that is decompressed to the disk.
  private static let diskLimit = 1 << 32

  private let archive: ZIPArchive

  init(_ archive: ZIPArchive) { self.archive = archive }

  var name: String { archive.source.name }

  var title: String { PackagePath.title(of: name) }

  func paths(named name: String) throws(TileError) -> [String] {
    let found = files.filter { PackagePath.endsWith(name, $0) }
    let byDepth = found.map { (depth: $0.utf8.count { $0 == UInt8(ascii: "/") }, path: $0) }
    return byDepth.filter { $0.depth < TileContainerLimits.searchDepth }
      .sorted { ($0.depth, $0.path) < ($1.depth, $1.path) }.map(\.path)
  }

  func names(in folder: String) throws(TileError) -> [String] {
    let names = files.compactMap { PackagePath.below(folder, $0)?.prefix { $0 != "/" } }
    return Set(names).map(String.init)
  }

  func paths(under folder: String, depth: Int) throws(TileError) -> [String] {
    files.compactMap { path in
      guard let rest = PackagePath.below(folder, path),
        rest.utf8.count(where: { $0 == UInt8(ascii: "/") }) == depth - 1
      else { return nil }
      return String(rest)
    }
  }

  func source(at path: String) throws(TileError) -> (any ByteSource)? {
    do {
      guard let entry = try archive.entry(named: path), entry.kind == .file else { return nil }
      let name = "\(name)/\(path)"
      if let range = try archive.storedRange(of: entry) {
        return try SubrangeByteSource(archive.source, range: range, name: name)
      }
      if entry.size <= Self.memoryLimit {
        let data = try archive.data(of: entry, limit: Self.memoryLimit)
        return MemoryByteSource(data, name: name)
      }
      return try decompressed(entry)
    } catch {
      throw TileError(error)
    }
  }

  func data(at path: String) throws(TileError) -> Data? {
    do {
      guard let entry = try archive.entry(named: path), entry.kind == .file else { return nil }
      return try archive.data(of: entry, limit: TileContainerLimits.documentSize)
    } catch {
      throw TileError(error)
    }
  }

  /// The paths of the files that can be read.
  private var files: some Sequence<String> {
    archive.entries.lazy.compactMap { $0.kind == .file ? $0.path : nil }
  }

  /// The entry as a file that has no name any more, and so goes with its last reader.
  private func decompressed(_ entry: ZIPEntry) throws(ArchiveError) -> any ByteSource {
    let url = FileManager.default.temporaryDirectory
      .appending(path: "portolan-\(UUID().uuidString)")
    try archive.unpack(entry, to: url, limit: Self.diskLimit)
    let source = try FileByteSource(at: url, access: .mapped)
    // A file left behind lies among the temporary ones, which the system clears.
    try? FileManager.default.removeItem(at: url)
    return try SubrangeByteSource(source, range: 0..<source.count, name: "\(name)/\(entry.name)")
  }
}
