import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanGeometry
import PortolanMap
import PortolanPackages
import PortolanTestSupport
import Testing

/// What is made beside an open map, so that taps find features fast.
@Suite(.temporaryDirectory) struct TapPreparationTests {
  private var indexFolder: URL {
    temporaryDirectory.appending(path: "indexes", directoryHint: .isDirectory)
  }

  private var indexes: [String] {
    // A folder that is not there holds nothing.
    (try? FileManager.default.contentsOfDirectory(
      atPath: indexFolder.path(percentEncoded: false))) ?? []
  }

  /// A map of one table with so many points.
  private func map(_ count: Int, editing: Bool = false) async throws -> MobileMap {
    let url = temporaryDirectory.appending(path: "wells.geodatabase")
    let schema = FeatureTableSchema(
      name: "Wells", geometryType: .point, spatialReference: .webMercator,
      fields: [Field("OBJECTID", .objectID, isNullable: false)])
    let writer = try GeodatabaseWriter(
      at: url, GeodatabaseDefinition(name: "wells", tables: [.init(schema)]),
      now: Date(timeIntervalSince1970: 0), makeID: { UUID() })
    let fields = FieldList(schema.fields)
    for number in 0..<count {
      let place = Point(x: Double(number % 100), y: Double(number / 100))
      try writer.append(
        Feature(
          objectID: Int64(number + 1),
          attributes: Attributes(fields, [.integer(Int64(number + 1))]),
          geometry: .point(place)), to: "Wells")
    }
    try writer.finish()
    let environment = EditingEnvironment(
      now: { Date(timeIntervalSince1970: 0) }, makeID: { UUID() })
    let package = try await MobileMapPackage.open(
      at: url, unpackingInto: temporaryDirectory, now: Date(timeIntervalSince1970: 0),
      editing: editing ? environment : nil, indexFolder: indexFolder)
    return try #require(package.maps.first)
  }

  private func wells(_ map: MobileMap) async throws -> FeatureLayerContent {
    let layer = try #require(map.webMap.operationalLayers.first)
    return try #require(await map.contents.content(of: layer).features.first)
  }

  private func ids(_ content: FeatureLayerContent) async throws -> [Int64] {
    let box = Envelope(xMin: 9.5, yMin: 9.5, xMax: 11.5, yMax: 10.5)
    var ids: [Int64] = []
    for try await feature in content.store.features(
      in: content.schema.name, matching: QueryParameters(extent: box))
    {
      ids.append(feature.objectID)
    }
    return ids
  }

  @Test func `A large table gets an index, and answers as before`() async throws {
    let map = try await map(5_000)
    let before = try await ids(wells(map))
    #expect(before == [1_011, 1_012])
    #expect(indexes.isEmpty)
    await map.contents.prepareForTaps()
    #expect(indexes.count == 1)
    #expect(try await ids(wells(map)) == before)
    await map.contents.prepareForTaps()
    #expect(indexes.count == 1)
  }

  @Test func `A small table gets none`() async throws {
    let map = try await map(50)
    _ = try await wells(map)
    await map.contents.prepareForTaps()
    #expect(indexes.isEmpty)
  }

  @Test func `A file that is being edited gets none`() async throws {
    let map = try await map(5_000, editing: true)
    let layer = try #require(map.webMap.operationalLayers.first)
    try await map.contents.openForEditing(layer)
    await map.contents.prepareForTaps()
    #expect(indexes.isEmpty)
    await map.contents.endEditing()
  }
}
