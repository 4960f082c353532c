import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanPackages
import PortolanTestSupport
import Testing

@testable import PortolanImages
@testable import PortolanRendering

/// Pictures with their place on the ground, and pages, held against GDAL.
@Suite(.temporaryDirectory) struct GeoreferencedPictureTests {
  private static let square = SmallMap.layer(
    .polygon,
    [
      SmallMap.feature(
        1, .polygon(Envelope(xMin: -30, yMin: -20, xMax: 10, yMax: 25).polygon), name: "Square")
    ],
    symbol: [
      "type": "esriSFS", "style": "esriSFSSolid", "color": [200, 40, 30, 255],
    ])

  private func picture(
    _ format: MapPicture.Format, rotation: Double = 0, layout: PageLayout? = nil,
    background: RGBAColor? = nil, width: Double = 120, height: Double = 80
  ) async throws -> MapPicture {
    var request = MapPictureRequest(
      frame: SmallMap.frame(width: width, height: height, rotation: rotation), pixelRatio: 2,
      format: format, background: background)
    request.layout = layout
    return try await MapRenderer(layers: [Self.square]).picture(request)
  }

  private func file(_ picture: MapPicture, _ name: String) throws -> String {
    let url = temporaryDirectory.appending(path: name)
    try picture.data.write(to: url)
    return url.path(percentEncoded: false)
  }

  private func described(_ path: String) throws -> JSONValue {
    let result = try Tool.run("gdalinfo", "-json", path)
    #expect(result.status == 0, "\(result.errors)")
    return try JSONValue(parsing: result.output)
  }

  @Test(.needsTool("gdalinfo"), arguments: [0.0, 30])
  func `GDAL finds a GeoTIFF where it was drawn`(_ rotation: Double) async throws {
    let picture = try await picture(.tiff, rotation: rotation)
    let json = try described(try file(picture, "map.tif"))
    #expect(json["size"]?.array?.compactMap(\.int) == [240, 160])
    let transform = json["geoTransform"]?.array?.compactMap(\.double) ?? []
    let ground = try #require(picture.georeference)
    let expected = [
      ground.origin.x, ground.right.x, ground.down.x, ground.origin.y, ground.right.y,
      ground.down.y,
    ]
    #expect(transform.count == 6)
    for (left, right) in zip(transform, expected) { #expect(abs(left - right) < 1e-9) }
    #expect(json["coordinateSystem"]?["wkt"]?.string?.contains("3857") == true)
    #expect(json["bands"]?.array?.count == 3)
    if rotation == 0 { #expect(abs(transform[0] + 60) < 1e-6 && abs(transform[3] - 40) < 1e-6) }
  }

  @Test(.needsTool("gdal_translate"), arguments: [255, 0] as [UInt8])
  func `GDAL reads the pixels of a GeoTIFF as those of the PNG`(_ alpha: UInt8) async throws {
    let background = RGBAColor(red: 255, green: 255, blue: 255, alpha: alpha)
    let tiff = try file(try await picture(.tiff, background: background), "map.tif")
    let png = temporaryDirectory.appending(path: "read.png").path(percentEncoded: false)
    #expect(try Tool.run("gdal_translate", "-q", "-of", "PNG", tiff, png).status == 0)
    let read = try PixelImage(decoding: try Data(contentsOf: URL(filePath: png)))
    let drawn = try PixelImage(
      decoding: try await picture(.png, background: background).data)
    #expect(read == drawn)
  }

  @Test(.needsTool("gdalinfo")) func `GDAL finds a PNG with a world file where it was drawn`()
    async throws
  {
    let picture = try await picture(.png)
    let path = try file(picture, "map.png")
    let ground = try #require(picture.georeference)
    try Data(ground.worldFile.utf8).write(to: URL(filePath: path.replacing(".png", with: ".pgw")))
    try Data(#require(ground.auxiliaryXML).utf8).write(to: URL(filePath: path + ".aux.xml"))
    let json = try described(path)
    let transform = json["geoTransform"]?.array?.compactMap(\.double) ?? []
    #expect(transform.count == 6)
    for (left, right) in zip(transform, [-60, 0.5, 0, 40, 0, -0.5]) {
      #expect(abs(left - right) < 1e-6)
    }
    #expect(json["coordinateSystem"]?["wkt"]?.string?.contains("3857") == true)
  }

  @Test func `A PDF is a page of its size, and the same each time`() async throws {
    let first = try await picture(.pdf)
    #expect(first.data.starts(with: Data("%PDF-".utf8)) && first.omissions.isEmpty)
    let text = String(decoding: first.data, as: UTF8.self)
    // 120 by 80 points of 1/96 inch, whatever the pixels along one.
    #expect(text.contains("0 0 90 60"))
    #expect(try await picture(.pdf).data == first.data)
  }

  @Test func `The map keeps its middle on a page, and what is around it is laid out`()
    async throws
  {
    let symbol = Symbol(json: [
      "type": "esriSFS", "style": "esriSFSSolid", "color": [200, 40, 30, 255],
    ])
    let layout = PageLayout(
      title: "A square",
      legend: [
        .init(title: "Things", entries: [LegendInfo(name: "Square", swatch: .symbol(symbol))])
      ])
    let frame = SmallMap.frame(width: 500, height: 400)
    let page = layout.page(showing: frame)
    let box = layout.mapBox(width: 500, height: 400)
    let middle = page.location(ofScreenX: box.center.x, y: box.center.y)
    #expect(abs(middle.x) < 1e-9 && abs(middle.y) < 1e-9)
    var request = MapPictureRequest(frame: page, format: .png)
    request.layout = layout
    let picture = try await MapRenderer(layers: [Self.square]).picture(request)
    let image = try PixelImage(decoding: picture.data)
    func pixel(_ x: Double, _ y: Double) -> UInt32 {
      image.pixels[Int(y) * image.width + Int(x)] & 0xFFFFFF
    }
    let red: UInt32 = 0xC8281E
    // A metre is a pixel: the square lies around the middle of the map's part of the page.
    #expect(pixel(box.center.x - 10, box.center.y) == red)
    #expect(pixel(box.center.x + 40, box.center.y) == 0xFFFFFF)
    // The swatch of the legend, on the right.
    #expect(pixel(box.xMax + 14 + 9, box.yMin + 8 + 21 + 9) == red)
    func ink(_ area: Envelope) -> Int {
      var count = 0
      for y in Int(area.yMin)..<Int(area.yMax) {
        for x in Int(area.xMin)..<Int(area.xMax) where pixel(Double(x), Double(y)) < 0x808080 {
          count += 1
        }
      }
      return count
    }
    #expect(ink(Envelope(xMin: box.xMin, yMin: 4, xMax: box.xMax, yMax: box.yMin - 2)) > 100)
    #expect(
      ink(Envelope(xMin: box.xMax - 40, yMin: box.yMax + 2, xMax: box.xMax, yMax: 399)) > 40)
    #expect(
      ink(Envelope(xMin: box.xMin, yMin: box.yMax + 2, xMax: box.xMin + 130, yMax: 399)) > 40)
  }
}
