import PortolanGeometry
import PortolanJSON
import PortolanPortal
import Testing

@testable import PortolanOffline

/// The requests to services for replicas and exports, to the letter.
@Suite struct ServiceRequestTests {
  private static let ring = Path(
    [(-70.6, 43.4), (-69.9, 43.4), (-70.6, 43.9), (-70.6, 43.4)].map {
      Coordinate(x: $0.0, y: $0.1)
    })
  private static let polygon = OfflineArea(Polygon(rings: [ring]), .wgs84)

  private func values(_ form: RESTParameters) -> [String: String] {
    Dictionary(form.all.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  private func shape(_ area: OfflineArea) -> JSONValue {
    area.geometry.esriJSON(spatialReference: area.spatialReference)
  }

  // MARK: - Copies

  private func options(
    _ model: GenerateGeodatabaseParameters.SyncModel, in area: OfflineArea = DemoBed.casco,
    reference: Int? = 102_100
  ) -> GenerateGeodatabaseParameters {
    GenerateGeodatabaseParameters(
      layerOptions: [
        GenerateLayerOption(layerID: 3, whereClause: "A > 1", includesRelated: false),
        GenerateLayerOption(layerID: 5, usesGeometry: false, queryOption: .all),
        GenerateLayerOption(layerID: 6, queryOption: .none),
      ], extent: area, returnsAttachments: model != .none, attachmentSyncDirection: .upload,
      syncModel: model, outSpatialReference: reference)
  }

  @Test(arguments: [
    (GenerateGeodatabaseParameters.SyncModel.perLayer, "perLayer"),
    (.perGeodatabase, "perReplica"), (.none, "none"),
  ])
  func `A copy is asked for with its layers, their rows and its area`(
    _ model: GenerateGeodatabaseParameters.SyncModel, _ word: String
  ) throws {
    let isSynced = model != .none
    var form = values(
      ReplicaParameters(options: options(model), name: "n", isAsynchronous: isSynced).form)
    let rowsText = form.removeValue(forKey: "layerQueries")
    let rows = try JSONValue(parsing: try #require(rowsText))
    let queries: [String: JSONValue] = [
      "3": [
        "queryOption": "useFilter", "useGeometry": true, "includeRelated": false, "where": "A > 1",
      ],
      "5": ["queryOption": "all", "useGeometry": false, "includeRelated": true],
      "6": ["queryOption": "none", "useGeometry": true, "includeRelated": true],
    ]
    #expect(rows.object?.names == ["3", "5", "6"])
    for (layer, query) in queries { #expect(rows[layer] == query, "\(layer)") }
    let areaText = form.removeValue(forKey: "geometry")
    let area = try JSONValue(parsing: try #require(areaText))
    #expect(area == shape(DemoBed.casco))
    let referenceText = form.removeValue(forKey: "inSR")
    let reference = try JSONValue(parsing: try #require(referenceText))
    #expect(reference == SpatialReference.wgs84.esriJSON)
    var expected = [
      "replicaName": "n", "transportType": "esriTransportTypeUrl", "dataFormat": "sqlite",
      "targetType": "client", "syncModel": word, "syncDirection": "bidirectional",
      "async": isSynced ? "true" : "false", "returnAttachments": isSynced ? "true" : "false",
      "layers": "[3,5,6]", "geometryType": "esriGeometryEnvelope", "replicaSR": "102100",
    ]
    if isSynced { expected["attachmentsSyncDirection"] = "upload" }
    #expect(form == expected)
  }

  @Test func `A copy of a polygon says so, and is in the map's spatial reference by default`()
    throws
  {
    let options = options(.perLayer, in: Self.polygon, reference: nil)
    let form = values(
      ReplicaParameters(options: options, name: "n", isAsynchronous: true).form)
    #expect(form["geometryType"] == "esriGeometryPolygon" && form["replicaSR"] == nil)
    #expect(try JSONValue(parsing: form["geometry"] ?? "") == shape(Self.polygon))
  }

  @Test func `The same copy in JSON leaves attachments where they are`() {
    let form = ReplicaParameters(options: options(.perLayer), name: "n", isAsynchronous: true).form
    var expected = values(form)
    expected["dataFormat"] = "json"
    expected["returnAttachmentsDataByUrl"] = "true"
    #expect(values(form.inJSON) == expected)
  }

  // MARK: - Exports

  private func export(
    _ area: OfflineArea, isVector: Bool, version: Double?, quality: Int? = nil
  ) -> [String: String] {
    values(
      TileExportParameters(
        area: area, levels: [3, 4, 7], quality: quality, isVector: isVector, version: version
      ).form)
  }

  @Test func `Pictures are exported as a package of the compact format, vectors in theirs`() {
    var form = export(DemoBed.casco, isVector: false, version: 11, quality: 40)
    form["exportExtent"] = nil
    #expect(
      form == [
        "exportBy": "levelId", "levels": "3,4,7", "tilePackage": "true",
        "storageFormat": "esriMapCacheStorageModeCompactV2", "storageFormatType": "CompactV2",
        "compressionQuality": "40",
      ])
    #expect(
      export(DemoBed.casco, isVector: false, version: 11)["compressionQuality"] == nil)
    form = export(DemoBed.casco, isVector: true, version: 11, quality: 40)
    form["exportExtent"] = nil
    #expect(
      form == [
        "exportBy": "levelId", "levels": "3,4,7", "tilePackage": "true",
        "storageFormatType": "Compact",
      ])
  }

  @Test(arguments: [(10.7, true), (11, true), (10.6, false), (nil, false)] as [(Double?, Bool)])
  func `A polygon goes under its own name to servers that know it, and a box always as one`(
    _ version: Double?, _ isKnown: Bool
  ) throws {
    let box = export(DemoBed.casco, isVector: false, version: version)
    #expect(try JSONValue(parsing: box["exportExtent"] ?? "") == shape(DemoBed.casco))
    #expect(box["polygon"] == nil && box["areaOfInterest"] == nil)
    let form = export(Self.polygon, isVector: false, version: version)
    guard isKnown else {
      let features: JSONValue = ["features": [["geometry": shape(Self.polygon)]]]
      #expect(try JSONValue(parsing: form["areaOfInterest"] ?? "") == features)
      #expect(form["polygon"] == nil && form["exportExtent"] == nil)
      return
    }
    #expect(try JSONValue(parsing: form["polygon"] ?? "") == shape(Self.polygon))
    let extent = Self.polygon.extent.esriJSON(spatialReference: .wgs84)
    #expect(try JSONValue(parsing: form["exportExtent"] ?? "") == extent)
    #expect(form["areaOfInterest"] == nil)
  }

  // MARK: - Levels

  private func levels(_ first: Int = 0, _ last: Int = 4) throws -> TileLevels {
    let json = """
      {"minLOD": \(first), "maxLOD": \(last), "tileInfo": {"rows": 256, "cols": 256, "dpi": 96,
       "origin": {"x": -20037508.34, "y": 20037508.34}, "spatialReference": {"wkid": 102100},
       "lods": [{"level": 0, "resolution": 16, "scale": 1600},
         {"level": 1, "resolution": 8, "scale": 800}, {"level": 2, "resolution": 4, "scale": 400},
         {"level": 3, "resolution": 2, "scale": 200}, {"level": 4, "resolution": 1, "scale": 100}]}}
      """
    return TileLevels(try #require(MapServiceInfo(json: try JSONValue(parsing: json))))
  }

  @Test(
    arguments: [
      (0, 0, [0, 1, 2, 3, 4]), (800, 200, [1, 2, 3]), (800, 0, [1, 2, 3, 4]), (0, 800, [0, 1]),
      // Scales are rounded differently from program to program.
      (799.95, 200.01, [1, 2, 3]), (799, 201, [2]),
      // If there is no level in between, the nearest one stands in.
      (350, 250, [3]), (390, 310, [2]), (90, 0, [4]), (0, 5000, [0]),
    ] as [(Double, Double, [Int])])
  func `The levels of pictures are those between two scales`(
    _ least: Double, _ most: Double, _ numbers: [Int]
  ) throws {
    #expect(try levels().between(least, most) == numbers)
  }

  @Test(
    arguments: [
      (0, 0, [0, 1, 2, 3, 4]), (400, 0, [0, 1, 2]), (200, 400, [0, 1, 2, 3]),
      (10, 0, [0, 1, 2, 3, 4]),
    ] as [(Double, Double, [Int])])
  func `The levels of vector tiles are all from the outermost one`(
    _ most: Double, _ least: Double, _ numbers: [Int]
  ) throws {
    #expect(try levels().fromTop(to: most, within: least) == numbers)
  }

  @Test func `Levels that the service has not built are not exported`() throws {
    #expect(try levels(1, 3).between(0, 0) == [1, 2, 3])
    #expect(try levels(1, 3).between(0, 5000) == [1])
    #expect(try levels(1, 3).fromTop(to: 100) == [1, 2, 3])
  }
}
