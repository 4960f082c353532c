import Foundation
import PortolanSQLite
import PortolanTestSupport
import Testing

/// Files that a killed editor, or other software, has left in write-ahead mode.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct WriteAheadFileTests {
  private var home: URL { temporaryDirectory.appending(path: "home") }

  @Test(arguments: ["toc", "identify 1,2", "snapshot picture.svg"])
  func `Nothing is left beside a file that was open when the process ended`(
    _ command: String
  ) async throws {
    let points = temporaryDirectory.appending(path: "points.geojson")
    try Data(
      #"{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1,2]}}"#.utf8
    ).write(to: points)
    let file = temporaryDirectory.appending(path: "points.geodatabase")
    let made = try await PortolanProcess.run(["convert", points.path, file.path], home: home)
    #expect(made.status == 0, "\(made)")
    do {
      let connection = try Connection(at: file, access: .readWrite)
      try connection.execute("PRAGMA journal_mode = WAL")
    }
    let script = temporaryDirectory.appending(path: "script")
    let line = command.replacing("picture", with: temporaryDirectory.path + "/picture")
    try Data("open \(file.path)\n\(line)\n".utf8).write(to: script)
    let output = try await PortolanProcess.run(["run", script.path], home: home)
    #expect(output.status == 0, "\(output)")
    let names = try FileManager.default.contentsOfDirectory(atPath: temporaryDirectory.path)
    #expect(names.filter { $0.hasPrefix("points.geodatabase") } == ["points.geodatabase"])
  }
}
