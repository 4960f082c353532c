public import PortolanFeatures
internal import PortolanGeometry
public import PortolanJSON

/// An edit that could not be exchanged: one that others contradict, one that the service refuses, or one
/// of others that the file cannot hold.
///
/// An edit made here stays in the file, is not sent, and is not overwritten until the user decides.
/// One of others is kept beside the features, and tried again with each synchronization.
public struct SyncIssue: Hashable, Sendable, Codable, Identifiable {
  /// What is in the way.
  public enum Kind: String, Hashable, Sendable, Codable {
    /// Others have changed or removed the same feature.
    case conflict
    /// The service has refused the edit.
    case rejected
    /// The file cannot hold what others have made of the feature.
    case unstorable
  }

  /// What is done about it.
  public enum Resolution: String, Hashable, Sendable, Codable, CaseIterable {
    /// The edit is sent again, as it is now.
    case mine
    /// The edit is discarded for what the service has.
    case theirs
  }

  /// Its number in the file.
  public var id: Int64
  /// What is in the way.
  public var kind: Kind
  /// The table.
  public var table: String
  /// The layer in the service.
  public var layerID: Int
  /// The feature in the file.
  public var objectID: Int64
  /// The feature everywhere.
  public var globalID: String
  /// What was done to the feature here: `add`, `update`, `delete`, `attachments`, or `none` where it
  /// belongs together with one that was edited.
  public var edit: String
  /// The feature as the service has it, as Esri JSON; `nil` where it no longer exists, or is as it was.
  public var theirs: JSONText?
  /// Whether the service has the feature no more.
  public var isGoneThere: Bool
  /// The service's number for a refusal.
  public var code: Int?
  /// The service's words for a refusal, or why the file cannot hold the feature.
  public var reason: String?
  /// The global ids of the feature's attachments that others have changed, where they were edited here
  /// too, or went with the feature; `nil` for none.
  public var attachments: [String]?
  /// The names that those of these attachments had which others have deleted, by their global ids as keys.
  ///
  /// What was made of them here would be new attachments there. It is `nil` if there are none.
  public var removedAttachments: [String: String]?
  /// The feature that the file cannot hold, exactly as it came; else `nil`.
  public var withheld: Feature?
  /// Whether that feature came without a shape that could be read, so that its service is asked for it.
  public var isIncomplete: Bool?
  /// The feature that was deleted here, if the user has decided that this one, which the file cannot hold and
  /// which is a part of it, goes with it; by its global id.
  var goesWith: String?
  /// The feature before either side had changed it, as Esri JSON; `nil` where that is not known, or
  /// does not matter.
  public var before: JSONText?
}

extension SyncIssue {
  /// What ``edit`` says about a feature that was not edited.
  static let noEdit = "none"
  /// What it says about one of which nothing but attachments were edited.
  static let attachmentEdit = "attachments"

  /// A feature that both sides have changed; `nil` for one that others have removed.
  init(
    _ edit: LocalChange, _ layer: GeodatabaseSyncState.Layer, theirs: Feature?,
    in table: EditedTable
  ) {
    self.init(
      id: 0, kind: .conflict, table: table.name, layerID: layer.layerID, objectID: edit.objectID,
      globalID: edit.globalID ?? "", edit: edit.kind?.rawValue ?? Self.attachmentEdit,
      theirs: theirs.map { JSONText($0, in: table) }, isGoneThere: theirs == nil)
  }

  /// A feature of others that the file cannot hold.
  ///
  /// - Parameters:
  ///   - feature: The feature as it came.
  ///   - globalID: The feature everywhere.
  ///   - objectID: The feature in the file, as it was before; `nil` if it was not there.
  ///   - layer: The layer in the service.
  ///   - table: The table.
  ///   - reason: Why it cannot be held.
  init(
    withholding feature: Feature, _ globalID: String, at objectID: Int64?,
    _ layer: GeodatabaseSyncState.Layer, in table: EditedTable, because reason: String?
  ) {
    let none = LocalChange(
      table: table.name, objectID: objectID ?? 0, globalID: globalID, kind: nil)
    self.init(none, layer, theirs: feature, in: table)
    kind = .unstorable
    edit = Self.noEdit
    self.reason = reason
    withheld = feature
  }

  /// An attachment of others that the file cannot hold; its feature is as others have it.
  init(
    withholding globalID: String, of parent: String, at objectID: Int64?,
    _ layer: GeodatabaseSyncState.Layer, in table: EditedTable, because error: FeatureEditError
  ) {
    let none = LocalChange(table: table.name, objectID: objectID ?? 0, globalID: parent, kind: nil)
    self.init(none, layer, theirs: nil, in: table)
    kind = .unstorable
    edit = Self.noEdit
    isGoneThere = false
    reason = error.errorDescription
    attachments = [globalID]
  }

  /// Whether the file cannot hold what others have made of the feature itself.
  var isAboutWithheldFeature: Bool { kind == .unstorable && withheld != nil }

  /// Whether the service has another state of the feature itself than the one that was edited here: what
  /// others have made of it, or what it was before an edit that was refused.
  var isAboutWhatTheServiceHas: Bool {
    switch kind {
    case .conflict: theirs != nil
    case .rejected: !isAboutAttachmentsAlone
    case .unstorable: withheld != nil
    }
  }

  /// Whether there are attachments of the feature, and nothing else, that the file cannot hold.
  public var isAboutWithheldAttachments: Bool { kind == .unstorable && withheld == nil }

  /// Whether others have changed nothing but attachments of a feature that is still here, or the service
  /// has refused nothing else.
  public var isAboutAttachmentsAlone: Bool {
    if kind == .rejected { return edit == Self.attachmentEdit }
    return kind == .conflict && theirs == nil && !isGoneThere && attachments != nil
      && edit != LocalChange.Kind.delete.rawValue
  }
}

/// A JSON document as text, so that it can be kept.
public struct JSONText: Hashable, Sendable, Codable {
  /// The text.
  public let text: String

  /// Keeps a document.
  public init(_ json: JSONValue) { text = json.text() }

  /// The document; `null` if the text is none.
  public var json: JSONValue {
    // Only what was written here is read.
    (try? JSONValue(parsing: text)) ?? .null
  }
}

extension JSONText {
  /// A feature of a table, as Esri JSON.
  init(_ feature: Feature, in table: EditedTable) {
    var members: JSONObject = ["attributes": feature.attributes.esriJSON]
    members["geometry"] = feature.geometry?.esriJSON(
      spatialReference: table.schema.spatialReference)
    self.init(.object(members))
  }
}
