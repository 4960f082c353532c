internal import Synchronization

/// Remembers which feature an attachment belongs to, since services ask for it.
final class AttachmentParents: Sendable {
  private struct Key: Hashable {
    let table: String
    let attachment: Int64
  }

  /// More than are listed before their contents are requested.
  private static let limit = 100_000

  private let parents = Mutex<[Key: Int64]>([:])

  func note(_ attachments: [Int64], of objectID: Int64, in table: String) {
    parents.withLock { parents in
      if parents.count > Self.limit { parents = [:] }
      for attachment in attachments {
        parents[Key(table: table, attachment: attachment)] = objectID
      }
    }
  }

  func parent(of attachment: Int64, in table: String) -> Int64? {
    parents.withLock { $0[Key(table: table, attachment: attachment)] }
  }
}
