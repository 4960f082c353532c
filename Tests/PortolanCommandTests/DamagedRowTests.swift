import Foundation
import PortolanSQLite
import PortolanTestSupport
import Testing

/// One damaged shape in a table of a real file.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct DamagedRowTests {
  private var home: URL { temporaryDirectory.appending(path: "home") }

  /// A file of three points, of which the second cannot be read.
  private func makeFile() async throws -> String {
    let points = temporaryDirectory.appending(path: "points.geojson")
    let features = (1...3).map {
      #"{"type":"Feature","id":\#($0),"properties":{},"geometry":{"type":"Point","coordinates":[\#($0),2]}}"#
    }
    try Data(
      #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#.utf8
    ).write(to: points)
    let file = temporaryDirectory.appending(path: "points.geodatabase")
    let converted = try await run("convert", points.path, file.path)
    #expect(converted.status == 0, "\(converted)")
    let connection = try Connection(at: file, access: .readWrite)
    let triggers = try connection.query(
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'points'")
    var names: [String] = []
    while try triggers.step() { names.append(triggers.text(at: 0)) }
    for name in names { try connection.execute("DROP TRIGGER \"\(name)\"") }
    try connection.execute("PRAGMA ignore_check_constraints = ON")
    try connection.execute("UPDATE points SET Shape = substr(Shape, 1, 25) WHERE OBJECTID = 2")
    return file.path
  }

  private func run(_ words: String...) async throws -> PortolanProcess.Output {
    try await PortolanProcess.run(words, home: home)
  }

  @Test func `The others are written, and the exit status is 3`() async throws {
    let file = try await makeFile()
    let output = try await run("features", file, "--layer", "points")
    #expect(output.status == 3, "\(output)")
    #expect(output.text.contains("[1,2]") && output.text.contains("[3,2]"), "\(output)")
    #expect(output.notes.contains("2"), "\(output)")
  }

  @Test func `The others are found, and the exit status is 3`() async throws {
    let file = try await makeFile()
    let output = try await run("identify", "3,2", "--map", file, "--json")
    #expect(output.status == 3, "\(output)")
    #expect(output.text.contains(#""objectId":3"#), "\(output)")
  }

  @Test func `The others are drawn, and the one that is missing is listed`() async throws {
    let file = try await makeFile()
    let picture = temporaryDirectory.appending(path: "points.svg").path
    let output = try await run("snapshot", picture, "--map", file, "--json")
    #expect(output.text.contains("points"), "\(output)")
    #expect(try String(contentsOfFile: picture, encoding: .utf8).contains("<path"), "\(output)")
  }
}
