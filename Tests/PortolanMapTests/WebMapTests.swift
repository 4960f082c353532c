import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanMap
import Testing

@Suite struct WebMapTests {
  @Test(arguments: ["1.0", "1.9.2", "2", "2.37", "2.99", "beta", ""])
  func `Versions 1 and 2 are read, and versions that are no number`(_ version: String) throws {
    #expect(try WebMap(json: ["baseMap": [:], "version": .string(version)]).version == version)
  }

  @Test(arguments: ["3", "3.0", "10.1"])
  func `Later versions are refused`(_ version: String) {
    #expect(throws: WebMapError.unsupportedVersion(version)) {
      try WebMap(json: ["baseMap": [:], "version": .string(version)])
    }
    #expect(throws: WebMapError.unsupportedVersion("3.5")) {
      try WebMap(json: ["baseMap": [:], "version": 3.5])
    }
  }

  @Test(arguments: [
    ("[]", "object"), ("{}", "neither"),
    (#"{"error":{"code":498,"message":"Invalid token"}}"#, "Invalid token"),
    (#"{"operationalLayers":[],"viewingMode":"global"}"#, "web scene"),
    (#"{"operationalLayers":[],"mapOptions":{}}"#, "print"),
  ])
  func `Other documents are refused, and named`(_ text: String, _ word: String) {
    #expect {
      try WebMap(parsing: Data(text.utf8))
    } throws: { error in
      guard case WebMapError.notAWebMap(let reason) = error else { return false }
      return reason.contains(word)
    }
  }

  @Test func `Invalid JSON is refused with its place`() {
    #expect(throws: WebMapError.self) { try WebMap(parsing: Data("<html>".utf8)) }
    for length in CompleteWebMap.text.utf8.indices.dropLast().enumerated()
    where length.offset % 50 == 0 {
      let text = Data(CompleteWebMap.text.utf8.prefix(length.offset))
      #expect(throws: WebMapError.self) { try WebMap(parsing: text) }
    }
  }

  @Test func `A map with everything keeps everything`() throws {
    let original = try JSONValue(parsing: CompleteWebMap.text)
    let map = try WebMap(json: original)
    #expect(JSONValue.object(map.json) == original)
    var written = try #require(JSONValue(parsing: map.encoded()).object)
    // The two layers without a title or a type get one, and the web tiles a layer type.
    #expect(written["operationalLayers"]?[1]?["layers"]?[1]?["layerType"] == "ArcGISFeatureLayer")
    #expect(written["operationalLayers"]?[2]?["title"] == "a b")
    #expect(written["baseMap"]?["baseMapLayers"]?[1]?["layerType"] == "WebTiledLayer")
    #expect(written["tables"] == original["tables"])
    for name in ["operationalLayers", "baseMap"] { written[name] = original[name] }
    #expect(.object(written) == original)
    #expect(written.names == original.object?.names)
  }

  @Test(arguments: [("unknown", "GMT"), ("system", nil), ("Asia/Tokyo", "Asia/Tokyo"), ("", nil)])
  func `Dates are shown in the time zone of the map, and as stored if that is unknown`(
    _ written: String, _ expected: String?
  ) throws {
    let json: JSONValue = ["operationalLayers": [], "timeZone": .string(written)]
    #expect(try WebMap(json: json).timeZone == expected)
  }

  @Test func `The settings of a map are read`() throws {
    let map = try WebMap(parsing: Data(CompleteWebMap.text.utf8))
    #expect(map.backgroundColor == RGBAColor(red: 1, green: 2, blue: 3))
    #expect(map.timeZone == "Europe/Zurich")
    #expect(map.referenceScale == 1000)
    #expect(map.scaleRange == ScaleRange(minScale: 1_000_000, maxScale: 100))
    #expect(map.offlineSettings.editableDownload == .features)
    #expect(map.offlineSettings.editableSync == .uploadFeaturesAndAttachments)
    #expect(!map.offlineSettings.downloadsReadOnlyAttachments)
    #expect(map.offlineSettings.referenceBasemapName == "base.tpkx")
    #expect(map.offlineSettings.connectedOnlineLayerIDs == ["wells"])
    #expect(!map.offlineSettings.includesTableRows)
    #expect(map.transportationNetworks.map(\.title) == ["Roads"])
    #expect(map.transportationNetworks.first?.path == PackagePath("./r.geodatabase"))
    #expect(map.utilityNetworks.first?.url == "https://x.example/UtilityNetworkServer")
    let extent = Envelope(xMin: 0, yMin: 0, xMax: 9, yMax: 9)
    #expect(map.initialViewpoint?.target == .extent(extent))
    #expect(map.initialViewpoint(itemExtent: nil) == map.initialViewpoint)
    #expect(map.basemap.baseLayers.map(\.id) == ["osm", "web"])
    #expect(map.basemap.referenceLayers.map(\.id) == ["names"])
  }

  @Test func `The layers of a map say what only layers of their kind have`() throws {
    let map = try WebMap(parsing: Data(CompleteWebMap.text.utf8))
    guard case .mapService(let service) = map.layer(withID: "service")?.kind else {
      return recordWrongKind()
    }
    #expect(service.visibleLayerIDs == [0, 2])
    #expect(service.sublayers.map(\.title) == ["Roads"])
    #expect(service.sublayers.first?.parentID == nil)
    guard case .webTiled(let template) = map.layer(withID: "web")?.kind else {
      return recordWrongKind()
    }
    #expect(template.subDomains == ["a"])
    #expect(template.fullExtent == Envelope(xMin: 0, yMin: 0, xMax: 1, yMax: 1))
    guard case .vectorTile(let style) = map.layer(withID: "names")?.kind else {
      return recordWrongKind()
    }
    #expect(style.itemPath == PackagePath("./style"))
    guard case .wms(let wms) = map.operationalLayers[3].kind else { return recordWrongKind() }
    #expect(wms.layers.map(\.title) == ["a"])
    #expect(wms.visibleLayers == ["a"])
  }

  @Test func `Features in the map are read`() throws {
    let map = try WebMap(parsing: Data(CompleteWebMap.text.utf8))
    let notes = try #require(map.allLayers.first { $0.title == "Notes" })
    guard case .feature(.featureCollection(let collection)) = notes.kind else {
      return recordWrongKind()
    }
    let table = try #require(collection.layers.first)
    #expect(table.schema?.geometryType == .point)
    #expect(table.schema?.spatialReference?.isWGS84 == true)
    let feature = try #require(Array(table.features()).first)
    #expect(feature.objectID == 7)
    #expect(feature.attributes["title"] == .text("Here"))
    #expect(feature.geometry == .point(Point(x: 1, y: 2)))
  }

  @Test func `Bookmarks are read in all their forms`() throws {
    let map = try WebMap(parsing: Data(CompleteWebMap.text.utf8))
    #expect(map.bookmarks.map(\.name) == ["Home", "Old"])
    #expect(map.bookmarks[0].viewpoint?.scale == 5000)
    #expect(map.bookmarks[0].viewpoint?.center == Coordinate(x: 1, y: 2))
    #expect(map.bookmarks[0].thumbnail == Data([0, 1, 2]))
    #expect(map.bookmarks[1].viewpoint?.center == Coordinate(x: 0.5, y: 0.5))
    let damaged = Bookmark(json: ["extent": "here"])
    #expect(damaged.name == "Untitled")
    #expect(damaged.viewpoint == nil)
    let extent = Envelope(xMin: 0, yMin: 0, xMax: 4, yMax: 2)
    let made = Bookmark(name: "Made", viewpoint: .extent(extent, rotation: 45))
    #expect(Bookmark(json: made.json) == made)
    #expect(made.viewpoint == .extent(extent, rotation: 45))
    #expect(made.json["extent"] != nil)
  }

  @Test func `A single bookmark becomes a list`() throws {
    let place: JSONValue = ["extent": ["xmin": 0, "ymin": 0, "xmax": 1, "ymax": 1]]
    let map = try WebMap(json: ["baseMap": [:], "bookmark": place])
    #expect(map.bookmarks.count == 1)
    let written = map.strictJSON
    #expect(written["bookmark"] == nil)
    #expect(written["bookmarks"]?[0]?["name"] == "Untitled")
    #expect(try WebMap(json: .object(written)).bookmarks.count == 1)
  }

  @Test func `An old map is written with all that must be there`() throws {
    let map = try WebMap(json: [
      "version": "1.0", "baseMap": ["baseMapLayers": [["url": "https://x/a/MapServer"]]],
      "operationalLayers": [["url": "https://x/b/FeatureServer/0", "extra": 1], "junk"],
      "presentation": ["slides": []], "spatialReference": "none", "tables": 5,
    ])
    let written = map.strictJSON
    #expect(written["version"] == "2.37")
    #expect(written["spatialReference"] == ["wkid": 102_100, "latestWkid": 3857])
    #expect(written["baseMap"]?["title"] == "Basemap")
    let tiles: JSONValue = [
      "url": "https://x/a/MapServer", "title": "a", "layerType": "ArcGISTiledMapServiceLayer",
    ]
    #expect(written["baseMap"]?["baseMapLayers"]?[0] == tiles)
    #expect(written["operationalLayers"]?[0]?["layerType"] == "ArcGISFeatureLayer")
    #expect(written["operationalLayers"]?[0]?["extra"] == 1)
    #expect(written["operationalLayers"]?[1] == "junk")
    #expect(written["presentation"] == ["slides": []])
    #expect(written["tables"] == nil)
    #expect(written.names.first == "version")
    let again = try WebMap(json: .object(written))
    #expect(again == map)
    #expect(again.strictJSON == written)
  }

  @Test func `New members are put where the specification has them`() {
    var map = WebMap(basemap: Basemap(title: "B"))
    map.bookmarks = []
    map.referenceScale = 5000
    map.tables = []
    map.backgroundColor = RGBAColor(red: 0, green: 0, blue: 0)
    map.initialViewpoint = .center(Coordinate(x: 1, y: 2), scale: 100)
    #expect(
      map.json.names == [
        "operationalLayers", "tables", "baseMap", "bookmarks", "spatialReference", "initialState",
        "background", "referenceScale", "version",
      ])
    #expect(map.initialViewpoint == .center(Coordinate(x: 1, y: 2), scale: 100))
    map.initialViewpoint = nil
    let item = Envelope(xMin: -70, yMin: 43, xMax: -69, yMax: 44)
    let viewpoint = Viewpoint.extent(item, spatialReference: .wgs84)
    #expect(map.initialViewpoint(itemExtent: item) == viewpoint)
    #expect(map.json["initialState"] == nil)
  }

  @Test func `Maps that would be written alike are equal`() throws {
    let old = try WebMap(json: ["version": "2.0", "baseMap": [:], "operationalLayers": []])
    let new = try WebMap(json: ["version": "2.37", "operationalLayers": [], "baseMap": [:]])
    #expect(old == new)
    #expect(old.hashValue == new.hashValue)
    var other = new
    other.referenceScale = 1
    #expect(other != new)
  }

  @Test func `Every error says what is wrong and what to do`() {
    let errors: [WebMapError] = [
      .notJSON(.nestedTooDeep(limit: 512)), .notAWebMap(reason: "it is a sonnet"),
      .unsupportedVersion("3"), .pathLeavesPackage("../../x"),
    ]
    for error in errors {
      #expect(error.errorDescription?.isEmpty == false)
      #expect(error.recoverySuggestion?.isEmpty == false)
    }
  }
}
