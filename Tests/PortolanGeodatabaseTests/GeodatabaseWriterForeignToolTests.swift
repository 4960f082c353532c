import Foundation
import PortolanTestSupport
import Testing

/// What other programs say about a file that was written here.
@Suite(.temporaryDirectory) struct GeodatabaseWriterForeignToolTests {
  private var url: URL { temporaryDirectory.appending(path: "new.geodatabase") }

  @Test(.needsTool("sqlite3")) func `The shell of SQLite finds a new geodatabase sound`() throws {
    try Example.write(to: url)
    let result = try Tool.run(
      "sqlite3", url.path(percentEncoded: false),
      """
      PRAGMA integrity_check; PRAGMA foreign_key_check;
      SELECT rtreecheck('st_spindex__Parks_Shape'), rtreecheck('st_spindex__Trails_Shape');
      SELECT count(*) FROM Trails_evw;
      """)
    #expect(result == Tool.Result(status: 0, output: "ok\nok|ok\n3\n", errors: ""))
  }

  @Test(.needsTool("ogrinfo")) func `GDAL opens a new geodatabase without complaint`() throws {
    try Example.write(to: url)
    let result = try Tool.run("ogrinfo", "-al", "-so", url.path(percentEncoded: false))
    #expect(result.status == 0)
    #expect(result.errors == "")
    #expect(!result.output.contains("ERROR"))
    for table in ["Parks", "Trails_evw", "Rangers", "GDB_ServiceItems"] {
      #expect(result.output.contains("Layer name: \(table)\n"))
    }
  }
}

/// Programs that may be installed.
enum Tool {
  struct Result: Hashable {
    var status: Int32
    var output: String
    var errors: String
  }

  static func path(of name: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  static func run(_ name: String, _ arguments: String...) throws -> Result {
    let process = Process()
    process.executableURL = URL(filePath: path(of: name) ?? name)
    process.arguments = arguments
    let folder = temporaryDirectory
    let files = ["output", "errors"].map { folder.appending(path: $0) }
    for file in files { try Data().write(to: file) }
    process.standardOutput = try FileHandle(forWritingTo: files[0])
    process.standardError = try FileHandle(forWritingTo: files[1])
    try process.run()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus, output: try String(contentsOf: files[0], encoding: .utf8),
      errors: try String(contentsOf: files[1], encoding: .utf8))
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the test, saying so, where a program is not installed.
  static func needsTool(_ name: String) -> Self {
    .enabled(if: Tool.path(of: name) != nil, "needs \(name), which is not installed")
  }
}
