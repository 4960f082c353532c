internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanOffline

extension SyncModel {
  /// An edit that could not be exchanged.
  public struct Conflict: Hashable, Sendable, Codable, Identifiable {
    /// Its number, which stays the same while others are resolved.
    public var id: Int
    /// The table of the feature.
    public var table: String
    /// The title of the layer that shows the table; `nil` where none does.
    public var layerTitle: String?
    /// The feature.
    public var objectID: Int64
    /// The local edit: `add`, `update`, `delete`, `attachments`, or `none` where it belongs
    /// together with one that was edited.
    public var edit: String
    /// The obstacle, a sentence for people.
    public var reason: String
    /// Whether others have edited it, and not the service refused it.
    public var isConflict: Bool
    /// Whether others have removed it.
    public var isGoneThere: Bool
    /// The values that differ; of an edit that the service refused, those that were edited, beside what
    /// was synchronized last.
    public var differences: [Difference]
    /// The values that can be changed before the edit is sent again, as they are here; none where it
    /// is not one of values.
    public var values: [FeatureFormField] = []
    /// Whether both have another shape.
    public var isMovedApart: Bool
    /// Whether the shape was changed here; `nil` where that is not known.
    ///
    /// One that was not is taken over from the service where the edit holds.
    public var isShapeChangedHere: Bool?
    /// Whether the edit is sent with the next synchronization once it is decided that it holds; an area
    /// that only receives scheduled updates keeps it here.
    public var isSent = true
    /// The other edits that a decision settles with it: of related records, and of attachments.
    public var related: [RelatedEdit] = []
    /// Whether the feature can be changed here before it is sent again; one that is not here has the
    /// number 0.
    public var canEdit: Bool { edit != LocalChange.Kind.delete.rawValue && objectID != 0 }
  }

  /// A value that is another one here than at the service.
  public struct Difference: Hashable, Sendable, Codable {
    /// The name of the field.
    public var field: String
    /// The name for people.
    public var label: String
    /// The value here; `nil` for none.
    public var mine: String?
    /// The value at the service; `nil` for none.
    public var theirs: String?
    /// Whether the value was changed here; `nil` where that is not known.
    ///
    /// One that was not is taken over from the service where the edit holds.
    public var isChangedHere: Bool?
  }

  /// An edit that is decided on together with another one.
  public struct RelatedEdit: Hashable, Sendable, Codable {
    /// The table of the feature.
    public var table: String
    /// The title of the layer that shows the table; `nil` where none does.
    public var layerTitle: String?
    /// The feature.
    public var objectID: Int64
    /// The local edit: `add`, `update`, `delete` or `attachments`.
    public var edit: String
    /// The number of the edit; it changes when the feature is edited again.
    ///
    /// It means nothing to another process.
    public var number: Int
  }

  /// The resolution of an edit that could not be exchanged.
  public enum Resolution: String, Hashable, Sendable, Codable, CaseIterable {
    /// It is sent again as it is now.
    case mine
    /// It is discarded for what the service has.
    case theirs
  }
}

extension SyncModel.Conflict {
  init(_ found: OfflineMapSyncTask.Conflict) {
    let issue = found.issue
    self.init(
      id: found.id, table: issue.table, layerTitle: found.layerTitle, objectID: issue.objectID,
      edit: issue.edit, reason: Self.reason(found),
      isConflict: issue.kind != .rejected, isGoneThere: issue.isGoneThere,
      differences: Self.differences(found), values: Self.values(found),
      isMovedApart: found.mine != nil && found.theirs != nil
        && SeenShape(found.mine?.geometry) != SeenShape(found.theirs?.geometry),
      isShapeChangedHere: found.isShapeChangedHere,
      isSent: found.isSent, related: Self.related(found))
  }

  /// The obstacle.
  private static func reason(_ found: OfflineMapSyncTask.Conflict) -> String {
    let issue = found.issue
    let files = quoted(found.attachmentNames)
    switch issue.kind {
    case .rejected:
      let subject =
        issue.isAboutAttachmentsAlone ? files.map { "its \($0)" } ?? "the edit" : "the edit"
      let sentence = "The service rejected \(subject)"
      return issue.reason.map { "\(sentence): \($0)" } ?? "\(sentence)."
    case .unstorable where issue.isAboutWithheldAttachments:
      return "This copy cannot store \(files.map { "the \($0)" } ?? "an attachment") of others. "
        + (issue.reason ?? "A value does not fit.")
    case .unstorable:
      return "This copy cannot store the changes of others to the feature. "
        + (issue.reason ?? "A value does not fit.")
    case .conflict where issue.isGoneThere && issue.edit == "none":
      return "Others have deleted the feature, which is related to one that was edited here."
    case .conflict where issue.isGoneThere: return "Others have deleted the feature."
    case .conflict where issue.theirs == nil && issue.attachments != nil:
      return "Others have \(attachmentChanges(found))."
    case .conflict where issue.theirs == nil:
      return "Others have changed related records of the feature."
    case .conflict where issue.attachments != nil && issue.removedAttachments == nil:
      return "Others have changed the feature and its \(files ?? "attachments")."
    case .conflict where issue.attachments != nil:
      return "Others have changed the feature, and have \(attachmentChanges(found))."
    case .conflict: return "Others have changed the feature."
    }
  }

  /// What others have done to the attachments of a feature.
  private static func attachmentChanges(_ found: OfflineMapSyncTask.Conflict) -> String {
    let (all, removed) = (found.issue.attachments ?? [], found.issue.removedAttachments ?? [:])
    let changed =
      all.count > removed.count
      ? "changed its \(quoted(found.attachmentNames) ?? "attachments")" : nil
    // What was made of one here stands in its place, under another name perhaps.
    let names = removed.values.filter { !$0.isEmpty }.sorted()
    let words = removed.count == 1 ? "which was changed here" : "which were changed here"
    let some = removed.count == 1 ? "an attachment of it" : "some of its attachments"
    let known = names.count == removed.count ? quoted(names).map { "its \($0)" } : nil
    let deleted = removed.isEmpty ? nil : "deleted \(known ?? some), \(words)"
    return [changed, deleted].compactMap(\.self).joined(separator: ", and ")
  }

  /// Attachments by their names; `nil` where none is known.
  private static func quoted(_ names: [String]) -> String? {
    guard let last = names.last.map({ "\"\($0)\"" }) else { return nil }
    guard names.count > 1 else { return "attachment \(last)" }
    let others = names.dropLast().map { "\"\($0)\"" }.joined(separator: ", ")
    return "attachments \(others) and \(last)"
  }

  /// The word for an edit of attachments only.
  private static let attachmentEdit = "attachments"

  /// The other edits that are decided on with one.
  private static func related(
    _ found: OfflineMapSyncTask.Conflict
  ) -> [SyncModel.RelatedEdit] {
    (found.edits?.edits ?? []).compactMap { settled in
      let change = settled.change
      let isOwn =
        change.objectID == found.issue.objectID
        && change.table.lowercased() == found.issue.table.lowercased()
      // The edit of the feature itself is part of the conflict already, but for its attachments.
      let isSaid = change.attachments.isEmpty || found.issue.edit == attachmentEdit
      guard !isOwn || !isSaid else { return nil }
      return SyncModel.RelatedEdit(
        table: change.table, layerTitle: found.layerTitles[change.table],
        objectID: change.objectID,
        edit: (isOwn ? nil : change.kind?.rawValue) ?? attachmentEdit, number: settled.number)
    }
  }

  private static func differences(_ found: OfflineMapSyncTask.Conflict) -> [SyncModel.Difference] {
    let isRejected = found.issue.kind == .rejected
    guard isRejected || found.theirs != nil || found.issue.isGoneThere else { return [] }
    return found.fields.compactMap { field in
      guard field.type != .objectID, field.type != .globalID else { return nil }
      // A service does not reject values that the file maintains itself, such as the last editor.
      guard !isRejected || field.isEditable else { return nil }
      let mine = found.mine?.attributes[field.name] ?? .null
      let theirs = found.theirs?.attributes[field.name] ?? .null
      guard mine != theirs else { return nil }
      return SyncModel.Difference(
        field: field.name, label: field.alias,
        mine: text(mine, found.offeredDomain(of: field, in: found.mine)),
        theirs: text(theirs, found.offeredDomain(of: field, in: found.theirs)),
        isChangedHere: found.fieldsChangedHere?.contains(field.name))
    }
  }

  /// The values here that the user can change before they are sent.
  private static func values(_ found: OfflineMapSyncTask.Conflict) -> [FeatureFormField] {
    guard let mine = found.mine, !found.issue.isAboutAttachmentsAlone else { return [] }
    return found.fields.compactMap { field in
      guard field.isEditable, field.type != .objectID, field.type != .globalID,
        field.type != .blob
      else { return nil }
      return FeatureFormField(
        field, value: mine.attributes[field.name] ?? .null,
        domain: found.offeredDomain(of: field, in: mine),
        isTimeZoneUnknown: found.schema?.isTimeZoneUnknown(of: field.name) ?? false,
        readOnlyReason: nil, problem: nil)
    }
  }

  /// A value as people read it; the name of a code where there is one.
  private static func text(_ value: AttributeValue, _ domain: Domain?) -> String? {
    if case .codedValue(let list)? = domain,
      let name = list.codedValues.first(where: { $0.code == value })?.name
    {
      return name
    }
    switch value {
    case .null: return nil
    case .integer(let number): return "\(number)"
    case .double(let number): return "\(number)"
    case .text(let text): return text
    case .date(let date): return CivilDate(date)?.iso8601 ?? "\(date)"
    case .blob(let data): return data.sizeText
    }
  }
}
