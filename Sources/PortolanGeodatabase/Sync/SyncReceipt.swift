/// The outcome of receiving changes from a service.
public struct SyncReceipt: Hashable, Sendable {
  /// What has come of one layer.
  public struct Counts: Hashable, Sendable {
    /// Features and attachments that were added.
    public var adds = 0
    /// Features and attachments that were changed.
    public var updates = 0
    /// Features and attachments that were removed.
    public var deletes = 0

    /// Creates counts of nothing.
    public init() {}
  }

  /// Features and attachments that were added.
  public var adds = 0
  /// Features and attachments that were changed.
  public var updates = 0
  /// Features and attachments that were removed.
  public var deletes = 0
  /// How many of all these are attachments.
  public var attachments = 0
  /// Features that both sides have changed.
  public var conflicts = 0
  /// Features that the file cannot hold, and that are kept beside it.
  public var withheld = 0
  /// The tables whose fields are others at the service.
  public var changedFields: [ChangedFields] = []
  /// What has come of each layer, by its number in the service; none of which nothing has come.
  public private(set) var layers: [Int: Counts] = [:]

  /// Creates a receipt of nothing.
  public init() {}

  /// Adds what came in later.
  public mutating func add(_ other: SyncReceipt) {
    adds += other.adds
    updates += other.updates
    deletes += other.deletes
    attachments += other.attachments
    conflicts += other.conflicts
    withheld += other.withheld
    note(other.changedFields)
    for (id, counts) in other.layers { add(counts, ofLayer: id) }
  }

  /// Notes tables whose fields are others at the service, in place of what was known of them.
  public mutating func note(_ tables: [ChangedFields]) {
    for table in tables {
      changedFields.removeAll { $0.layerID == table.layerID }
      changedFields.append(table)
    }
  }

  /// Notes that what has come since an earlier receipt is of a layer.
  mutating func note(since earlier: SyncReceipt, ofLayer id: Int) {
    var counts = Counts()
    counts.adds = adds - earlier.adds
    counts.updates = updates - earlier.updates
    counts.deletes = deletes - earlier.deletes
    add(counts, ofLayer: id)
  }

  private mutating func add(_ counts: Counts, ofLayer id: Int) {
    guard counts != Counts() else { return }
    layers[id, default: Counts()].adds += counts.adds
    layers[id, default: Counts()].updates += counts.updates
    layers[id, default: Counts()].deletes += counts.deletes
  }
}
