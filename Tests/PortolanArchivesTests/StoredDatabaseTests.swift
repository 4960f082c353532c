import Foundation
import PortolanArchives
import PortolanSQLite
import PortolanTestSupport
import Testing

@Suite(.temporaryDirectory, .needsSharedFiles) struct StoredDatabaseTests {
  static let samples = [
    "geodatabases/usa-10.2.1.geodatabase",
    "preplanned-package/canyonlands/p13/3b1fef0d-2cb0-4b6f-b526-9fe0a1ca3f69.geodatabase",
  ]

  @Test(arguments: samples, [0, 1 << 30])
  func `A geodatabase stored in an archive opens where it lies`(
    _ sample: String, _ mappedSize: Int
  ) throws {
    let url = temporaryDirectory.appending(path: "map.mmpk")
    var writer = try ZIPWriter(replacing: url)
    try writer.add("package.info", Data("{}".utf8), method: .deflated(level: 9))
    let geodatabase = try FileByteSource(at: SharedFiles.url("samples/\(sample)"))
    try writer.add("p13/data.geodatabase", contentsOf: geodatabase)
    try writer.finish()

    let archive = try ZIPArchive(at: url)
    let entry = try #require(try archive.entry(named: "p13/data.geodatabase"))
    let range = try #require(try archive.storedRange(of: entry))
    let region = FileRegion(url: url, offset: range.lowerBound, length: range.count)
    let connection = try Connection(at: region, mappedSize: mappedSize)
    #expect(try connection.applicationID() == 0x4573_7269)
    let query = try connection.query("SELECT count(*) FROM st_geometry_columns")
    #expect(try query.step())
    #expect(query.integer(at: 0) > 0)
  }
}
