import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanTestSupport
import Testing

/// Answers of real services, in Esri JSON and in GeoJSON.
@Suite(.needsSharedFiles) struct FeatureQueryFixtureTests {
  static func geometries(
    _ name: String, _ read: (JSONValue, JSONValue) throws -> Geometry
  ) throws -> [Geometry] {
    let answer = try JSONValue(parsing: SharedFiles.data("fixtures/featurequery/\(name).json"))
    return try (answer["features"]?.array ?? []).compactMap { feature in
      try feature["geometry"].map { try read($0, answer) }
    }
  }

  @Test(arguments: [
    "arcgis-rest-js__LineHasM", "arcgis-rest-js__LineHasZ", "arcgis-rest-js__LineHasZM",
    "arcgis-rest-js__PointHasM", "arcgis-rest-js__PointHasZ", "arcgis-rest-js__PointHasZM",
    "arcgis-rest-js__PolygonHasM", "arcgis-rest-js__PolygonHasZ",
    "arcgis-rest-js__PolygonHasZM", "arcgis-rest-js__arcGISLineResponse",
    "arcgis-rest-js__arcGISPointResponse", "arcgis-rest-js__arcGISPolygonResponse",
    "pyesridump__us-ca-carson_us-ca-carson-0", "pyesridump__us-ca-tuolumne_us-ca-tuolumne-0",
    "pyesridump__us-il-cook_page-full", "pyesridump__us-mi-kent_us-mi-kent-0",
    "pyesridump__us-mo-columbia_us-mo-columbia-0",
  ])
  func `Recorded Esri JSON is read, written and read again`(_ name: String) throws {
    let geometries = try Self.geometries(name) { value, answer in
      try Geometry(esriJSON: value, hasZ: answer["hasZ"]?.bool, hasM: answer["hasM"]?.bool)
    }
    for geometry in geometries {
      #expect(geometry.isEmpty == (geometry.extent == nil))
      // As text, for a missing measure is not-a-number, which does not equal itself.
      let written = geometry.esriJSON()
      #expect(try Geometry(esriJSON: written).esriJSON().text() == written.text())
      if case .polygon(let polygon) = geometry {
        #expect(Polygon(arranging: polygon.rings) == polygon)
        #expect((polygon.rings.first?.signedArea ?? 1) > 0)
      }
    }
  }

  @Test func `Measures of a feature set without heights are measures`() throws {
    let points = try Self.geometries("arcgis-rest-js__PointHasZM") { value, answer in
      try Geometry(esriJSON: value, hasZ: answer["hasZ"]?.bool, hasM: answer["hasM"]?.bool)
    }
    guard case .point(let point)? = points.first else {
      Issue.record("no point")
      return
    }
    #expect(point.z == 40 && point.m == 0)
  }

  @Test(arguments: ["Line", "Point", "Polygon"])
  func `Recorded GeoJSON is read and written unchanged`(_ kind: String) throws {
    for suffix in ["Response", "HasZCRS4326"] {
      let name = "arcgis-rest-js__geojson_geoJSON\(kind)\(suffix)"
      let geometries = try Self.geometries(name) { value, _ in try Geometry(geoJSON: value) }
      #expect(!geometries.isEmpty)
      for geometry in geometries {
        #expect(try Geometry(geoJSON: geometry.geoJSON()) == geometry)
      }
    }
  }
}
