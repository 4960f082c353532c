internal import Foundation
internal import PortolanGeometry
internal import PortolanTiles

/// Draws blocks of tiles, and keeps those of the last blocks.
actor MetatileCache {
  /// The tiles along a block.
  static let side = 4
  /// The pixels of the margin in which labels may begin.
  private static let margin = 64.0
  private static let maximumBlocks = 8

  private let renderer: MapRenderer
  private let scheme: TileScheme
  private let pixelRatio: Double
  private var blocks: [TileID: PixelImage] = [:]
  private var order: [TileID] = []
  /// Who waits for blocks that are being drawn.
  private var waiting: [TileID: [CheckedContinuation<Void, Never>]] = [:]
  private let omitted = OmissionList()

  /// What the blocks drawn so far do not show.
  var omissions: [PictureOmission] { omitted.entries }

  init(_ renderer: MapRenderer, scheme: TileScheme, pixelRatio: Double) {
    self.renderer = renderer
    self.scheme = scheme
    self.pixelRatio = pixelRatio
  }

  /// A tile as a PNG file.
  func pngData(of id: TileID) async throws(RenderingError) -> Data {
    let side = Self.side(atLevel: id.level)
    let block = TileID(level: id.level, row: id.row / side, column: id.column / side)
    let image = try await image(of: block)
    let pixels = Int((256 * pixelRatio).rounded())
    let part = image.part(
      x: id.column % side * pixels, y: id.row % side * pixels, width: pixels, height: pixels)
    guard let part else { throw .outOfMemory }
    return try part.pngData()
  }

  private static func side(atLevel level: Int) -> Int { min(side, 1 << level) }

  /// A block, drawn once for all who ask for it at the same time.
  private func image(of block: TileID) async throws(RenderingError) -> PixelImage {
    while true {
      if let known = blocks[block] { return known }
      guard !Task.isCancelled else { throw .cancelled }
      guard waiting[block] != nil else { break }
      await withCheckedContinuation { waiting[block, default: []].append($0) }
      // Whoever drew it may have been cancelled: then it is drawn here.
    }
    waiting[block] = []
    defer {
      let waiters = waiting.removeValue(forKey: block) ?? []
      for waiter in waiters { waiter.resume() }
    }
    let image = try await draw(block)
    keep(image, block)
    return image
  }

  private func draw(_ block: TileID) async throws(RenderingError) -> PixelImage {
    let side = Self.side(atLevel: block.level)
    let first = TileID(level: block.level, row: block.row * side, column: block.column * side)
    guard let tile = scheme.envelope(of: first), let level = scheme.level(block.level) else {
      throw .unusableSize(width: 0, height: 0)
    }
    let width = Double(side * 256) + 2 * Self.margin
    let center = Coordinate(
      x: tile.xMin + tile.width * Double(side) / 2, y: tile.yMax - tile.height * Double(side) / 2)
    let frame = MapFrame(
      center: center,
      scale: SpatialReferenceProperties.webMercator.scale(forResolution: level.resolution),
      width: width, height: width, spatialReference: .webMercator, properties: .webMercator)
    let drawn = try await renderer.image(
      MapPictureRequest(frame: frame, pixelRatio: pixelRatio))
    for omission in drawn.omissions {
      omitted.add(omission.reason, layer: omission.layer, count: omission.count)
    }
    let margin = Int((Self.margin * pixelRatio).rounded())
    let pixels = Int((256 * pixelRatio).rounded()) * side
    guard let image = drawn.image.part(x: margin, y: margin, width: pixels, height: pixels) else {
      throw .outOfMemory
    }
    return image
  }

  private func keep(_ image: PixelImage, _ block: TileID) {
    guard blocks[block] == nil else { return }
    blocks[block] = image
    order.append(block)
    if order.count > Self.maximumBlocks { blocks[order.removeFirst()] = nil }
  }
}
