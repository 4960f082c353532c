internal import Foundation
internal import PortolanDrawing
internal import PortolanGeometry
internal import PortolanImages
internal import PortolanTiles

/// Draws blocks of tiles, and keeps the last blocks as far as their pixels take a bounded memory.
actor MetatileCache {
  /// The tiles along a block: four, fewer where their pixels would make too large a picture.
  nonisolated let side: Int
  /// The points around a block that are drawn with it, for what is blurred or mixed over its sides.
  private static let margin = 64.0
  private static let maximumBlocks = 8
  /// The most pixels along the picture of a block, its margins included.
  private static let maximumWidth = 4096.0
  /// The most memory for the blocks that are kept, in bytes; one is kept in any case.
  private static let maximumBytes = 128 << 20

  private let renderer: MapRenderer
  private let scheme: TileScheme
  private let pixelRatio: Double
  private var blocks: [TileID: PixelImage] = [:]
  private var order: [TileID] = []
  /// Who waits for blocks that are being drawn.
  private var waiting: [TileID: [CheckedContinuation<Void, Never>]] = [:]
  private let omitted = OmissionList()
  /// What is the same in all blocks of a level.
  private let scales = LayerScales()

  /// What the blocks drawn so far do not show.
  var omissions: [PictureOmission] { omitted.entries }

  /// Blocks of `side` tiles; of as many as their pixels allow if it is `nil`.
  init(
    _ renderer: MapRenderer, scheme: TileScheme, pixelRatio: Double, side: Int? = nil
  ) {
    self.renderer = renderer
    self.scheme = scheme
    self.pixelRatio = pixelRatio
    self.side =
      side ?? [4, 2].first {
        (Double($0 * 256) + 2 * Self.margin) * pixelRatio <= Self.maximumWidth
      } ?? 1
  }

  /// A tile as a PNG file.
  func pngData(of id: TileID) async throws(RenderingError) -> Data {
    let side = side(atLevel: id.level)
    let block = TileID(level: id.level, row: id.row / side, column: id.column / side)
    let image = try await image(of: block)
    let pixels = Int((256 * pixelRatio).rounded())
    let part = image.part(
      x: id.column % side * pixels, y: id.row % side * pixels, width: pixels, height: pixels)
    guard let part else { throw .outOfMemory }
    return try part.pngData()
  }

  private func side(atLevel level: Int) -> Int { min(side, 1 << level) }

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
    let side = side(atLevel: block.level)
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
    var request = MapPictureRequest(frame: frame, pixelRatio: pixelRatio)
    request.labelScope = .grid(margin: Self.margin)
    request.layerScales = scales
    let drawn = try await renderer.image(request)
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

  /// The memory that the kept blocks take.
  var byteCount: Int { blocks.values.reduce(0) { $0 + $1.pixels.count * 4 } }

  private func keep(_ image: PixelImage, _ block: TileID) {
    guard blocks[block] == nil else { return }
    blocks[block] = image
    order.append(block)
    while order.count > 1, order.count > Self.maximumBlocks || byteCount > Self.maximumBytes {
      blocks[order.removeFirst()] = nil
    }
  }
}
