import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanTestSupport
import Testing

@testable import PortolanGeoPackage
@testable import PortolanGeodatabase

/// The verdicts of other programs on GeoPackages that were written here.
@Suite(.temporaryDirectory) struct GeoPackageForeignToolTests {
  static let samples = [
    "geodatabases/LA_Trails.geodatabase", "geodatabases/militaryoverlay.geodatabase",
    "geodatabases/usa-10.2.1.geodatabase",
    "preplanned-package/canyonlands/p13/3b1fef0d-2cb0-4b6f-b526-9fe0a1ca3f69.geodatabase",
  ]

  private var url: URL { temporaryDirectory.appending(path: "new.gpkg") }
  private var path: String { url.path(percentEncoded: false) }

  @Test(.needsGeoPackageValidator)
  func `The validator is content with one of everything`() throws {
    try Example.writeGeoPackage(to: url)
    #expect(try GeoPackageValidator.run(path) == .content)
  }

  @Test(.needsGeoPackageValidator, .needsSharedFiles, arguments: samples)
  func `The validator is content with each sample`(_ sample: String) throws {
    try Example.copyToGeoPackage(SharedFiles.url("samples/\(sample)"), url)
    #expect(try GeoPackageValidator.run(path) == .content)
  }

  @Test(.needsTool("ogrinfo"), .needsSharedFiles, arguments: samples)
  func `GDAL reads every feature of each sample`(_ sample: String) throws {
    let source = SharedFiles.url("samples/\(sample)")
    try Example.copyToGeoPackage(source, url)
    let reader = try GeodatabaseReader(at: source)
    let result = try Tool.run("ogrinfo", "-al", "-q", path)
    #expect(result.status == 0)
    #expect(result.errors == "")
    var total = 0
    for schema in try reader.schemas() {
      total += try reader.count(in: schema.name, matching: QueryParameters())
    }
    let lines = result.output.split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("OGRFeature(") } == total)
  }

  @Test(.needsTool("sqlite3")) func `The shell of SQLite finds no broken key`() throws {
    try Example.writeGeoPackage(to: url)
    let result = try Tool.run(
      "sqlite3", path, "PRAGMA integrity_check; PRAGMA foreign_key_check;")
    #expect(result == Tool.Result(status: 0, output: "ok\n", errors: ""))
  }
}

/// The validator that comes with GDAL's Python package.
enum GeoPackageValidator {
  /// The verdict of the program.
  enum Verdict: Hashable {
    case content
    case complaints(String)
  }

  private static let python = "/usr/bin/python3"
  private static let script =
    "/usr/lib/python3/dist-packages/osgeo_utils/samples/validate_gpkg.py"

  static var isInstalled: Bool { FileManager.default.fileExists(atPath: script) }

  static func run(_ path: String) throws -> Verdict {
    let result = try Tool.run(python, script, "--extra", path)
    let text = result.output + result.errors
    return result.status == 0 && !text.contains("Req ") ? .content : .complaints(text)
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the test, saying so, where the validator is not installed.
  static var needsGeoPackageValidator: Self {
    .enabled(if: GeoPackageValidator.isInstalled, "needs python3-gdal, which is not installed")
  }
}
