internal import PortolanGeometry
internal import PortolanImages
internal import PortolanTiles

/// Looks up colours in tiles by map coordinates.
struct TileSampler {
  private let tiles: [TileID: TilePicture]
  private let scheme: TileScheme
  private let level: Int
  private let size: (width: Double, height: Double)
  /// Whether pixels that are enlarged run into each other.
  private let isSmooth: Bool
  private var last: (extent: Envelope, picture: TilePicture)?

  init(
    tiles: [TileID: TilePicture], scheme: TileScheme, level number: Int, isSmooth: Bool = true
  ) {
    self.isSmooth = isSmooth
    self.tiles = tiles
    self.scheme = scheme
    level = number
    size = scheme.level(number).map { scheme.tileSize(of: $0) } ?? (1, 1)
  }

  /// The colour at a place, mixed of the four pixels around it or that of the nearest one; clear where
  /// there is no tile.
  mutating func color(at place: Coordinate) -> UInt32 {
    guard let picture = picture(at: place) else { return 0 }
    let (image, extent) = (picture.image, picture.extent)
    let x = (place.x - extent.xMin) / extent.width * Double(image.width) - 0.5
    let y = (extent.yMax - place.y) / extent.height * Double(image.height) - 0.5
    let (left, top) = (x.rounded(.down), y.rounded(.down))
    let (right, down) = (UInt32((x - left) * 256), UInt32((y - top) * 256))
    func pixel(_ column: Double, _ row: Double) -> UInt32 {
      let column = min(max(Int(column), 0), image.width - 1)
      let row = min(max(Int(row), 0), image.height - 1)
      return image.pixels[row * image.width + column]
    }
    guard isSmooth else { return pixel(x.rounded(), y.rounded()) }
    let upper = Self.mixed(pixel(left, top), pixel(left + 1, top), right)
    let lower = Self.mixed(pixel(left, top + 1), pixel(left + 1, top + 1), right)
    return Self.mixed(upper, lower, down)
  }

  private mutating func picture(at place: Coordinate) -> TilePicture? {
    if let last, last.extent.contains(place) { return last.picture }
    guard let id = scheme.tile(containing: place, level: level), let picture = tiles[id],
      let extent = scheme.envelope(of: id)
    else { return nil }
    last = (extent, picture)
    return picture
  }

  /// A pixel between two, at a share of 256 parts; two channels are worked out at a time.
  private static func mixed(_ low: UInt32, _ high: UInt32, _ share: UInt32) -> UInt32 {
    let rest = 256 - share
    let even = ((low & 0x00FF_00FF) * rest + (high & 0x00FF_00FF) * share) >> 8 & 0x00FF_00FF
    let odd =
      ((low >> 8 & 0x00FF_00FF) * rest + (high >> 8 & 0x00FF_00FF) * share) & 0xFF00_FF00
    return even | odd
  }
}
