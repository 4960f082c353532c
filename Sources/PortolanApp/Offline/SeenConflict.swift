internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanOffline

/// A conflict as the user has seen it, to detect later changes on either side.
///
/// A number stands for it, which means nothing to another process.
public struct SeenConflict: Hashable, Sendable {
  /// The number.
  public let number: Int

  /// Hashes the visible content of a conflict.
  init(_ conflict: OfflineMapSyncTask.Conflict) {
    var hasher = Hasher()
    hasher.combine(conflict.issue)
    hasher.combine(conflict.mine.map { SeenFeature($0) })
    hasher.combine(conflict.theirs.map { SeenFeature($0) })
    // Related records and attachments are decided on with the feature.
    hasher.combine(conflict.edits)
    number = hasher.finalize()
  }

  /// A conflict that was not there when the user looked.
  public static let nothing = SeenConflict(number: 0)

  /// Takes over a number that another value had.
  public init(number: Int) { self.number = number }
}
