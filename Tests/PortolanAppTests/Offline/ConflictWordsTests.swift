import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import Testing

@testable import PortolanApp
@testable import PortolanGeodatabase
@testable import PortolanOffline

/// The messages about an edit that could not be exchanged.
@Suite struct ConflictWordsTests {
  private static let trees = Domain.codedValue(
    CodedValueDomain(
      name: "trees", codedValues: [CodedValue(code: .integer(1), name: "Ash")]))
  private static let fields = [
    Field("OBJECTID", .objectID, isEditable: false), Field("GlobalID", .globalID),
    Field("NAME", .string, alias: "Name"), Field("TREE", .integer, alias: "Tree", domain: trees),
    Field("EDITED", .integer, isEditable: false), Field("PHOTO", .blob),
  ]

  private static func feature(
    _ values: [String: AttributeValue], at x: Double? = nil
  ) -> Feature {
    let list = FieldList(fields)
    return Feature(
      objectID: 7, attributes: Attributes(list, list.fields.map { values[$0.name] ?? .null }),
      geometry: x.map { .point(Point(x: $0, y: 0)) })
  }

  private static func issue(
    _ kind: SyncIssue.Kind, edit: String = "update", hasTheirs: Bool = false, isGone: Bool = false,
    reason: String? = nil, attachments: [String]? = nil, withheld: Feature? = nil
  ) -> SyncIssue {
    SyncIssue(
      id: 3, kind: kind, table: "Huts", layerID: 1, objectID: 7, globalID: "{A}", edit: edit,
      theirs: hasTheirs ? JSONText(["attributes": [:]]) : nil, isGoneThere: isGone,
      reason: reason, attachments: attachments, withheld: withheld)
  }

  private func conflict(
    _ issue: SyncIssue, mine: Feature? = nil, theirs: Feature? = nil, changed: Set<String>? = nil,
    isSent: Bool = true, files: [String] = []
  ) -> SyncModel.Conflict {
    SyncModel.Conflict(
      OfflineMapSyncTask.Conflict(
        id: 100_003, path: "p13/a.geodatabase", issue: issue, fields: Self.fields, mine: mine,
        theirs: theirs, fieldsChangedHere: changed, isSent: isSent, attachmentNames: files))
  }

  private static let sentences: [(SyncIssue, String)] = [
    (issue(.rejected, reason: "No."), "The service rejected the edit: No."),
    (issue(.rejected), "The service rejected the edit."),
    (
      issue(.unstorable, edit: "none", reason: "Too long.", attachments: ["{F}"]),
      "This copy cannot store an attachment of others. Too long."
    ),
    (
      issue(.unstorable, edit: "none", withheld: feature([:])),
      "This copy cannot store the changes of others to the feature. A value does not fit."
    ),
    (
      issue(.conflict, edit: "none", isGone: true),
      "Others have deleted the feature, which is related to one that was edited here."
    ), (issue(.conflict, isGone: true), "Others have deleted the feature."),
    (issue(.conflict, attachments: ["{F}"]), "Others have changed its attachments."),
    (issue(.conflict), "Others have changed related records of the feature."),
    (
      issue(.conflict, hasTheirs: true, attachments: ["{F}"]),
      "Others have changed the feature and its attachments."
    ), (issue(.conflict, hasTheirs: true), "Others have changed the feature."),
  ]

  @Test(arguments: sentences)
  func `Each reason has its sentence, and what the service refuses is no conflict`(
    _ issue: SyncIssue, _ sentence: String
  ) {
    let found = conflict(issue)
    #expect(found.reason == sentence)
    #expect(found.isConflict == (issue.kind != .rejected))
    #expect(found.isGoneThere == issue.isGoneThere && found.edit == issue.edit)
    #expect(found.id == 100_003 && found.table == "Huts" && found.objectID == 7)
  }

  private static let beginnings: [(SyncIssue, String)] = [
    (issue(.conflict, attachments: ["{F}"]), "Others have changed its"),
    (
      issue(.conflict, hasTheirs: true, attachments: ["{F}"]),
      "Others have changed the feature and its"
    ), (issue(.rejected, edit: "attachments", attachments: ["{F}"]), "The service rejected its"),
    (issue(.unstorable, edit: "none", attachments: ["{F}"]), "This copy cannot store the"),
  ]

  @Test(arguments: beginnings)
  func `What is about attachments names them`(_ issue: SyncIssue, _ beginning: String) {
    let one = conflict(issue, files: ["a.txt"]).reason
    #expect(one.hasPrefix("\(beginning) attachment \"a.txt\""))
    let three = conflict(issue, files: ["a.txt", "b.txt", "c.txt"]).reason
    #expect(three.hasPrefix("\(beginning) attachments \"a.txt\", \"b.txt\" and \"c.txt\""))
  }

  private static let removals: [(removed: [String: String], all: [String], String)] = [
    (["F": "a.txt"], ["{F}"], "deleted its attachment \"a.txt\", which was changed here."),
    (["F": ""], ["{F}"], "deleted an attachment of it, which was changed here."),
    (
      ["F": "a.txt", "G": "b.txt"], ["{F}", "{G}"],
      "deleted its attachments \"a.txt\" and \"b.txt\", which were changed here."
    ),
    (
      ["F": "a.txt"], ["{F}", "{G}"],
      "changed its attachment \"c.txt\", and deleted its attachment \"a.txt\", which was changed here."
    ),
  ]

  @Test(arguments: removals)
  func `Attachments that others have deleted are called by the names that they had`(
    _ removed: [String: String], _ all: [String], _ words: String
  ) {
    for hasTheirs in [false, true] {
      var issue = Self.issue(.conflict, hasTheirs: hasTheirs, attachments: all)
      issue.removedAttachments = removed
      let beginning = hasTheirs ? "Others have changed the feature, and have" : "Others have"
      let files = all.count > removed.count ? ["c.txt"] : []
      #expect(conflict(issue, files: files).reason == "\(beginning) \(words)")
    }
  }

  @Test func `Differences are shown as formatted values, with who changed them`() {
    let mine = Self.feature(
      ["NAME": .text("Mine"), "TREE": .integer(1), "EDITED": .integer(1)], at: 1)
    let theirs = Self.feature(["TREE": .integer(2), "EDITED": .integer(2)], at: 2)
    let found = conflict(
      Self.issue(.conflict, hasTheirs: true), mine: mine, theirs: theirs, changed: ["NAME"],
      isSent: false)
    #expect(
      found.differences == [
        .init(field: "NAME", label: "Name", mine: "Mine", theirs: nil, isChangedHere: true),
        .init(field: "TREE", label: "Tree", mine: "Ash", theirs: "2", isChangedHere: false),
        .init(field: "EDITED", label: "EDITED", mine: "1", theirs: "2", isChangedHere: false),
      ])
    #expect(
      found.values.map { [$0.name, $0.label, $0.text] } == [
        ["NAME", "Name", "Mine"], ["TREE", "Tree", "Ash"],
      ])
    #expect(found.values.map(\.choices) == [[], [CodedValue(code: .integer(1), name: "Ash")]])
    #expect(found.isMovedApart && !found.isSent && found.canEdit)
    let same = conflict(Self.issue(.conflict, hasTheirs: true), mine: mine, theirs: mine)
    #expect(same.differences.isEmpty && !same.isMovedApart && same.isSent)
  }

  @Test
  func `A conflict with a deletion shows all values, one with related records no differences`() {
    let mine = Self.feature(["NAME": .text("Mine")], at: 1)
    let gone = conflict(Self.issue(.conflict, isGone: true), mine: mine)
    #expect(gone.differences == [.init(field: "NAME", label: "Name", mine: "Mine", theirs: nil)])
    #expect(!gone.isMovedApart && gone.isGoneThere)
    let related = conflict(Self.issue(.conflict), mine: mine)
    #expect(related.differences.isEmpty && related.values.count == 2)
    let files = conflict(Self.issue(.conflict, attachments: ["{F}"]), mine: mine)
    #expect(files.differences.isEmpty && files.values.isEmpty)
  }

  /// Trees by kind: the codes of some are the names of others.
  private static let kinds = FeatureTableSchema(
    name: "Huts",
    fields: [
      Field("OBJECTID", .objectID), Field("KIND", .integer, alias: "Kind"),
      Field("TREE", .integer, alias: "Tree"),
    ], typeIDField: "KIND",
    types: [
      FeatureType(id: .integer(1), name: "Broad", domains: ["TREE": list(["2", "1"])]),
      FeatureType(id: .integer(2), name: "Needle", domains: ["TREE": list(["Fir", "Fir", "Yew"])]),
    ])

  private static func list(_ names: [String]) -> Domain {
    .codedValue(
      CodedValueDomain(
        name: "trees",
        codedValues: names.enumerated().map { CodedValue(code: .integer(Int64($0 + 1)), name: $1) })
    )
  }

  private func typed(
    _ values: [(field: String, text: String)], codes: Set<String> = []
  ) throws -> [String: AttributeValue] {
    let fields = FieldList(Self.kinds.fields)
    let mine = Feature(
      objectID: 7, attributes: Attributes(fields, [.integer(7), .integer(1), .integer(1)]),
      geometry: nil)
    var conflict = OfflineMapSyncTask.Conflict(
      id: 1, path: "a.geodatabase", issue: Self.issue(.conflict), fields: Self.kinds.fields,
      mine: mine)
    conflict.schema = Self.kinds
    return try conflict.attributes(typed: values, codes: codes)
  }

  @Test
  func `What is chosen in a conflict is taken by its code, and never for the name of another`()
    throws
  {
    #expect(try typed([(field: "TREE", text: "1")], codes: ["TREE"]) == ["TREE": .integer(1)])
    #expect(throws: Problem.self) { try typed([(field: "TREE", text: "1")]) }
    #expect(try typed([(field: "Tree", text: "1 (2)")]) == ["TREE": .integer(1)])
  }

  @Test func `The values of a field are those of the subtype that is typed with it`() throws {
    let values = try typed([(field: "TREE", text: "Yew"), (field: "KIND", text: "Needle")])
    #expect(values == ["TREE": .integer(3), "KIND": .integer(2)])
    #expect(throws: Problem.self) {
      try typed([(field: "TREE", text: "Fir"), (field: "KIND", text: "2")])
    }
  }

  @Test func `What was deleted here, or is not here, is not edited before it is sent`() {
    #expect(!conflict(Self.issue(.conflict, edit: "delete", hasTheirs: true)).canEdit)
    var absent = Self.issue(.unstorable, edit: "none", withheld: Self.feature([:]))
    absent.objectID = 0
    #expect(!conflict(absent).canEdit)
    absent.objectID = 7
    #expect(conflict(absent).canEdit)
  }

  @Test func `The edits that are decided on with a conflict are listed, each once`() {
    var found = OfflineMapSyncTask.Conflict(
      id: 1, path: "a.geodatabase", issue: Self.issue(.conflict, hasTheirs: true),
      fields: Self.fields)
    let photo = LocalChange.AttachmentChange(id: 2, kind: .add)
    let changes = [
      LocalChange(table: "Huts", objectID: 7, kind: .update, attachments: [photo]),
      LocalChange(table: "Visits", objectID: 9, kind: .add),
      LocalChange(table: "Visits", objectID: 10, kind: nil, attachments: [photo]),
    ]
    found.edits = SettledEdits(changes.map { SettledEdits.Edit(change: $0, number: 5) }, number: 1)
    found.layerTitles = ["Visits": "Visits to huts"]
    let related = SyncModel.Conflict(found).related
    #expect(related.map(\.edit) == ["attachments", "add", "attachments"])
    #expect(related.map(\.objectID) == [7, 9, 10])
    #expect(related.map(\.json["layer"]) == ["Huts", "Visits to huts", "Visits to huts"])
    found.issue.edit = "attachments"
    #expect(SyncModel.Conflict(found).related.map(\.objectID) == [9, 10])
  }
}
