import Foundation
import PortolanTestSupport
import Testing

/// A session that edits a GeoPackage, from the line typed to the text shown.
@MainActor
@Suite(.temporaryDirectory) struct GeoPackageTranscriptTests {
  private static let trails = """
    {"type": "FeatureCollection", "features": [
      {"type": "Feature", "id": 1, "properties": {"NAME": "Ridge", "MILES": 3.5},
       "geometry": {"type": "LineString", "coordinates": [[-109.9, 38.3], [-109.91, 38.31]]}},
      {"type": "Feature", "id": 2, "properties": {"NAME": "Creek", "MILES": 1.25},
       "geometry": {"type": "LineString", "coordinates": [[-109.8, 38.2], [-109.81, 38.25]]}}]}
    """

  private static let edits = [
    "convert PACKAGE/trails.geojson PACKAGE/trails.gpkg --quiet", "open PACKAGE/trails.gpkg",
    "edit form trails", "changes",
    "edit add trails --at -109.7,38.1 --at -109.71,38.11 'NAME=New trail'",
    "edit set trails 1 NAME=Renamed MILES=4", "edit remove trails 2", "changes", "edit undo",
    "edit set trails 99 NAME=x", "edit add trails --at -109.7,38.1",
    "edit attach trails 1 PACKAGE/trails.geojson",
    "open PACKAGE/trails.gpkg", "identify -109.7,38.1", "changes --json", "edit undo",
  ]

  @Test func `A session that edits a GeoPackage reads as recorded`() async throws {
    let folder = temporaryDirectory.appending(path: "files", directoryHint: .notDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(Self.trails.utf8).write(to: folder.appending(path: "trails.geojson"))
    let text = await liveTranscript(of: Self.edits, on: folder, home: temporaryDirectory)
    // Releases of SQLite and PROJ differ in what they write.
    let size = /\d+\.\d kB/
    try expectSnapshot(text.replacing(size, with: "… kB"), named: "geopackage-edits.txt")
  }
}
