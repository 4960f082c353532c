import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import Testing

@Suite struct GeoJSONFeatureTests {
  static let fields = FieldList([
    Field("ID", .objectID), Field("A \"b\"", .string), Field("D", .date), Field("X", .double),
    Field("B", .blob), Field("N", .bigInteger),
  ])

  static let feature = Feature(
    objectID: 4,
    attributes: Attributes(
      fields,
      [
        .integer(4), .text("ü\n"), .date(Date(timeIntervalSince1970: 1_486_846_504.5)),
        .double(0.1), .blob(Data([1, 2])), .null,
      ]), geometry: .point(Point(x: -68.25, y: 44.1, z: 3)))

  static let text =
    #"{"type":"Feature","id":4,"geometry":{"type":"Point","coordinates":[-68.25,44.1,3]},"#
    + #""properties":{"ID":4,"A \"b\"":"ü\n","D":"2017-02-11T20:55:04.500Z","X":0.1,"#
    + #""B":"AQI=","N":null}}"#

  @Test func `A feature is written with typed properties`() {
    #expect(Self.feature.geoJSON().text() == Self.text)
  }

  @Test func `A feature without a shape has null for it`() {
    let feature = Feature(objectID: 1, attributes: Attributes(FieldList([])))
    #expect(
      feature.geoJSON().text() == #"{"type":"Feature","id":1,"geometry":null,"properties":{}}"#)
  }

  @Test(arguments: 0...3) func `The pieces make a document`(count: Int) throws {
    var writer = GeoJSONFeatureCollectionWriter()
    var text = writer.opening
    for _ in 0..<count { text += writer.text(of: Self.feature) }
    text += writer.closing
    let lines = Array(repeating: "\n" + Self.text, count: count).joined(separator: ",")
    #expect(text == "{\"type\":\"FeatureCollection\",\"features\":[\(lines)\n]}\n")
    let json = try JSONValue(parsing: text)
    #expect(json["features"]?.array?.count == count)
  }

  static let references: [(SpatialReference?, String?)] = [
    (nil, nil), (.wgs84, nil), (.webMercator, "urn:ogc:def:crs:EPSG::3857"),
    (SpatialReference(wkid: 26912), "urn:ogc:def:crs:EPSG::26912"),
    (SpatialReference(wkid: 102_003), "urn:ogc:def:crs:ESRI::102003"),
    (SpatialReference(wkt: "LOCAL_CS[]"), nil),
  ]

  @Test(arguments: references) func `Another reference than WGS 84 is named`(
    reference: SpatialReference?, name: String?
  ) throws {
    let writer = GeoJSONFeatureCollectionWriter(name: "Roads", spatialReference: reference)
    let json = try JSONValue(parsing: writer.opening + writer.closing)
    #expect(json["crs"]?["properties"]?["name"]?.string == name)
    #expect(json["name"]?.string == "Roads")
  }

  @Test func `Coordinates keep every bit`() throws {
    let place = Point(x: -12_239_119.985_9, y: 0.1 + 0.2)
    let feature = Feature(
      objectID: 1, attributes: Attributes(FieldList([])), geometry: .point(place))
    let json = try JSONValue(parsing: feature.geoJSON().encoded())
    #expect(json["geometry"]?["coordinates"]?[0]?.double == place.x)
    #expect(json["geometry"]?["coordinates"]?[1]?.double == place.y)
  }
}
