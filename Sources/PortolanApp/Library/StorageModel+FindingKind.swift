internal import PortolanLibrary

extension StorageModel {
  /// The kind of a finding, as a word that stays the same from version to version.
  public enum FindingKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// The catalogue cannot be used as it is.
    case damagedCatalogue = "damaged-catalogue"
    /// A record whose files are missing.
    case filesMissing = "files-missing"
    /// A map with parts that are missing, cut or altered, or that cannot be opened.
    case damaged
    /// A map that was imported with parts that cannot be read, and is as it was then.
    case incomplete
    /// A map that cannot be read now, which says nothing of what is in it.
    case unreadable
    /// A map that no record knows, and that can be opened.
    case unrecorded
    /// A version of a map that no record knows.
    case unknownVersion = "unknown-version"
    /// A file in a folder of maps that is no map.
    case foreign
    /// Files of a job that is over or forgotten.
    case abandoned
    /// A file in the trash that no record knows.
    case unknownTrash = "unknown-trash"
    /// A deletion or its undoing that was interrupted, or the emptying of the trash.
    case halfDeleted = "half-deleted"
    /// A map that was taking its place when it was interrupted.
    case halfInstalled = "half-installed"
    /// A file that was being removed.
    case halfRemoved = "half-removed"
    /// A record that cannot be read.
    case unreadableRecord = "unreadable-record"
    /// A map that was imported as an archive, with edits that cannot be sent from there.
    case archivedEdits = "archived-edits"
  }
}

extension StorageModel.FindingKind {
  /// The kind of a finding.
  init(_ finding: LibraryFinding) {
    self =
      switch finding {
      case .filesMissing: .filesMissing
      case .damaged: .damaged
      case .incomplete: .incomplete
      case .unreadable: .unreadable
      case .unrecorded: .unrecorded
      case .unknownVersion: .unknownVersion
      case .foreign: .foreign
      case .abandoned: .abandoned
      case .unknownTrash: .unknownTrash
      case .halfDeleted: .halfDeleted
      case .halfInstalled: .halfInstalled
      case .halfRemoved: .halfRemoved
      case .unreadableRecord: .unreadableRecord
      }
  }
}
