import Foundation
import PortolanFeatures
import PortolanGeometry
import Testing

@testable import PortolanAuthoring

@Suite struct VectorTileEncoderTests {
  @Test func `Outlines turn as vector tiles have them`() throws {
    let corners = [(0.0, 0.0), (4096, 0), (4096, 4096), (0, 4096), (0, 0)]
    let square = Polygon(rings: [Path(corners.map { Coordinate(x: $0.0, y: $0.1) })])
    let feature = Feature(
      objectID: 1, attributes: Attributes(FieldList([]), []), geometry: .polygon(square))
    var encoder = VectorTileEncoder(of: Envelope(xMin: 0, yMin: 0, xMax: 4096, yMax: 4096))
    try encoder.add(layer: "a", [feature])
    // From the top left corner to the right, down, and to the left: clockwise, as y grows downwards.
    let commands = Data([9, 0, 0, 26, 0x80, 0x40, 0, 0, 0x80, 0x40, 0xFF, 0x3F, 0, 15])
    #expect(encoder.data.range(of: commands) != nil)
  }

  @Test func `Of several points the one that lies in the tile stays`() throws {
    let places = [Coordinate(x: 1, y: 4095), Coordinate(x: 1e6, y: 1e6)]
    let feature = Feature(
      objectID: 1, attributes: Attributes(FieldList([]), []),
      geometry: .multipoint(Multipoint(points: Path(places))))
    var encoder = VectorTileEncoder(of: Envelope(xMin: 0, yMin: 0, xMax: 4096, yMax: 4096))
    try encoder.add(layer: "a", [feature])
    #expect(encoder.data.range(of: Data([9, 2, 2])) != nil)
  }
}
