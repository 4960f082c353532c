import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanLibrary
import PortolanLocks
import PortolanMap
import PortolanPackages
import PortolanTestSupport
import Testing

@testable import PortolanApp

/// Layers that are not edited, and data that editing leaves as it was.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct EditingGuardTests {
  private static let schema = FeatureTableSchema(
    name: "places", geometryType: .point, spatialReference: .webMercator,
    fields: [Field("OBJECTID", .objectID), Field("NAME", .string)], hasAttachments: true)

  private func model(_ members: JSONObject = [:]) async throws -> MapModel {
    let places = [Coordinate(x: 0, y: 0), Coordinate(x: 1, y: 0)]
    let map = MemoryMap(features: ["a": places], schema: Self.schema, isEditable: true)
    let model = MapModel(map: try map.map([MemoryMap.layer("a", members)]))
    await model.load()
    return model
  }

  private func seen(_ objectID: Int64, in model: MapModel) async throws -> SeenFeature {
    let target = try await model.editing.target("a")
    return SeenFeature(try await model.editing.feature(objectID, in: target))
  }

  @Test func `A feature that was changed since it was seen is neither moved nor removed`()
    async throws
  {
    let model = try await model()
    let before = try await seen(1, in: model)
    let other = try await seen(2, in: model)
    let place = Sketch.vertices([.init(x: 5, y: 0)], .native)
    try await model.editing.move(1, in: "a", to: place)
    let moving = await #expect(throws: Problem.self) {
      try await model.editing.move(1, in: "a", to: place, ifStill: before)
    }
    let removing = await #expect(throws: Problem.self) {
      try await model.editing.remove(1, in: "a", ifStill: before)
    }
    #expect([moving?.code, removing?.code] == [.changedMeanwhile, .changedMeanwhile])
    #expect(model.editing.state.undoCount == 1)
    try await model.editing.remove(1, in: "a", ifStill: seen(1, in: model))
    try await model.editing.remove(2, in: "a", ifStill: other)
    #expect(model.editing.state.undoCount == 3)
  }

  @Test func `The files of one feature are not those of another`() async throws {
    let model = try await model()
    let file = NewAttachment(name: "a.txt", contentType: "text/plain", data: Data("a".utf8))
    try await model.editing.attach(file, to: 1, in: "a")
    let target = try await model.editing.target("a")
    let id = try #require(try await target.store.attachments(of: 1, in: "places").first?.id)
    await #expect(throws: Problem.self) {
      try await model.editing.removeAttachment(id, of: 2, in: "a")
    }
    await #expect(throws: Problem.self) {
      try await model.editing.replaceAttachment(id, with: file, of: 2, in: "a")
    }
    #expect(try await target.store.attachments(of: 1, in: "places").map(\.id) == [id])
    #expect(model.editing.state.undoCount == 1)
  }

  /// The capabilities that the author allows, and whether features can be added, moved and removed
  /// then.
  @Test(arguments: [
    ("Create", [true, false, false]), ("Update", [false, true, false]),
    ("Delete", [false, false, true]), ("Create,Delete", [true, false, true]),
  ])
  func `Only what the author of a map allows is edited`(
    _ words: String, _ allowed: [Bool]
  ) async throws {
    let model = try await model(["capabilities": .string(words)])
    let target = try await model.editing.target("a")
    let edits: [FeatureEdit] = [
      .add(
        NewFeature(attributes: ["NAME": .text("new")], geometry: .point(Point(x: 0, y: 0))),
        table: "places"),
      .update(.objectID(1), table: "places", attributes: ["NAME": .text("other")], geometry: .keep),
      .delete(.objectID(2), table: "places"),
    ]
    for (edit, isAllowed) in zip(edits, allowed) {
      let before = model.editing.state.undoCount
      do throws(Problem) { _ = try await model.editing.apply(edit, to: target) } catch {
        #expect(!isAllowed && error.code == .tableNotEditable)
      }
      #expect(model.editing.state.undoCount == before + (isAllowed ? 1 : 0))
    }
  }

  @Test func `An edit that could not be taken back can be taken back later`() async throws {
    let gate = Gate()
    let map = HeldMap(["a"], held: "a", .undo, at: gate, failing: .locked(file: "a", holder: nil))
    let model = try await map.model()
    try await model.editing.remove(1, in: "a")
    let undoing = Task { try await model.editing.undo() }
    await gate.isReached()
    await gate.open()
    let result = await undoing.result
    #expect(throws: Problem.self) { try result.get() }
    #expect(try await model.editing.undo().map(\.objectID) == [1])
  }

  @Test func `An edit keeps its own number although another one is done before it has ended`()
    async throws
  {
    let gate = Gate()
    let model = try await HeldMap(["a"], held: "a", .undoCount, at: gate).model()
    let first = Task { try await model.editing.remove(1, in: "a") }
    await gate.isReached()
    let second = try await model.editing.remove(2, in: "a")
    await gate.open()
    let number = try await first.value.number
    await #expect(throws: Problem.self) { try await model.editing.undo(number) }
    #expect(try await model.editing.undo(second.number).map(\.objectID) == [2])
    #expect(try await model.editing.undo(number).map(\.objectID) == [1])
  }

  @Test func `Undo of an edit does not take back another one that has just been stored`()
    async throws
  {
    let gate = Gate(skipping: 1)
    let model = try await HeldMap(["a"], held: "a", .applied, at: gate).model()
    let first = try await model.editing.remove(1, in: "a")
    let second = Task { try await model.editing.remove(2, in: "a") }
    await gate.isReached()
    let undoing = Task { try await model.editing.undo(first.number) }
    await gate.open()
    let number = try await second.value.number
    let result = await undoing.result
    let problem = #expect(throws: Problem.self) { try result.get() }
    #expect(problem?.message == "Something else was changed since.")
    #expect(try await model.editing.undo(number).map(\.objectID) == [2])
    #expect(try await model.editing.undo(first.number).map(\.objectID) == [1])
  }

  @Test func `Undo that begins while an edit is being stored takes back that edit`() async throws {
    let gate = Gate(skipping: 1)
    let model = try await HeldMap(["a"], held: "a", .applied, at: gate).model()
    try await model.editing.remove(1, in: "a")
    let second = Task { try await model.editing.remove(2, in: "a") }
    await gate.isReached()
    let undoing = Task { try await model.editing.undo() }
    await gate.open()
    _ = try await second.value
    #expect(try await undoing.value.map(\.objectID) == [2])
    #expect(model.editing.state.undoCount == 1)
    #expect(try await model.editing.undo().map(\.objectID) == [1])
  }

  @Test func `What one store can no longer take back does not hide what another can`()
    async throws
  {
    let map = HeldMap(["a", "b"], held: "none", .undo, at: Gate(), undoLimit: 1)
    let model = try await map.model()
    for (id, layer) in [(1, "a"), (1, "b"), (2, "b")] as [(Int64, String)] {
      try await model.editing.remove(id, in: layer)
    }
    #expect(model.editing.state.undoCount == 2)
    #expect(try await model.editing.undo().map(\.objectID) == [2])
    #expect(try await model.editing.undo().map(\.objectID) == [1])
    #expect(model.editing.state.undoCount == 0)
  }

  @Test func `A form that is open while a map is synchronized can be stored afterwards`()
    async throws
  {
    let model = try await model()
    let form = try await model.editing.form(for: 1, in: "a")
    try form.setText("mine", of: "NAME")
    // As for a synchronization.
    await model.editing.end()
    await model.filesHaveChanged()
    try await form.submit()
    let target = try await model.editing.target("a")
    let present = try await model.editing.feature(1, in: target)
    #expect(present.attributes["NAME"] == .text("mine") && model.editing.state.undoCount == 1)
  }

  // MARK: - The right to edit

  private func storedMap() async throws -> OpenedStoredMap {
    let layout = HomeLayout(home: temporaryDirectory.appending(path: "home"))
    try layout.prepare()
    let library = MapLibrary(
      layout: layout, storage: InMemoryMapStorage(), now: { Date(timeIntervalSince1970: 0) },
      unsentEdits: { _ in 0 })
    let folder = layout.staging("job")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("features".utf8).write(to: folder.appending(path: "data.geodatabase"))
    let map = try await library.install(
      folder,
      as: StoredMap(
        id: try #require(MapID("a")), origin: .onDemandArea(webMap: "w"), form: .folder,
        title: "Harbor", installed: Date(timeIntervalSince1970: 0), byteCount: 10))
    return OpenedStoredMap(
      id: "a", lease: try await library.open(map.id), library: library)
  }

  @Test func `Ending an edit session releases the right to edit`() async throws {
    let stored = try await storedMap()
    let model = try await model()
    model.stored = stored
    try await stored.beginEditing()
    let other = try await stored.library.open(stored.lease.map.id)
    await #expect(throws: LibraryError.self) { try await stored.library.beginEditing(other) }
    await model.editing.end()
    #expect(!stored.lease.isEditing)
    try await stored.library.beginEditing(other)
  }

  @Test func `A map kept as one file is unpacked as a copy, without closing it elsewhere`()
    async throws
  {
    let stored = try await storedMap()
    let map = MemoryMap(features: ["a": []], unreadable: [9], isPacked: true)
    let model = MapModel(map: try map.map([MemoryMap.layer("a")]))
    await model.load()
    model.stored = stored
    let problem = await #expect(throws: Problem.self) {
      try await model.editing.formForNewFeature(in: "a")
    }
    let title = model.state.title
    // The list of maps has the package under its own title, which "export" takes.
    #expect(title != "Harbor")
    #expect(problem?.code == .tableNotEditable)
    #expect(problem?.message == "\"\(title)\" cannot be edited: its package is one file.")
    #expect(problem?.actions == [NextAction(.unpackCopy, "Harbor")])
    #expect(!stored.lease.isEditing)
  }

  @Test func `Files are opened for editing only by the holder of the right to edit the map`()
    async throws
  {
    let stored = try await storedMap()
    let map = WatchedMap(
      map: MemoryMap(features: ["a": []], unreadable: [9]), lease: stored.lease)
    let whole = try MemoryMap().map([MemoryMap.layer("a")])
    let model = MapModel(
      map: MobileMap(name: "m", item: whole.item, webMap: whole.webMap, contents: map))
    await model.load()
    model.stored = stored
    let other = try await stored.library.open(stored.lease.map.id)
    try await stored.library.beginEditing(other)
    await #expect(throws: Problem.self) { try await model.editing.formForNewFeature(in: "a") }
    #expect(map.openings.withLock { $0 } == [])
    other.endEditing()
    await #expect(throws: Problem.self) { try await model.editing.formForNewFeature(in: "a") }
    #expect(map.openings.withLock { $0 } == [true])
    // Files that are still open when the right is given back would be written to by two.
    try await stored.beginEditing()
    await model.editing.end()
    #expect(map.endings.withLock { $0 } == [true])
    #expect(!stored.lease.isEditing)
  }

  /// A model of a map whose files are opened to be edited when a gate opens.
  private func heldModel(
    _ stored: OpenedStoredMap, _ gate: Gate
  ) async throws -> (model: MapModel, map: WatchedMap) {
    let map = WatchedMap(
      map: MemoryMap(features: ["a": []], unreadable: [9]), lease: stored.lease,
      whenOpened: { await gate.pass() })
    let whole = try MemoryMap().map([MemoryMap.layer("a")])
    let model = MapModel(
      map: MobileMap(name: "m", item: whole.item, webMap: whole.webMap, contents: map))
    await model.load()
    model.stored = stored
    return (model, map)
  }

  @Test func `A file that is opened to be edited while editing is ended is closed again`()
    async throws
  {
    let (stored, gate) = (try await storedMap(), Gate())
    let (model, map) = try await heldModel(stored, gate)
    let editing = Task { try await model.editing.formForNewFeature(in: "a") }
    await gate.isReached()
    // A synchronization begins.
    await model.editing.end()
    #expect(map.endings.withLock { $0 } == [true])
    let other = try await stored.library.open(stored.lease.map.id)
    try await stored.library.beginEditing(other)
    await gate.open()
    let result = await editing.result
    let problem = #expect(throws: Problem.self) { _ = try result.get() }
    #expect(problem?.message.hasPrefix("\"Harbor\" is being edited") == true)
    #expect(map.openings.withLock { $0 } == [true])
    #expect(map.endings.withLock { $0 } == [true, false])
    #expect(!stored.lease.isEditing && other.isEditing)
  }

  @Test func `A file that was opened meanwhile is closed before the right to edit is given back`()
    async throws
  {
    let (stored, gate) = (try await storedMap(), Gate())
    let map = WatchedMap(
      map: MemoryMap(features: ["a": []], unreadable: [9]), lease: stored.lease,
      whenEnded: { await gate.pass() })
    let whole = try MemoryMap().map([MemoryMap.layer("a")])
    let model = MapModel(
      map: MobileMap(name: "m", item: whole.item, webMap: whole.webMap, contents: map))
    await model.load()
    model.stored = stored
    try await stored.beginEditing()
    let ending = Task { await model.editing.end() }
    await gate.isReached()
    await #expect(throws: Problem.self) { try await model.editing.formForNewFeature(in: "a") }
    await gate.open()
    await ending.value
    #expect(map.openings.withLock { $0 } == [true])
    #expect(map.endings.withLock { $0 } == [true, true])
    #expect(!stored.lease.isEditing)
  }

  @Test(arguments: [true, false])
  func `If nothing can be undone any more, the message says whether there was something`(
    _ isEdited: Bool
  ) async throws {
    let model = try await self.model()
    let edit = try await isEdited ? model.editing.remove(1, in: "a") : nil
    // As before a synchronization.
    await model.editing.end()
    // A page asks for the edit that it has made.
    for number in [nil, edit?.number] {
      let problem = await #expect(throws: Problem.self) { try await model.editing.undo(number) }
      let told = problem?.suggestion?.contains("before the map was synchronized")
      #expect(problem?.code == .nothingToUndo && told == isEdited)
    }
  }
}

/// Takes down whether the right to edit was there when files were opened to be edited, and closed.
private struct WatchedMap: LayerContentSource {
  let map: MemoryMap
  let lease: MapLease
  var whenOpened: @Sendable () async -> Void = {}
  var whenEnded: @Sendable () async -> Void = {}
  let openings = Locked<[Bool]>([])
  let endings = Locked<[Bool]>([])

  func content(of layer: Layer) async -> LayerContent { await map.content(of: layer) }

  func openForEditing(_ layer: Layer) async throws(FeatureEditError) {
    openings.withLock { $0.append(lease.isEditing) }
    await whenOpened()
  }

  func endEditing() async {
    endings.withLock { $0.append(lease.isEditing) }
    await whenEnded()
  }
}
