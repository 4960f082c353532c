public import Foundation
public import PortolanFiles
internal import PortolanJSON

/// The indexes of the maps of a home: made when a map is first searched, used until it changes.
///
/// They are a cache in a folder of their own; no package is ever changed.
public struct LocatorIndexes: Sendable {
  /// The end of the names of indexes.
  static let suffix = "index"
  /// What is appended to the names of those that were set aside.
  private static let damaged = "damaged"

  private let folder: URL
  private let fileSystem: FileSystem

  /// Describes a folder, which is made when the first index is written.
  public init(in folder: URL, fileSystem: FileSystem = .live) {
    self.folder = folder
    self.fileSystem = fileSystem
  }

  /// The locator of a map: on the index that is there, if it is of the map as it is now, else on a new
  /// one.
  ///
  /// A layer that cannot be read leaves the others. A file that is no index is set aside as `<name>.damaged`.
  /// Where the folder cannot be written, or another package has taken the place of the open one, the index
  /// stays in memory.
  ///
  /// - Throws: ``SearchError/nothingToSearch(map:)`` and others.
  @concurrent public func locator(
    for subject: LocatorSubject, searching sources: [LocatorSource]
  ) async throws(SearchError) -> LocatorTask {
    guard !sources.isEmpty else { throw .nothingToSearch(map: subject.title) }
    guard subject.isInPlace else {
      return try await LocatorTask(indexing: sources, map: subject.title)
    }
    let url = url(of: subject)
    let state = subject.state(of: sources)
    if let index = usable(url), index.origin == state {
      return LocatorTask(sources: sources, index: index)
    }
    let made = try await LocatorIndexing.index(of: sources, map: subject.title, origin: state)
    guard !Task.isCancelled else { throw .cancelled }
    return LocatorTask(
      sources: sources, index: try index(made, at: url, of: subject),
      unsearched: made.unsearched)
  }

  /// The index on its file; one that lacks a layer is not kept, since the layer may be there again.
  private func index(
    _ made: LocatorIndexing.Outcome, at url: URL, of subject: LocatorSubject
  ) throws(SearchError) -> SearchIndex {
    if made.unsearched.isEmpty {
      do {
        try write(made.bytes, to: url)
        return try SearchIndex(at: url)
      } catch {
        return try SearchIndex(IndexBytes(made.bytes), name: subject.title)
      }
    }
    return try SearchIndex(IndexBytes(made.bytes), name: subject.title)
  }

  /// Where the index of a map is.
  func url(of subject: LocatorSubject) -> URL {
    let sum = IndexBytes(Array(subject.key.utf8)).checksum(from: 0)
    return folder.appending(path: String(sum, radix: 16)).appendingPathExtension(Self.suffix)
  }

  private func usable(_ url: URL) -> SearchIndex? {
    do {
      return try SearchIndex(at: url)
    } catch {
      // One of another version is not damaged: the new one takes its place.
      if case .damagedIndex = error, !SearchIndex.isOfOtherVersion(url) { setAside(url) }
      return nil
    }
  }

  /// Keeps one damaged file a map, for later diagnosis.
  private func setAside(_ url: URL) {
    // Where it cannot be moved, the new index takes its place.
    try? fileSystem.rename(url, to: url.appendingPathExtension(Self.damaged))
  }

  private func write(_ bytes: [UInt8], to url: URL) throws(FileError) {
    try fileSystem.createFolder(folder, permissions: 0o700)
    removeOrphans(besides: url)
    try fileSystem.write(Data(bytes), to: url, permissions: 0o600)
  }

  /// Removes the indexes of removed maps, those that only an older version could read, and what was set aside
  /// of an index that is not there any more.
  private func removeOrphans(besides own: URL) {
    // A folder that cannot be listed keeps what is in it.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names where !name.hasPrefix(own.lastPathComponent) {
      let url = folder.appending(path: name)
      guard isOrphan(url) else { continue }
      // What cannot be removed takes space and does no harm.
      try? fileSystem.erase(url)
    }
  }

  private func isOrphan(_ url: URL) -> Bool {
    switch url.pathExtension {
    case Self.suffix:
      SearchIndex.isOfOlderVersion(url)
        || package(ofIndexAt: url).map { !fileSystem.exists($0) } ?? false
    case Self.damaged: !fileSystem.exists(url.deletingPathExtension())
    default: false
    }
  }

  private func package(ofIndexAt url: URL) -> URL? {
    do {
      let state = try JSONValue(parsing: Data(try SearchIndex(at: url).origin))
      return state.object?.text("package").map { URL(filePath: $0) }
    } catch {
      // What cannot be read is not known to be of a removed map.
      return nil
    }
  }
}
