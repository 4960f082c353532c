public import Foundation
internal import PortolanFeatures

/// A table that synchronization leaves out: what was edited in it stays here, and what others have
/// changed does not come in.
public struct UnsynchronizedTable: Error, Hashable, Sendable {
  /// Why a table is left out.
  public enum Reason: String, Hashable, Sendable {
    /// The file has no such table any more.
    case absent
    /// Its features have no global ids, by which both sides could know them.
    case noGlobalIDs
    /// It keeps no history, which would tell what was changed.
    case noHistory
    /// It cannot be written.
    case notEditable
    /// The service does not know it as a part of the replica.
    case notRegistered
    /// Only its attachments are left out: the service does not exchange them with this replica.
    case attachmentsNotExchanged
    /// Only some features are left out: they have no global id, which another program may have left empty.
    case featuresWithoutGlobalIDs
    /// Only some attachments are left out: they have no global id.
    case attachmentsWithoutGlobalIDs
    /// Only some features are left out: their shapes cannot be read, and would be removed at the service.
    case featuresWithUnreadableShapes
    /// Only some features are left out: they relate to new ones that are, and the service would have them
    /// without these.
    case featuresRelatedToUnreadableOnes
    /// Only some features are left out: their edits are sent only once others have arrived, which stay here.
    case featuresWaitingForOthers
  }

  /// The name of the table.
  public var table: String
  /// The layer in the service; `nil` if it is none there, or if only some of it is left out.
  public var layerID: Int?
  /// Why it is left out.
  public var reason: Reason
  /// How many edits of features therefore stay here.
  public var edits = 0
}

extension UnsynchronizedTable: LocalizedError {
  public var errorDescription: String? {
    let cause =
      switch reason {
      case .absent: "the table is not in the file any more"
      case .noGlobalIDs: "its features have no global ids"
      case .noHistory: "the table keeps no history of its changes"
      case .notEditable: "the table cannot be written"
      case .notRegistered: "the service does not know the table as a part of this copy"
      case .attachmentsNotExchanged: "the copy was made without exchanging attachments"
      case .featuresWithoutGlobalIDs, .attachmentsWithoutGlobalIDs: "they have no global ids"
      case .featuresWithUnreadableShapes: "their shapes cannot be read"
      case .featuresRelatedToUnreadableOnes:
        "they relate to new features whose shapes cannot be read"
      case .featuresWaitingForOthers:
        "they can be sent only after other edits, which stay on this device"
      }
    return "\(subject) not synchronized, since \(cause)."
  }

  /// What is left out, with the verb.
  private var subject: String {
    switch reason {
    case .absent, .noGlobalIDs, .noHistory, .notEditable, .notRegistered: "\"\(table)\" is"
    case .attachmentsNotExchanged: "Attachments of \"\(table)\" are"
    case .featuresWithoutGlobalIDs, .featuresWithUnreadableShapes,
      .featuresRelatedToUnreadableOnes, .featuresWaitingForOthers:
      "Some features of \"\(table)\" are"
    case .attachmentsWithoutGlobalIDs: "Some attachments of \"\(table)\" are"
    }
  }

  public var recoverySuggestion: String? {
    switch edits {
    case 0: "What others change there comes in when the map is taken offline again."
    case 1: "1 edit stays on this device. Write it down before the map is replaced."
    default: "\(edits) edits stay on this device. Write them down before the map is replaced."
    }
  }
}

extension UnsynchronizedTable {
  /// The edited features of a table that are left out since they have no global ids; `nil` if all have one.
  init?(featuresWithoutGlobalIDs changes: [LocalChange], of table: String) {
    let edits = changes.count { $0.globalID == nil }
    guard edits > 0 else { return nil }
    self.init(table: table, reason: .featuresWithoutGlobalIDs, edits: edits)
  }

  /// The edited attachments of a table that are left out since they have no global ids, by their features;
  /// `nil` if all have one.
  init?(attachmentsWithoutGlobalIDs changes: [LocalChange], of table: String) {
    let edits = changes.count { change in
      // Those of features that are left out, or go, are no matter of their own.
      change.globalID != nil && change.kind != .delete
        && change.attachments.contains { $0.globalID == nil }
    }
    guard edits > 0 else { return nil }
    self.init(table: table, reason: .attachmentsWithoutGlobalIDs, edits: edits)
  }
}
