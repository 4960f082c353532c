internal import PortolanFeatures

/// The popup of a feature as a user has seen it, to detect later changes of the feature, of its files and of its
/// related records.
///
/// A number stands for it, which means nothing to another process. What expressions make of them does not count: it
/// may depend on the time.
public struct SeenPopup: Hashable, Sendable {
  /// The number.
  public let number: Int

  /// Hashes the visible content of a popup.
  public init(_ selection: PopupsModel.Selection) {
    var hasher = Hasher()
    hasher.combine(SeenFeature(selection.feature))
    hasher.combine(selection.attachments)
    for records in selection.related {
      hasher.combine(records.name)
      hasher.combine(records.features.map { SeenFeature($0) })
    }
    number = hasher.finalize()
  }
}
