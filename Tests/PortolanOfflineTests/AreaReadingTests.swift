import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanLibrary
import PortolanPortal
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// The reading of areas and their packages from the documents of a portal or a stored area.
@Suite(.temporaryDirectory) struct AreaReadingTests {
  private static let id = "0123456789abcdef0123456789abcdef"

  private func item(_ members: String, type: String) throws -> PortalItem {
    let json = """
      {"id": "\(Self.id)", "type": "\(type)", "title": "A", \(members)}
      """
    return try #require(PortalItem(json: try JSONValue(parsing: json)))
  }

  private func area(_ properties: String) throws -> PreplannedMapArea {
    let extent = #""extent": [[0, 1], [2, 3]]"#
    return PreplannedMapArea(
      portalItem: try item(#"\#(extent), "properties": \#(properties)"#, type: "Map Area"))
  }

  // MARK: - Areas

  @Test(arguments: [
    ("{}", PreplannedMapArea.PackagingStatus.complete), (#"{"status": "complete"}"#, .complete),
    (#"{"status": "Complete"}"#, .complete), (#"{"status": "processing"}"#, .processing),
    (#"{"status": "FAILED"}"#, .failed), (#"{"status": "queued"}"#, .processing),
    (#"{"status": 1}"#, .complete),
  ])
  func `An area is packed if its item says so, or says nothing`(
    _ properties: String, _ status: PreplannedMapArea.PackagingStatus
  ) throws {
    let area = try area(properties)
    #expect(area.packagingStatus == status && area.canDownload == (status == .complete))
    #expect(area.packageRefreshSchedule == nil && area.contentItems.isEmpty)
  }

  private static let extent = """
    "extent": {"xmin": 0, "ymin": 0, "xmax": 7, "ymax": 1, "spatialReference": {"wkid": 102100}}
    """
  private static let rings = """
    {"rings": [[[0, 0], [0, 9], [9, 0], [0, 0]]], "spatialReference": {"wkid": 3857}}
    """

  /// The properties of an area, and the eastern edge and the reference that follow.
  private static let shapes: [(String, Double, Int)] = [
    ("{}", 2, 4326), ("{\(extent)}", 7, 102_100),
    (#"{"area": {"polygon": \#(rings)}, \#(extent)}"#, 9, 3857),
    (#"{"area": \#(rings), \#(extent)}"#, 9, 3857),
    (#"{"area": {"polygon": {"rings": []}}, \#(extent)}"#, 7, 102_100),
    (#"{"area": {"polygon": {"rings": "none"}}}"#, 2, 4326),
    (#"{"area": {"resource": "a.json"}, \#(extent)}"#, 7, 102_100),
  ]

  @Test(arguments: shapes)
  func `The shape of an area is the most exact one that can be read`(
    _ properties: String, _ east: Double, _ wkid: Int
  ) throws {
    let area = try area(properties)
    #expect(area.areaOfInterest?.extent?.xMax == east)
    #expect(area.spatialReference?.wkid == wkid)
  }

  @Test func `A shape in a resource takes the place of the extent, unless it is damaged`() throws {
    var area = try area(#"{"area": {"resource": "a.json"}, "packageRefreshSchedule": "0 0 3"}"#)
    #expect(area.shapeSource == .resource("a.json") && area.packageRefreshSchedule == "0 0 3")
    #expect(try self.area("{}").shapeSource == .none)
    area.setShape(try JSONValue(parsing: #"{"polygon": {"rings": []}}"#))
    #expect(area.areaOfInterest?.extent?.xMax == 2 && area.spatialReference?.wkid == 4326)
    area.setShape(try JSONValue(parsing: #"{"polygon": \#(Self.rings)}"#))
    #expect(area.areaOfInterest?.extent?.xMax == 9 && area.spatialReference?.wkid == 3857)
  }

  // MARK: - Packages

  /// The type and the name of an item, and the file that it becomes.
  @Test(arguments: [
    ("SQLite Geodatabase", "a", "geodatabase"), ("sqlite geodatabase", "a", "geodatabase"),
    ("Compact Tile Package", "a.tpk", "tpkx"), ("Tile Package", "a.tpk", "tpk"),
    ("Tile Package", "a.tpkx", "tpkx"), ("Tile Package", "tpkx", "tpk"),
    ("Vector Tile Package", "a.tpk", "vtpk"), ("Web Map", "a.tpk", nil),
  ])
  func `Packages become files by their kind`(
    _ type: String, _ name: String, _ suffix: String?
  ) throws {
    let package = AreaPackage(item: try item(#""name": "\#(name)""#, type: type))
    #expect(package?.fileName == suffix.map { "\(Self.id).\($0)" })
    #expect(package?.kind.rawValue == suffix)
    #expect(package?.kind.file.rawValue == suffix)
  }

  private static let own = #""url": "https://d.test/own""#
  private static let keyword = #""typeKeywords": ["Offline", "ReferenceURL#https://d.test/word"]"#
  private static let property = #""properties": {"url": "https://d.test/property"}"#

  private static let services: [([String], String)] = [
    ([own], "own"), ([own, keyword], "word"), ([own, keyword, property], "property"),
    ([keyword], "word"), ([own, property], "property"),
  ]

  @Test(arguments: services)
  func `The service of a package is named in its properties, its keywords, or itself`(
    _ members: [String], _ name: String
  ) throws {
    let item = try item(members.joined(separator: ", "), type: "Tile Package")
    let package = try #require(AreaPackage(item: item))
    #expect(package.serviceURL?.absoluteString == "https://d.test/\(name)")
    #expect(package.id.text == Self.id && package.byteCount == nil)
  }

  @Test(arguments: [
    ("https://d.test/a/FeatureServer", true), ("http://D.test/A/featureserver/3?token=b", true),
    ("https://d.test/a/FeatureServer/", true), ("//d.test/a/FeatureServer/3#b", true),
    ("https://d.test/a/FeatureServer2", false), ("https://d.test/a", false),
    ("https://e.test/a/FeatureServer", false), ("", false),
  ])
  func `A package holds the layers of its service, and no others`(
    _ address: String, _ holds: Bool
  ) throws {
    let service = #""url": "https://d.test/a/FeatureServer/", "size": 12"#
    let package = try #require(AreaPackage(item: try item(service, type: "SQLite Geodatabase")))
    #expect(package.holds(address) == holds && package.byteCount == 12)
    let nameless = try #require(
      AreaPackage(item: try item(#""size": -1"#, type: "SQLite Geodatabase")))
    #expect(!nameless.holds(address) && nameless.byteCount == nil)
  }

  // MARK: - Areas of before

  private func options(area: String?, map: String?) throws -> StoredAreaOptions? {
    let package = temporaryDirectory.appending(path: UUID().uuidString)
    let data = package.appending(path: "p13")
    try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
    for (text, suffix) in [(area, "marea"), (map, "mmap")] {
      guard let text else { continue }
      try Data(text.utf8).write(to: data.appending(path: "mobile_map.\(suffix)"))
    }
    return StoredAreaOptions(package: package)
  }

  private static func map(_ layers: String) -> String {
    #"{"map": {"baseMap": {"baseMapLayers": [\#(layers)]}}}"#
  }

  @Test(arguments: [
    ("", StoredAreaOptions.Basemap.leftOut), (#"{"id": "b", "path": "file:./x.tpkx"}"#, .ofMap),
    (
      #"{"id": "reference-basemap", "title": "Streets", "path": "file:./x.tpkx"}"#,
      .file("Streets.tpkx")
    ),
    (#"{"id": "reference-basemap", "title": "Streets"}"#, .ofMap),
    (#"{"id": "b"}, {"id": "reference-basemap", "title": "S", "path": "file:./x.tpk"}"#, .ofMap),
  ])
  func `The basemap that an older area was stored with comes from its map`(
    _ layers: String, _ basemap: StoredAreaOptions.Basemap
  ) throws {
    #expect(
      try options(area: "{}", map: Self.map(layers))
        == StoredAreaOptions(basemap: basemap, continuesOnErrors: true, updateMode: "noUpdates"))
  }

  @Test func `The update mode of an older area comes from its first package that states one`()
    throws
  {
    let packages = """
      {"packages": [{}, {"preplannedUpdateMode": "downloadScheduledUpdates"},
       {"preplannedUpdateMode": "syncWithFeatureServices"}]}
      """
    let told = try options(area: packages, map: Self.map(""))
    #expect(told?.updateMode == "downloadScheduledUpdates")
  }

  private static let unreadable: [(String?, String?)] = [
    (nil, map("")), ("{}", nil), ("{", map("")), ("{}", "{"), ("{}", #"{"map": {"baseMap": {}}}"#),
  ]

  @Test(arguments: unreadable)
  func `Nothing is known of an older area whose documents cannot be read`(
    _ area: String?, _ map: String?
  ) throws { #expect(try options(area: area, map: map) == nil) }
}
