import Foundation
import PortolanGeometry
import PortolanMap
import PortolanPackages
import PortolanRendering
import PortolanSample
import PortolanTestSupport
import Testing

@Suite(.temporaryDirectory) struct ExploreMainePictureTests {
  static let scales = [("far", 5_000_000.0), ("middle", 1_200_000), ("near", 250_000)]

  @Test func `The maps of the sample look as they did, at three scales`() async throws {
    let url = temporaryDirectory.appending(path: "sample.mmpk")
    try await ExploreMaine.write(to: url)
    let package = try await MobileMapPackage.open(
      at: url, unpackingInto: temporaryDirectory, now: Date(timeIntervalSince1970: 0))
    #expect(package.maps.count == 3)
    for map in package.maps {
      let renderer = MapRenderer(await DrawnMap(of: map))
      for (name, scale) in Self.scales {
        let frame = try map.initialFrame(width: 320, height: 240).showing(
          .center(Coordinate(x: -68.28, y: 44.32), scale: scale, spatialReference: .wgs84))
        let picture = try await renderer.picture(MapPictureRequest(frame: frame))
        #expect(picture.omissions == [], "\(map.name)")
        try expectPicture(picture.data, named: "\(map.name)-\(name).png")
        try await expectEachPartIsSeen(
          renderer.map.layers.filter { $0.isDrawn(atScale: scale) },
          MapPictureRequest(frame: frame),
          named: "\(map.name)-\(name).png", features: false, mayBeElsewhere: true)
      }
    }
  }

  @Test func `A map has a thumbnail`() async throws {
    let url = temporaryDirectory.appending(path: "sample.mmpk")
    try await ExploreMaine.write(to: url)
    let package = try await MobileMapPackage.open(
      at: url, unpackingInto: temporaryDirectory, now: Date(timeIntervalSince1970: 0))
    let map = try #require(package.maps.first)
    let whole = try await PictureDrawing().thumbnail(of: map)
    #expect((whole.width, whole.height) == (200, 133))
    let part = try await PictureDrawing().thumbnail(
      of: map, showing: Envelope(xMin: -70, yMin: 43, xMax: -69, yMax: 44))
    #expect(part.data != whole.data)
  }
}
