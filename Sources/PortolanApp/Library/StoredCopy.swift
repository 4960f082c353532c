public import Foundation

/// The parts of a row that are on this device.
public struct StoredCopy: Hashable, Sendable, Codable {
  /// The date at which it was stored.
  public var installed: Date
  /// The missing parts, a sentence each; empty if it is complete.
  public var omissions: [String]
  /// Whether the portal has changed it since.
  public var hasUpdate: Bool
  /// Whether it was made from a file of this device, so that no portal has newer ones.
  public var isImported: Bool
  /// Whether it is open.
  public var isOpen: Bool
  /// The contents and metadata of its package; `nil` until they were read.
  public var contents: StoredContents?
  /// Whether its author's date for it has passed.
  public var isExpired: Bool
  /// The number of its unsent edits; `nil` where they cannot be counted.
  public var unsentEdits: Int? = 0
  /// The damage that the last audit has found in its files, sentences for people; `nil` for none.
  public var damage: String?
  /// The download that replaces or completes it, if there is one.
  public var transfer: MapTransfer?

  /// Whether something of it is still to be settled: it lacks parts, and the download that lacks them goes
  /// on, or can be retried or accepted.
  ///
  /// Parts that were left out by their nature, or accepted, are in ``omissions`` alone.
  public var isIncomplete: Bool { !omissions.isEmpty && transfer != nil }

  /// Whether it does not open since its author's date has passed.
  var isShut: Bool { isExpired && contents?.expiration?.preventsAccess == true }

  /// Creates a copy, complete and closed by default.
  public init(
    installed: Date, omissions: [String] = [], hasUpdate: Bool = false,
    isImported: Bool = false, isOpen: Bool = false, contents: StoredContents? = nil,
    isExpired: Bool = false, unsentEdits: Int? = 0, damage: String? = nil,
    transfer: MapTransfer? = nil
  ) {
    self.installed = installed
    self.omissions = omissions
    self.hasUpdate = hasUpdate
    self.isImported = isImported
    self.isOpen = isOpen
    self.contents = contents
    self.isExpired = isExpired
    self.unsentEdits = unsentEdits
    self.damage = damage
    self.transfer = transfer
  }
}
