/// The number of edited features and attachments.
public struct EditCount: Hashable, Sendable, Codable {
  /// How many features were added, changed or removed.
  public var features: Int
  /// How many attachments were; those that went with their features are not among them.
  public var attachments: Int

  /// Creates a count.
  public init(features: Int = 0, attachments: Int = 0) {
    self.features = features
    self.attachments = attachments
  }

  /// Counts changes.
  public init(of changes: some Sequence<LocalChange>) {
    self.init()
    for change in changes {
      if change.kind != nil { features += 1 }
      if change.kind != .delete { attachments += change.attachments.count }
    }
  }

  /// The count for people, for example `3 edits, 2 attachments`.
  public var text: String {
    let parts = [
      features > 0 || attachments == 0 ? (features == 1 ? "1 edit" : "\(features) edits") : nil,
      attachments == 0 ? nil : (attachments == 1 ? "1 attachment" : "\(attachments) attachments"),
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}
