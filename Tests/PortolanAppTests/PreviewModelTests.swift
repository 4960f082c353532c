import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanPackages
import PortolanRendering
import PortolanTestSupport
import Testing

@testable import PortolanApp

/// A specification that is looked at while it is edited.
@MainActor
@Suite(.temporaryDirectory) struct PreviewModelTests {
  private var specification: URL { temporaryDirectory.appending(path: "town.json") }

  private func write(title: String, layer: String = "Trees") throws {
    let text = """
      {"title": "\(title)", "data": {"Trees": {"file": "trees.csv"}},
       "maps": [{"name": "a", "title": "A", "layers": [{"data": "\(layer)"}]},
                {"name": "b", "title": "B", "layers": [{"data": "Trees"}]}]}
      """
    try Data(text.utf8).write(to: specification)
  }

  private func preview() throws -> (PreviewModel, AppModel) {
    try Data("NAME,longitude,latitude\nOak,-68.1,44.3\n".utf8)
      .write(to: temporaryDirectory.appending(path: "trees.csv"))
    let folder = temporaryDirectory.appending(path: "made")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let app = AppModel(
      opener: FilePackageOpener(
        unpackingInto: temporaryDirectory.appending(path: "unpacked"), now: { .now }),
      drawing: PictureDrawing())
    return (PreviewModel(of: specification, in: folder, app: app), app)
  }

  @Test func `The map is shown again, where it was, when the specification changes`() async throws {
    let (preview, app) = try preview()
    try write(title: "Town")
    await preview.refresh()
    #expect(app.package.contents?.title == "Town")
    try await app.openMap(at: 1)
    app.map?.setScale(1234)
    try write(title: "Town of Trees")
    await preview.refresh()
    guard case .shown(_, revision: 2) = preview.state else {
      Issue.record("\(preview.state)")
      return
    }
    #expect(app.package.contents?.title == "Town of Trees")
    #expect(app.map?.state.title == "B")
    #expect(app.map?.state.frame.scale == 1234)
  }

  @Test func `The package is saved as it was made last, also while the specification is wrong`()
    async throws
  {
    let (preview, app) = try preview()
    let target = temporaryDirectory.appending(path: "town.mmpk")
    await #expect(throws: Problem.self) { try await preview.save(to: target) }
    try write(title: "Town")
    await preview.refresh()
    #expect(preview.json["state"]?.string == "shown" && preview.json["canSave"]?.bool == true)
    try write(title: "Town", layer: "Bushes")
    await preview.refresh()
    #expect(preview.json["state"]?.string == "failed" && preview.json["canSave"]?.bool == true)
    #expect(preview.json["problem"]?["message"]?.string?.contains("line 2") == true)
    try await preview.save(to: target)
    try await app.open(target)
    #expect(app.package.contents?.title == "Town")
    await #expect(throws: Problem.self) { try await preview.save(to: target) }
  }

  @Test func `Data that the specification names count as well`() async throws {
    let (preview, app) = try preview()
    try write(title: "Town")
    await preview.refresh()
    try Data("NAME,longitude,latitude\nOak,-68.1,44.3\nElm,-68.2,44.4\n".utf8)
      .write(to: temporaryDirectory.appending(path: "trees.csv"))
    await preview.refresh()
    await app.map?.search.suggest("elm")
    #expect(app.map?.search.state.proposals.map(\.label) == ["Elm"])
  }

  @Test func `Errors are reported, and the display stays`() async throws {
    let (preview, app) = try preview()
    try write(title: "Town")
    await preview.refresh()
    try write(title: "Town", layer: "Shrubs")
    await preview.refresh()
    guard case .failed(let problem) = preview.state else {
      Issue.record("\(preview.state)")
      return
    }
    #expect(problem.message.contains("line 2"))
    #expect(app.map?.state.title == "A")
    try write(title: "Town again")
    await preview.refresh()
    #expect(app.package.contents?.title == "Town again")
  }

  @Test(arguments: [true, false]) func `A file that was missing is seen when it appears`(
    _ isFirst: Bool
  ) async throws {
    let (preview, app) = try preview()
    let trees = temporaryDirectory.appending(path: "trees.csv")
    if !isFirst {
      try write(title: "Village")
      await preview.refresh()
    }
    try FileManager.default.moveItem(at: trees, to: temporaryDirectory.appending(path: "away.csv"))
    try write(title: "Town")
    await preview.refresh()
    guard case .failed = preview.state else {
      Issue.record("\(preview.state)")
      return
    }
    try FileManager.default.moveItem(at: temporaryDirectory.appending(path: "away.csv"), to: trees)
    await preview.refresh()
    #expect(app.package.contents?.title == "Town")
  }

  @Test func `Nothing is made where nothing has changed`() async throws {
    let (preview, _) = try preview()
    try write(title: "Town")
    await preview.refresh()
    let first = preview.state
    await preview.refresh()
    #expect(preview.state == first)
  }
}
