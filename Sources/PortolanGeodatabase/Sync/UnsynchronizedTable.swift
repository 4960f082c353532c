public import Foundation

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
  }

  /// The name of the table.
  public var table: String
  /// The layer in the service; `nil` if it is none there, or if only attachments are left out.
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
      }
    let what = reason == .attachmentsNotExchanged ? "Attachments of \"\(table)\"" : "\"\(table)\""
    let verb = reason == .attachmentsNotExchanged ? "are" : "is"
    return "\(what) \(verb) not synchronized, since \(cause)."
  }

  public var recoverySuggestion: String? {
    switch edits {
    case 0: "What others change there comes in when the map is taken offline again."
    case 1: "1 edit stays on this device. Write it down before the map is replaced."
    default: "\(edits) edits stay on this device. Write them down before the map is replaced."
    }
  }
}
