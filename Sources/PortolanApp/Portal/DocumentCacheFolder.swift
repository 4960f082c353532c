public import Foundation
internal import PortolanFiles
public import PortolanPortal

/// Stores the metadata of portals and services in a folder, a file each.
///
/// A document that cannot be written or read counts as not stored: a map can be shown all the same.
public actor DocumentCacheFolder: DocumentCache {
  /// A document with its address, since names of files are shorter.
  private struct Entry: Codable {
    var address: String
    var document: CachedDocument
  }

  /// The maximum number of documents kept; the oldest go first.
  private static let most = 2_000
  /// A limit for the size of an entry, in bytes.
  private static let largestEntry = 8 << 20
  /// The time for which a document that has not changed is left as it was written, in seconds.
  private static let rest: TimeInterval = 3_600

  private let folder: URL
  private let prepare: @Sendable () throws -> Void
  private let now: @Sendable () -> Date

  /// Creates a cache; nothing is written before there is something to store.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - prepare: Makes what the folder lies in.
  ///   - now: The time.
  public init(
    folder: URL, prepare: @escaping @Sendable () throws -> Void = {},
    now: @escaping @Sendable () -> Date
  ) {
    self.folder = folder
    self.prepare = prepare
    self.now = now
  }

  public func keep(_ document: CachedDocument, for address: String) {
    var document = document
    document.fetched = now()
    guard !isRested(document, for: address) else { return }
    do {
      try prepare()
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let entry = Entry(address: address, document: document)
      try FileSystem.live.write(
        try JSONEncoder().encode(entry), to: file(of: address), permissions: 0o600)
      try removeOldest()
    } catch {
      // The document is stored at the next occasion.
    }
  }

  public func document(for address: String) -> CachedDocument? {
    do {
      let data = try FileSystem.live.read(file(of: address), limit: Self.largestEntry)
      let entry = try JSONDecoder().decode(Entry.self, from: data)
      return entry.address == address ? entry.document : nil
    } catch {
      // As said above.
      return nil
    }
  }

  /// Forgets all documents.
  public func clear() {
    // A folder that is not there holds none; one that cannot be removed now is removed another time.
    try? FileManager.default.removeItem(at: folder)
  }

  /// Whether the same document was written a short while ago.
  private func isRested(_ document: CachedDocument, for address: String) -> Bool {
    guard let last = self.document(for: address), last.body == document.body,
      let before = last.fetched, let date = document.fetched
    else { return false }
    return abs(date.timeIntervalSince(before)) < Self.rest
  }

  /// Removes the oldest documents, a tenth of all at a time.
  private func removeOldest() throws {
    guard try FileSystem.live.names(in: folder).count > Self.most else { return }
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: [.contentModificationDateKey])
    let dated = try files.map { file in
      let values = try file.resourceValues(forKeys: [.contentModificationDateKey])
      return (file, values.contentModificationDate ?? .distantPast)
    }
    let oldest = dated.sorted { $0.1 < $1.1 }
    for (file, _) in oldest.prefix(Self.most / 10) { try FileManager.default.removeItem(at: file) }
  }

  /// The file of an address; two addresses that share one take turns.
  private func file(of address: String) -> URL { folder.appending(documentNamedAfter: address) }
}
