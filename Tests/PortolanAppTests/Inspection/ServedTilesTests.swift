import Foundation
import PortolanApp
import PortolanTestSupport
import Testing

@MainActor
@Suite(.temporaryDirectory) struct ServedTilesTests {
  @Test func `A file without tiles of its own says what to serve instead, for any shell`()
    async throws
  {
    let file = temporaryDirectory.appending(path: "a.geojson")
    try Data(#"{"type":"FeatureCollection","features":[]}"#.utf8).write(to: file)
    let app = AppModel(opener: FilePackageOpener(unpackingInto: temporaryDirectory))
    let problem = await #expect(throws: Problem.self) { try await app.files.tiles(in: file) }
    #expect(problem?.code == .nothingToConvert)
    #expect(problem?.suggestion == "Serve a map instead, which is drawn.")
  }
}
