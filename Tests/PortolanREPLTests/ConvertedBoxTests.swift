import Foundation
import PortolanApp
import PortolanComposition
import PortolanJSON
import PortolanRendering
import PortolanTestSupport
import Testing

@testable import PortolanREPL

/// The boxes that may be given around features that are converted.
@MainActor
@Suite(.temporaryDirectory) struct ConvertedBoxTests {
  private static let places = """
    {"type": "FeatureCollection", "features": [
      {"type": "Feature", "id": 1, "properties": {"NAME": "Here"},
       "geometry": {"type": "Point", "coordinates": [10, 0]}},
      {"type": "Feature", "id": 2, "properties": {"NAME": "There"},
       "geometry": {"type": "Point", "coordinates": [190, 0]}}]}
    """

  private func path(_ name: String) -> String {
    temporaryDirectory.appending(path: name).path(percentEncoded: false)
  }

  private func convert(_ options: String) async throws -> String {
    try Data(Self.places.utf8).write(to: URL(filePath: path("places.geojson")))
    let home = HomeFolder(option: path("home"), environment: [:])
    let console = TranscriptConsole()
    let session = Session(
      console: console, options: GlobalOptions(),
      app: LiveApp(home: home, drawing: PictureDrawing()).model())
    _ = await session.interpreter.run(
      "convert '\(path("places.geojson"))' '\(path("part.geojson"))' --quiet \(options)",
      in: session)
    await session.app.close()
    return console.transcript
  }

  @Test func `Data that counts degrees up to 360 takes a box of such degrees`() async throws {
    let text = try await convert("--crs native --bbox 185,-1,355,1")
    let part = try JSONValue(parsing: Data(contentsOf: URL(filePath: path("part.geojson"))))
    let names = part["features"]?.array?.map { $0["properties"]?["NAME"]?.string }
    #expect(names == ["There"], "\(text)")
  }

  @Test(arguments: [
    ("--bbox 185,-1,355,1", "185, is no longitude: these go from -180 to 180"),
    ("--crs native --bbox 185,-1,365,1", "365, is no longitude: these go from -180 to 360"),
    ("--crs native --bbox 185,-91,355,1", "-91, is no latitude"),
  ])
  func `A box beyond what degrees can be is refused`(
    _ options: String, _ words: String
  ) async throws {
    let text = try await convert(options)
    #expect(text.contains(words), "\(text)")
    #expect(!FileManager.default.fileExists(atPath: path("part.geojson")))
  }
}
