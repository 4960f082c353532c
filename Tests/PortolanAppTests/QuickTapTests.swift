import Foundation
import PortolanApp
import PortolanFeatures
import PortolanJSON
import PortolanPackages
import Testing

/// People who tap again before the answer is there.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct QuickTapTests {
  private let gate = Gate()

  private func model(_ step: HeldStore.Step, _ layers: [String] = ["a"]) async throws -> MapModel {
    try await HeldMap(layers, held: layers[layers.endIndex - 1], step, at: gate).model()
  }

  // MARK: - Popups

  @Test func `Of two requested pages the later is shown, even if its response is first`()
    async throws
  {
    let popups = try await found(.attachments)
    let slow = Task { try await popups.select(0) }
    await gate.isReached()
    try await popups.select(2)
    await gate.open()
    try await slow.value
    #expect(popups.state.selection?.index == 2)
  }

  @Test func `Paging twice at once goes two pages on`() async throws {
    let popups = try await found(.attachments)
    let slow = Task { try await popups.selectNext() }
    await gate.isReached()
    try await popups.selectNext()
    try await popups.selectNext()
    await gate.open()
    try await slow.value
    #expect(popups.state.selection?.index == 2)
  }

  /// The popups of three features.
  private func found(_ step: HeldStore.Step) async throws -> PopupsModel {
    let model = try await model(step)
    await model.identify.identify(longitude: 0, latitude: 0)
    try #require(model.popups.state.pages.count == 3)
    keep.model = model
    return model.popups
  }

  private final class Keep { var model: MapModel? }
  private let keep = Keep()

  // MARK: - Edits

  @Test func `A form that is sent twice is stored once`() async throws {
    let model = try await model(.apply)
    let form = try await model.editing.formForNewFeature(in: "a")
    try form.setText("camp", of: "NAME")
    try form.draw(.vertices([.init(x: 2, y: 0)], .native))
    let first = Task { try await form.submit() }
    await gate.isReached()
    #expect(form.state.phase == .storing && !form.state.canSubmit)
    let during = await #expect(throws: Problem.self) { try await form.submit() }
    await gate.open()
    _ = try await first.value
    let after = await #expect(throws: Problem.self) { try await form.submit() }
    #expect([during?.code, after?.code] == [.notPossible, .notPossible])
    #expect(during?.message == "The form is being saved.")
    #expect(after?.message == "The form was saved.")
    #expect(model.editing.state.undoCount == 1)
    #expect(form.state.phase == .stored)
    await model.identify.identify(longitude: 0, latitude: 0)
    #expect(model.identify.state.results.first?.features.count == 4)
  }

  @Test func `Two simultaneous undos take back two edits, the last one first`() async throws {
    let model = try await model(.undo, ["a", "b"])
    try await model.editing.remove(1, in: "a")
    try await model.editing.remove(2, in: "b")
    let last = Task { try await model.editing.undo() }
    await gate.isReached()
    let earlier = try await model.editing.undo()
    await gate.open()
    #expect(try await last.value.map(\.objectID) == [2] && earlier.map(\.objectID) == [1])
    #expect(model.editing.state.undoCount == 0)
  }

  @Test func `A map may be closed while an edit is taken back`() async throws {
    let app = AppModel(opener: MemoryPackages())
    let model = try await model(.undo)
    await app.show(model)
    try await model.editing.remove(1, in: "a")
    let undoing = Task { try await model.editing.undo() }
    await gate.isReached()
    await app.close()
    await gate.open()
    #expect(try await undoing.value.count == 1)
    #expect(model.editing.state.undoCount == 0 && app.map == nil)
  }

  // MARK: - Maps

  @Test func `A map that is asked for last stays, though another one opens later`() async throws {
    let app = AppModel(opener: MemoryPackages(gate: gate))
    let slow = Task { try await app.open(URL(filePath: "/first"), map: 0) }
    await gate.isReached()
    let shown = try await model(.apply)
    await app.show(shown)
    await gate.open()
    let result = await slow.result
    #expect(throws: Problem.self) { try result.get() }
    #expect(app.map === shown && app.mapIndex == nil)
    #expect(app.package.state == .closed)
  }

  @Test func `A map that another package does not have leaves the open package as it is`()
    async throws
  {
    let app = AppModel(opener: MemoryPackages())
    try await app.open(URL(filePath: "/first"))
    let shown = try #require(app.map)
    await #expect(throws: Problem.self) { try await app.open(URL(filePath: "/second"), map: 7) }
    #expect(app.map === shown && app.package.contents?.title == "first")
    guard case .failed = app.package.state else {
      Issue.record("The state is \(app.package.state).")
      return
    }
    try await app.openMap(at: 0)
    #expect(app.isOpen(URL(filePath: "/first"), map: 0))
  }
}

/// Packages with one map, called as their file is.
private struct MemoryPackages: PackageOpening {
  /// Holds the first one back.
  var gate: Gate?

  func open(_ url: URL) async throws(PackageError) -> MobileMapPackage {
    await gate?.pass()
    let name = url.lastPathComponent
    let map: MobileMap
    do { map = try MemoryMap(features: ["a": []]).map([MemoryMap.layer("a")]) } catch {
      throw .unreadable(file: name, reason: "\(error)")
    }
    return MobileMapPackage(
      url: url, info: PackageInfo(json: ["title": .string(name)], fallbackName: name),
      mapNames: [map.name], maps: [map])
  }
}
