import PortolanMap
import Testing

@Suite struct PackagePathTests {
  @Test(arguments: [
    ("file:./x.geodatabase?itemId=12", "./x.geodatabase", 12),
    ("file:./x.geodatabase?ITEMID=0", "./x.geodatabase", 0),
    ("file:./x.geodatabase?a=1&itemId=3", "./x.geodatabase", 3),
    ("file:./x.geodatabase?itemId=three", "./x.geodatabase", nil),
    ("file:./x.geodatabase?itemId=99999999999999999999", "./x.geodatabase", nil),
    ("file:./a%20b%3F.tpk", "./a b?.tpk", nil),
    ("FILE:../commondata/a.kml", "../commondata/a.kml", nil),
    (#"file:.\data\a.tpk"#, "./data/a.tpk", nil),
  ])
  func `A path is split`(_ text: String, _ path: String, _ itemID: Int?) throws {
    let parsed = try #require(PackagePath(parsing: text))
    #expect(parsed.path == path)
    #expect(parsed.itemID == itemID)
    #expect(PackagePath(parsing: parsed.text) == parsed)
  }

  @Test(arguments: [
    "", "file:", "file:?itemId=1", "./x.tpk", "https://x/y", "file:./%ZZ", "file:a%00b",
  ])
  func `An invalid path is refused`(_ text: String) {
    #expect(PackagePath(parsing: text) == nil)
  }

  @Test(arguments: [
    ("./a.tpk", "p13", "p13/a.tpk"), ("a.tpk", "", "a.tpk"),
    ("../commondata/a.tif", "p13", "commondata/a.tif"),
    ("./b/../a.tpk", "p13/maps", "p13/maps/a.tpk"), ("..a/a..b", "p", "p/..a/a..b"),
    ("a//b.tpk", "p/", "p/a/b.tpk"),
  ])
  func `A path is resolved from the folder of the document`(
    _ path: String, _ folder: String, _ resolved: String
  ) throws {
    #expect(try PackagePath(path).resolved(relativeTo: folder) == resolved)
  }

  @Test(arguments: [
    "../../a.tpk", "../..", "/etc/passwd", "C:/a.tpk", "./x/../../../a", "..", "", "./", "a/",
  ])
  func `A path that leaves the package is refused`(_ path: String) {
    #expect(throws: WebMapError.pathLeavesPackage(path)) {
      try PackagePath(path).resolved(relativeTo: "p13")
    }
  }

  @Test func `Encoded dots do not hide a way out`() throws {
    let path = try #require(PackagePath(parsing: "file:%2e%2e/%2e%2e/secret"))
    #expect(throws: WebMapError.pathLeavesPackage("../../secret")) {
      try path.resolved(relativeTo: "p13")
    }
  }

  @Test func `The extension is what follows the last point of the name`() {
    #expect(PackagePath("./a.b/c.TPKX").fileExtension == "tpkx")
    #expect(PackagePath("./a.b/c").fileExtension == "")
  }
}
