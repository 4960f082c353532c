import PortolanFeatures
import PortolanJSON
import Testing

@testable import PortolanApp
@testable import PortolanREPL

/// The reports on edits that could not be exchanged, and on decisions on them.
@Suite struct ConflictsPageTests {
  private static let name = FeatureFormField(
    Field("NAME", .string, alias: "Name"), value: .text("Mine"), domain: nil,
    isTimeZoneUnknown: false, readOnlyReason: nil, problem: nil)

  private static func conflict(_ edit: String, isSent: Bool = true) -> SyncModel.Conflict {
    SyncModel.Conflict(
      id: 1, table: "Lighthouses", objectID: 12, edit: edit, reason: "Others have edited it.",
      isConflict: true, isGoneThere: false, differences: [],
      values: edit == "update" ? [name] : [],
      isMovedApart: false, isSent: isSent)
  }

  private static func text(_ page: ConflictsPage) -> String {
    guard case .document(let document, _) = page.result.body else { return "" }
    return TextLayout(width: 200, usesColor: false).text(of: document)
  }

  private static func list(_ conflict: SyncModel.Conflict) -> String {
    text(ConflictsPage(state: SyncModel.State(map: "m", title: "M", conflicts: [conflict])))
  }

  @Test func `Other values are offered only where some can be changed`() {
    #expect(Self.list(Self.conflict("update")).contains("\"FIELD=VALUE\" changes yours before"))
    #expect(!Self.list(Self.conflict("delete")).contains("FIELD=VALUE"))
  }

  @Test func `The advice names a map that is not open, since resolving needs it then`() {
    let state = SyncModel.State(map: "m", title: "M", conflicts: [Self.conflict("update")])
    let named = Self.text(ConflictsPage(state: state, named: "Around Portland"))
    #expect(named.contains("\"conflicts resolve N --mine --map 'Around Portland'\" sends yours"))
    #expect(Self.text(ConflictsPage(state: state)).contains("resolve N --mine\" sends yours"))
  }

  @Test(arguments: [
    ("add", "added here"), ("update", "changed here"), ("delete", "deleted here"),
    ("attachments", "attachments changed here"), ("none", "not changed here"),
  ])
  func `The local edit of a conflict is described in words`(_ edit: String, _ words: String) {
    #expect(
      Self.list(Self.conflict(edit)).contains("1  Lighthouses 12, \(words): Others have edited it.")
    )
  }

  @Test func `Layers are called as in the open map`() {
    let state = SyncModel.State(map: "m", title: "M", conflicts: [Self.conflict("update")])
    let page = ConflictsPage(state: state, layerTitles: ["Lighthouses": "Lights of the coast"])
    #expect(Self.text(page).contains("1  Lights of the coast 12, changed here"))
  }

  @Test func `Layers of a map that is not open are called as in that map`() {
    var conflict = Self.conflict("update")
    conflict.layerTitle = "Lights of the coast"
    #expect(Self.list(conflict).contains("1  Lights of the coast 12, changed here"))
    #expect(conflict.json["layer"] == "Lights of the coast")
    #expect(conflict.json["table"] == "Lighthouses")
  }

  @Test func `What is decided on with a conflict is listed with it`() {
    var conflict = Self.conflict("none")
    conflict.related = [
      .init(table: "Visits", layerTitle: "Visits to lights", objectID: 3, edit: "add", number: 1)
    ]
    #expect(
      Self.list(conflict).contains("Decided with it: Visits to lights 3, added here."))
    #expect(conflict.json["related"]?[0]?["layer"] == "Visits to lights")
  }

  @Test func `A value that others alone have changed is marked`() {
    var conflict = Self.conflict("update")
    conflict.differences = [
      .init(field: "NAME", label: "Name", mine: "Mine", theirs: "Theirs", isChangedHere: true),
      .init(field: "HEIGHT", label: "Height", mine: "12", theirs: "14", isChangedHere: false),
    ]
    let text = Self.list(conflict)
    #expect(text.contains("(not changed here)") && !text.contains("12  "))
    #expect(text.contains("Mine"))
  }

  @Test(
    arguments: [(false, "(not changed here)"), (true, "yours"), (nil, "yours")]
      as [(Bool?, String)])
  func `A position that others alone have changed is marked`(_ isChanged: Bool?, _ words: String) {
    var conflict = Self.conflict("update")
    (conflict.isMovedApart, conflict.isShapeChangedHere) = (true, isChanged)
    let row = Self.list(conflict).split(separator: "\n").first { $0.contains("position") }
    #expect(row?.contains(words) == true && row?.contains("theirs") == true)
  }

  @Test func `Edits that a map keeps here are not promised to be sent`() {
    #expect(!Self.list(Self.conflict("update", isSent: false)).contains("sen"))
    let decided = ConflictsPage(state: SyncModel.State(), resolved: 1, outcome: .kept)
    #expect(Self.text(decided).contains("stays on this device"))
    #expect(!Self.text(decided).contains("\"sync\""))
  }
}
