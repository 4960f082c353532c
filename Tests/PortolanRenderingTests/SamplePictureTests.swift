import Foundation
import PortolanGeometry
import PortolanPackages
import PortolanRendering
import PortolanTestSupport
import Testing

@Suite(.needsSharedFiles, .temporaryDirectory) struct SamplePictureTests {
  static func picture(
    _ file: String, scale: Double? = nil, center: Coordinate? = nil, width: Double = 240,
    height: Double = 180
  ) async throws -> MapPicture {
    let package = try await MobileMapPackage.open(
      at: SharedFiles.url(file), unpackingInto: temporaryDirectory,
      now: Date(timeIntervalSince1970: 0))
    let map = try #require(package.maps.first)
    var frame = map.initialFrame(width: width, height: height)
    if let center {
      frame = try frame.showing(
        .center(center, scale: scale ?? frame.scale, spatialReference: .wgs84))
    }
    frame.scale = scale ?? frame.scale
    return try await MapRenderer(of: map).picture(MapPictureRequest(frame: frame))
  }

  @Test(arguments: [("far", 2_000_000.0), ("middle", 600_000), ("near", 150_000)])
  func `Canyonlands has its trails and roads over its tiles`(
    _ name: String, _ scale: Double
  ) async throws {
    let picture = try await Self.picture(
      "samples/preplanned-package/canyonlands", scale: scale,
      center: Coordinate(x: -109.9, y: 38.22))
    #expect(picture.omissions == [])
    try expectPicture(picture.data, named: "canyonlands-\(name).png")
  }

  @Test func `Tiles of a package are drawn at a scale between their levels`() async throws {
    let picture = try await Self.picture("samples/tile-packages/Usa.tpkx", scale: 100_000_000)
    try expectPicture(picture.data, named: "usa-tiles.png")
  }

  @Test func `A geodatabase is drawn as its services said`() async throws {
    let picture = try await Self.picture("samples/geodatabases/LA_Trails.geodatabase")
    #expect(picture.omissions == [])
    try expectPicture(picture.data, named: "la-trails.png")
  }
}
