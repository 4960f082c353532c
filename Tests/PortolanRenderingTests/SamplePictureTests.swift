import Foundation
import PortolanGeometry
import PortolanMap
import PortolanPackages
import PortolanRendering
import PortolanTestSupport
import Testing

@Suite(.needsSharedFiles, .temporaryDirectory) struct SamplePictureTests {
  static func picture(
    _ file: String, scale: Double? = nil, center: Coordinate? = nil
  ) async throws -> MapPicture {
    let (renderer, request) = try await drawing(file, scale: scale, center: center)
    return try await renderer.picture(request)
  }

  /// The picture is the recorded one, and would not be without one of its layers.
  static func expectRecorded(
    _ file: String, scale: Double? = nil, center: Coordinate? = nil, named name: String
  ) async throws {
    let (renderer, request) = try await drawing(file, scale: scale, center: center)
    let picture = try await renderer.picture(request)
    #expect(picture.omissions == [])
    try expectPicture(picture.data, named: name)
    try await expectEachPartIsSeen(
      renderer.map.layers.filter { $0.isDrawn(atScale: request.frame.scale) }, request, named: name,
      features: false, mayBeElsewhere: true)
  }

  private static func drawing(
    _ file: String, scale: Double?, center: Coordinate?
  ) async throws -> (MapRenderer, MapPictureRequest) {
    let package = try await MobileMapPackage.open(
      at: SharedFiles.url(file), unpackingInto: temporaryDirectory,
      now: Date(timeIntervalSince1970: 0))
    let map = try #require(package.maps.first)
    var frame = map.initialFrame(width: 240, height: 180)
    if let center {
      frame = try frame.showing(
        .center(center, scale: scale ?? frame.scale, spatialReference: .wgs84))
    }
    frame.scale = scale ?? frame.scale
    return (MapRenderer(await DrawnMap(of: map)), MapPictureRequest(frame: frame))
  }

  @Test(arguments: [("far", 2_000_000.0), ("middle", 600_000), ("near", 150_000)])
  func `Canyonlands has its trails and roads over its tiles`(
    _ name: String, _ scale: Double
  ) async throws {
    try await Self.expectRecorded(
      "samples/preplanned-package/canyonlands", scale: scale,
      center: Coordinate(x: -109.9, y: 38.22), named: "canyonlands-\(name).png")
  }

  @Test func `Tiles of a package are drawn at a scale between their levels`() async throws {
    try await Self.expectRecorded(
      "samples/tile-packages/Usa.tpkx", scale: 100_000_000, named: "usa-tiles.png")
  }

  @Test func `A geodatabase is drawn as its services describe`() async throws {
    try await Self.expectRecorded(
      "samples/geodatabases/LA_Trails.geodatabase", named: "la-trails.png")
  }
}
