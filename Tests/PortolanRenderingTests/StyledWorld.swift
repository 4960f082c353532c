import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanPackages
import PortolanTiles

@testable import PortolanDrawing
@testable import PortolanImages
@testable import PortolanRendering

/// Draws styles on Web Mercator around the zero of the map, with what they name beside them.
enum StyledWorld {
  /// The files that styles name by addresses.
  private struct Files: StyleResources {
    let files: [String: Data]
    let sprites: [StyleSprite]

    func sprites(isDouble: Bool) -> [StyleSprite] { isDouble ? [] : sprites }

    func glyphs(fontStack: String, range: ClosedRange<Int>) -> Data? {
      files["\(fontStack)/\(range.lowerBound)"]
    }

    func file(at address: String) throws(TileError) -> Data {
      guard let data = files[address] else {
        throw .unreadable(file: address, reason: "there is no such file")
      }
      return data
    }
  }

  struct Picture {
    var image: PixelImage
    var omissions: [String]

    /// Red, green and blue at a place, from 0 to 255.
    func color(_ x: Int, _ y: Int) -> [Int] {
      let pixel = image.pixels[y * image.width + x]
      return [16, 8, 0].map { Int(pixel >> $0 & 255) }
    }
  }

  static func picture(
    _ style: JSONValue, sources: [String: any TileSource] = [:], files: [String: Data] = [:],
    sprites: [StyleSprite] = [], zoom: Double = 0, rotation: Double = 0, width: Double = 512,
    height: Double = 512,
    center: Coordinate = Coordinate(x: 0, y: 0), isBlock: Bool = false
  ) async throws -> Picture {
    var frame = MapFrame(
      center: center, scale: 1, width: width, height: height,
      spatialReference: .webMercator, properties: .webMercator)
    frame.scale = frame.properties.scale(forResolution: 78_271.516_964_020_48 / exp2(zoom))
    frame.rotation = rotation
    var request = MapPictureRequest(frame: frame, pixelRatio: 1)
    if isBlock { request.labelScope = .grid(margin: 0) }
    let session = try DrawingSession(request, referenceScale: 0)
    await session.fill(.white)
    let tiles = StyledVectorTiles(
      sources: sources, style: style, resources: Files(files: files, sprites: sprites))
    await VectorTileLayerDrawing(tiles, title: "style", in: session).draw()
    await session.drawLabels()
    return Picture(
      image: try await session.image(), omissions: session.omissions.entries.map(\.reason))
  }
}
