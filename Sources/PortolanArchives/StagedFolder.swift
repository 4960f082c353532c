public import Foundation
internal import Glibc

/// A folder being filled beside the place that it will take.
///
/// Nobody sees it under its name before all its files are whole and on the disk. One that goes
/// without being committed is removed; one left by a crash ends in `.part`, and
/// ``StagedFile/removeAbandoned(in:)`` removes it.
@safe
public struct StagedFolder: ~Copyable {
  private let url: URL
  private let temporaryURL: URL
  private let descriptor: Int32
  private var names: Set<String> = []
  private var isCommitted = false

  /// Begins a folder that will take the place of `url`, where nothing but an empty folder may be.
  ///
  /// - Throws: ``ArchiveError/unwritable(file:reason:)``.
  public init(_ url: URL) throws(ArchiveError) {
    self.url = url
    temporaryURL = url.deletingLastPathComponent()
      .appending(path: StagedName.random(), directoryHint: .isDirectory)
    try Self.makeFolder(temporaryURL)
    descriptor = unsafe Glibc.open(
      Self.withoutSlash(temporaryURL), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor >= 0 { StagedName.claim(descriptor) }
  }

  deinit {
    if descriptor >= 0 { Glibc.close(descriptor) }
    // What stays behind is hidden and of no use to anybody.
    if !isCommitted { try? FileManager.default.removeItem(at: temporaryURL) }
  }

  /// Where to write the file at a path below the folder, whose own folder is made.
  ///
  /// For writers that take a place of their own; the file must be on the disk before
  /// ``commit()``.
  ///
  /// - Throws: as ``add(_:contentsOf:)`` does.
  public mutating func place(for path: String) throws(ArchiveError) -> URL {
    let folder = url.path(percentEncoded: false)
    guard ZIPEntryName.safePath(path) == path else {
      throw .unsafeName(file: folder, entry: path)
    }
    guard names.insert(path).inserted else {
      throw .unwritable(file: folder, reason: "it has a file «\(path)» already")
    }
    let target = temporaryURL.appending(path: path)
    try Self.makeFolder(target.deletingLastPathComponent())
    return target
  }

  /// Writes a file.
  ///
  /// - Parameters:
  ///   - path: The path below the folder, with `/` between folders, which are made.
  ///   - source: The content.
  /// - Throws: ``ArchiveError/unsafeName(file:entry:)`` for a path that leads elsewhere,
  ///   ``ArchiveError/unwritable(file:reason:)``, also for a path that was used before, or
  ///   ``ArchiveError/cancelled``.
  public mutating func add(
    _ path: String, contentsOf source: any ByteSource
  ) throws(ArchiveError) {
    var file = try StagedFile(replacing: try place(for: path))
    for start in stride(from: 0, to: source.count, by: Self.pieceSize) {
      guard !Task.isCancelled else { throw .cancelled }
      try file.write(source.read(start..<min(start + Self.pieceSize, source.count)))
    }
    try file.commit()
  }

  /// Puts the folder in its place, durably.
  public consuming func commit() throws(ArchiveError) {
    let path = Self.withoutSlash(url)
    guard unsafe rename(Self.withoutSlash(temporaryURL), path) == 0 else {
      throw .unwritable(file: path, reason: SystemCall.failure())
    }
    isCommitted = true
    try StagedFile.syncFolder(of: path)
  }

  /// Puts the files into a folder that may hold others already, each of them durably.
  ///
  /// Files of the same names are replaced, all others stay. A crash leaves some files moved.
  public consuming func merge() throws(ArchiveError) {
    for name in names.sorted() {
      let target = url.appending(path: name)
      try Self.makeFolder(target.deletingLastPathComponent())
      let path = target.path(percentEncoded: false)
      guard unsafe rename(temporaryURL.appending(path: name).path(percentEncoded: false), path) == 0
      else { throw .unwritable(file: path, reason: SystemCall.failure()) }
      try StagedFile.syncFolder(of: path)
    }
  }

  private static var pieceSize: Int { 256 << 10 }

  private static func makeFolder(_ url: URL) throws(ArchiveError) {
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      throw .unwritable(
        file: url.path(percentEncoded: false), reason: error.localizedDescription)
    }
  }

  private static func withoutSlash(_ url: URL) -> String {
    let path = url.path(percentEncoded: false)
    return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }
}
