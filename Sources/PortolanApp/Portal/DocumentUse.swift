internal import Foundation
internal import PortolanLocks
internal import PortolanPortal

/// A map's use of stored documents: how old they are.
final class DocumentUse: DocumentCache {
  private let documents: any DocumentCache
  private let oldest = Locked<Date?>(nil)

  /// Begins with none.
  init(_ documents: any DocumentCache) { self.documents = documents }

  /// The date of the oldest document that took the place of an answer; `nil` if none did.
  var keptSince: Date? { oldest.withLock { $0 } }

  /// Forgets what was taken.
  func forget() { oldest.withLock { $0 = nil } }

  func keep(_ document: CachedDocument, for address: String) async {
    await documents.keep(document, for: address)
  }

  func document(for address: String) async -> CachedDocument? {
    guard let document = await documents.document(for: address) else { return nil }
    let date = document.fetched ?? .distantPast
    oldest.withLock { $0 = min($0 ?? date, date) }
    return document
  }
}
