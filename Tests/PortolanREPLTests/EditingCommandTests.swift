import Foundation
import PortolanApp
import PortolanTestSupport
import Testing

@testable import PortolanREPL

/// The requirements of editing features: their ids, places that are meant, and files that can be
/// written.
@MainActor
@Suite(.temporaryDirectory) struct EditingCommandTests {
  private static let lights = """
    {"type": "FeatureCollection", "features": [
      {"type": "Feature", "properties": {"NAME": "Ridge"},
       "geometry": {"type": "Point", "coordinates": [-70.3, 43.5]}},
      {"type": "Feature", "properties": {"NAME": "Ledge"},
       "geometry": {"type": "Point", "coordinates": [-70.1, 43.7]}}]}
    """

  private func path(_ name: String) -> String {
    temporaryDirectory.appending(path: name).path(percentEncoded: false)
  }

  private func run(_ lines: [String]) async -> [String] {
    let console = TranscriptConsole()
    return await console.answers(to: lines, in: .offline(console, home: path("home")))
  }

  /// Makes a GeoPackage of two lights.
  private func makeLights() async throws -> String {
    try Data(Self.lights.utf8).write(to: URL(filePath: path("lights.geojson")))
    _ = await run(["convert '\(path("lights.geojson"))' '\(path("lights.gpkg"))' --quiet"])
    return path("lights.gpkg")
  }

  @Test func `Found features are listed with the object id for editing`() async throws {
    let map = try await makeLights()
    let answers = await run([
      "identify -70.1,43.7 --map '\(map)'", "popup 1", "edit set lights 2 NAME=Rock",
    ])
    #expect(answers[0].contains("  1  lights (id 2)"))
    #expect(answers[1].contains("lights, 1 of 1, object id 2"))
    #expect(answers[2].contains("Changed feature 2"))
  }

  @Test(arguments: ["edit move lights 1 --at 43.6,-70.2", "edit add lights --at 43.6,-70.2"])
  func `A place with latitude and longitude exchanged is not stored`(_ line: String) async throws {
    let map = try await makeLights()
    let answers = await run(["open '\(map)' --quiet", line, "edit undo"])
    #expect(answers[1].contains("[wrongUsage]"), "\(answers)")
    #expect(answers[1].contains("The longitude comes first: -70.2,43.6."), "\(answers)")
    #expect(answers[2].contains("There is nothing to undo."), "\(answers)")
  }

  @Test(arguments: [
    "view --center", "snapshot --size 20x20 'PICTURE' --at", "popup 1 --at", "identify",
  ])
  func `A place with latitude and longitude exchanged is noticed wherever one is given`(
    _ line: String
  ) async throws {
    let map = try await makeLights()
    let line = line.replacing("PICTURE", with: path("picture.png"))
    let answers = await run(["open '\(map)' --quiet", "\(line) 43.6,-70.2"])
    #expect(answers[1].contains("latitude and longitude exchanged"), "\(answers)")
  }

  @Test(arguments: ["popup 1", "attachments", "related"])
  func `Where there is no feature, the place is named and not a popup`(
    _ command: String
  )
    async throws
  {
    let map = try await makeLights()
    let answers = await run(["\(command) --at 10,10.5 --map '\(map)'"])
    #expect(answers[0].contains("There is no feature at 10,10.5."), "\(answers)")
    #expect(answers[0].contains("[notFound]"), "\(answers)")
  }

  @Test func `A place that is meant as it is can be stored, if its reference is named`()
    async throws
  {
    let map = try await makeLights()
    let line = "edit move lights 1 --at 43.6,-70.2 --crs 4326"
    #expect(await run(["open '\(map)' --quiet", line])[1].contains("Moved feature 1"))
  }

  @Test func `A feature without its shape is not added, and the message says how to give one`()
    async throws
  {
    let map = try await makeLights()
    let answers = await run(["open '\(map)' --quiet", "edit add lights NAME=Rock", "edit undo"])
    #expect(answers[1].contains("[wrongUsage]"), "\(answers)")
    #expect(answers[1].contains("Give its place with --at X,Y"), "\(answers)")
    #expect(answers[2].contains("There is nothing to undo."), "\(answers)")
  }

  @Test func `Listing the changes of a map leaves it closed`() async throws {
    let map = try await makeLights()
    let answers = await run(["changes --map '\(map)'", "toc"])
    #expect(answers[1].contains("No map is open."), "\(answers)")
  }

  @Test func `The map whose changes are listed may be named without an option, and only once`()
    async throws
  {
    let map = try await makeLights()
    let answers = await run([
      "changes --map '\(map)'", "changes '\(map)'", "changes '\(map)' --map '\(map)'",
    ])
    #expect(answers[1] == answers[0], "\(answers)")
    #expect(answers[2].contains("The map is named twice."), "\(answers)")
  }

  @Test(.needsSharedFiles)
  func `A map in one file is refused by its title, with what to type`() async throws {
    let folder = SharedFiles.url("samples/preplanned-package/canyonlands")
      .path(percentEncoded: false)
    let file = path("the canyon.mmpk")
    let answers = await run([
      "import '\(folder)' --quiet", "export canyonlands '\(file)' --quiet",
      "edit remove CNP_Trails 1 --map '\(file)' --yes",
      "import '\(file)' --on-conflict replace --quiet",
      "edit remove CNP_Trails 1 --map canyonlands --yes",
    ])
    let target = "'the canyon', and name it with --map 'the canyon'."
    #expect(
      answers[2].contains("\"canyonlands\" cannot be edited: its package is one file."),
      "\(answers)")
    let words = answers.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    #expect(words[2].contains("portolan unpack '\(file)' \(target)"), "\(answers[2])")
    #expect(
      words[4].contains(
        "export canyonlands canyonlands.mmpk, then portolan unpack canyonlands.mmpk canyonlands"),
      "\(answers[4])")
  }

  @Test(.needsSharedFiles)
  func `A map in one file can be edited once it is unpacked`() async throws {
    let source = SharedFiles.url("samples/preplanned-package/canyonlands")
      .path(percentEncoded: false)
    let (file, folder) = (path("canyon.mmpk"), path("canyon"))
    let answers = await run([
      "import '\(source)' --quiet", "export canyonlands '\(file)' --quiet",
      "unpack '\(file)' '\(folder)'", "edit remove CNP_Trails 1 --map '\(folder)' --yes",
      "unpack '\(file)' '\(folder)'", "unpack '\(folder)' '\(path("other"))'",
    ])
    #expect(answers[2].contains("is in \(folder), ") && answers[2].contains("files"), "\(answers)")
    #expect(!answers[3].contains("error"), "\(answers)")
    #expect(answers[4].contains("exists already"), "\(answers)")
    #expect(answers[5].contains("error"), "\(answers)")
    #expect(!FileManager.default.fileExists(atPath: path("other")))
  }
}
