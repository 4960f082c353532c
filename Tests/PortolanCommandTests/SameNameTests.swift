import Foundation
import PortolanTestSupport
import Testing

/// The meaning of a name that a stored map and something in the current folder both have.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct SameNameTests {
  private func run(_ words: [String]) async throws -> PortolanProcess.Output {
    let process = PortolanProcess.make(words, home: temporaryDirectory.appending(path: "home"))
    process.currentDirectoryURL = temporaryDirectory
    return try await PortolanProcess.run(process)
  }

  private func storeMap(_ title: String) async throws {
    let points = """
      {"type": "FeatureCollection", "features": [
        {"type": "Feature", "id": 1, "properties": {"NAME": "Ridge"},
         "geometry": {"type": "Point", "coordinates": [-109.9, 38.3]}}]}
      """
    let specification = """
      {"title": "\(title)", "data": {"Trails": {"file": "trails.geojson"}},
       "maps": [{"name": "m", "layers": [{"data": "Trails", "title": "Trails"}]}]}
      """
    for (name, text) in [("trails.geojson", points), ("specification.json", specification)] {
      try Data(text.utf8).write(to: temporaryDirectory.appending(path: name))
    }
    let made = try await run(["create-package", "specification.json", "made.mmpk"])
    try #require(made.status == 0, "\(made)")
    let imported = try await run(["import", "made.mmpk"])
    try #require(imported.status == 0, "\(imported)")
  }

  @Test(arguments: [
    ["features", "Canyon", "--layer", "Trails", "--count"], ["changes", "Canyon"],
    ["open", "Canyon"],
    ["toc", "--map", "Canyon"],
  ])
  func `The stored map is used, and how the folder is named is said`(
    words: [String]
  ) async throws {
    try await storeMap("Canyon")
    let folder = temporaryDirectory.appending(path: "Canyon")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let output = try await run(words)
    #expect(output.status == 0, "\(output)")
    #expect(output.notes.contains("\"./Canyon\""), "\(output)")
    let ofFolder = try await run(words.map { $0 == "Canyon" ? "./Canyon" : $0 })
    #expect(ofFolder.status != 0 && !ofFolder.notes.contains("which is used"), "\(ofFolder)")
    try FileManager.default.removeItem(at: folder)
    let alone = try await run(words)
    #expect(alone.status == 0 && !alone.notes.contains("./"), "\(alone)")
  }

  @Test func `The path of a file is not taken for the map that is open and called like it`()
    async throws
  {
    try await storeMap("town.mmpk")
    let roads = """
      {"title": "Roads", "data": {"Roads": {"file": "trails.geojson"}},
       "maps": [{"name": "m", "layers": [{"data": "Roads", "title": "Roads"}]}]}
      """
    try Data(roads.utf8).write(to: temporaryDirectory.appending(path: "roads.json"))
    // The file comes once the stored map is open.
    let script = """
      open town.mmpk
      create-package roads.json town.mmpk
      toc --map town.mmpk

      """
    try Data(script.utf8).write(to: temporaryDirectory.appending(path: "script"))
    let output = try await run(["run", "script"])
    #expect(output.status == 0 && output.text.contains("[x] Roads"), "\(output)")
    #expect(!output.text.contains("[x] Trails"), "\(output)")
  }

  @Test func `A file is used where the list of maps cannot be read`() async throws {
    try await storeMap("Canyon")
    try Data("no catalogue".utf8)
      .write(to: temporaryDirectory.appending(path: "home/library.sqlite"))
    let points = temporaryDirectory.appending(path: "trails.geojson")
    try FileManager.default.copyItem(at: points, to: temporaryDirectory.appending(path: "trails"))
    let output = try await run(["features", "trails", "--layer", "trails", "--count"])
    #expect(output.status == 0 && output.text == "1\n", "\(output)")
  }
}
