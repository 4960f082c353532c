import Foundation
import PortolanFeatureContracts
import PortolanTestSupport
import Testing

/// The verdicts of other programs on a file that was written here.
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
