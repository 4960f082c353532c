import Foundation
import PortolanPackages
import PortolanSQLite
import PortolanTestSupport
import PortolanTileFiles
import Testing

@testable import PortolanApp

/// Databases that this program has open while it finds out what they are.
@Suite(.temporaryDirectory) struct OpenDatabaseTests {
  enum Look: CaseIterable, Sendable {
    case kind, summary, tiles

    func callAsFunction(at url: URL) {
      // What is found, or why nothing is, is of no interest here.
      switch self {
      case .kind: _ = try? FileKind.head(of: url)
      case .summary: _ = try? PackageSummary.read(at: url)
      case .tiles: _ = try? TileFile.open(url)
      }
    }
  }

  @Test(arguments: Look.allCases)
  func `Finding out what a file is keeps the locks on a database`(_ look: Look) throws {
    let url = temporaryDirectory.appending(path: "data.gpkg")
    do {
      let connection = try Connection(at: url, access: .create)
      try connection.execute("CREATE TABLE gpkg_contents (table_name TEXT, data_type TEXT)")
    }
    let connection = try Connection(at: url, access: .readWrite)
    try connection.execute("BEGIN")
    try connection.execute("SELECT * FROM gpkg_contents")
    look(at: url)
    let program = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute('VACUUM')"
    let result = try Tool.run("python3", "-c", program, url.path(percentEncoded: false))
    #expect(result.errors.contains("database is locked"))
    try connection.execute("ROLLBACK")
  }
}
