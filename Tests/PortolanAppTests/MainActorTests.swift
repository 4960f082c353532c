import Foundation
import PortolanApp
import PortolanPackages
import PortolanRendering
import PortolanTestSupport
import PortolanTiles
import Testing

/// The responsiveness of a screen while large files are opened and drawn.
@Suite(.temporaryDirectory, .timeLimit(.minutes(10))) struct MainActorTests {
  @Test func `A beat on the main actor is late when a job holds it`() async {
    await #expect(processExitsWith: .success) {
      try #require(MainActorProbe.begin())
      await holdMainActor()
      await leaveMainActor()
      await holdMainActor()
      #expect(MainActorProbe.latest > .milliseconds(90))
    }
  }

  @Test(arguments: LargeFile.allCases)
  func `Opening, reading and drawing large files never hold up the main actor`(
    file: LargeFile
  ) async throws {
    await #expect(processExitsWith: .success) {
      [file = file as LargeFile, folder = temporaryDirectory as URL] in
      let url = try await file.make(in: folder)
      try #require(MainActorProbe.begin())
      try await use(url, unpackingInto: folder)
      #expect(MainActorProbe.count > 3)
      #expect(MainActorProbe.latest < .milliseconds(50))
    }
  }
}

/// Computes on the main actor for a tenth of a second.
@MainActor private func holdMainActor() {
  let start = MainActorProbe.computed()
  while MainActorProbe.computed() - start < .milliseconds(100) {}
}

/// Ends a job on the main actor.
@concurrent private func leaveMainActor() async {}

/// Does what screens do with a file.
@MainActor private func use(_ url: URL, unpackingInto folder: URL) async throws {
  let app = AppModel(
    opener: FilePackageOpener(unpackingInto: folder.appending(path: "unpacked")),
    drawing: PictureDrawing())
  try await app.open(url)
  let map = try #require(app.map)
  _ = try await app.package.thumbnail(at: 0)
  _ = try await map.snapshot.draw()
  await map.identify.identify(screenX: 512, y: 384)
  let tiles = try map.tiles.source()
  _ = try await tiles.tile(at: TileID(level: 0, row: 0, column: 0))
  if try await app.files.inspect(url).maps.isEmpty {
    try await app.conversion.convert(.init(url, to: folder.appending(path: "out.geojson")))
  }
  await app.close()
}
