internal import Foundation
internal import PortolanDrawing
internal import PortolanGeometry
internal import PortolanImages
internal import PortolanMap
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
  /// The time for which a block is kept of which something could not be loaded over the network:
  /// its other tiles are requested within that time, and the same should not be drawn again.
  private static let patience = Duration.seconds(10)

  /// A block as it was drawn.
  private struct Block {
    let image: PixelImage
    /// The result of drawing the layers.
    let layers: [LayerDrawing]
    let drawn: ContinuousClock.Instant

    /// Whether what is missing may be there the next time.
    var mayBeWhole: Bool {
      layers.contains { layer in
        guard layer.isOnline, case .failed = layer.state else { return false }
        return true
      }
    }
  }

  private let renderer: MapRenderer
  private let scheme: TileScheme
  private let pixelRatio: Double
  private let now: @Sendable () -> ContinuousClock.Instant
  private var blocks: [TileID: Block] = [:]
  private var order: [TileID] = []
  /// The tasks that wait for blocks that are being drawn.
  private var waiting: [TileID: [CheckedContinuation<Void, Never>]] = [:]
  private let omitted = OmissionList()
  /// The scales of layers, shared by all blocks of a level.
  private let scales = LayerScales()

  /// The omissions in the blocks drawn so far.
  var omissions: [PictureOmission] { omitted.entries }

  /// Blocks of `side` tiles; of as many as their pixels allow if it is `nil`.
  init(
    _ renderer: MapRenderer, scheme: TileScheme, pixelRatio: Double, side: Int? = nil,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.now = now
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
    let image = try await block(block(of: id)).image
    let pixels = Int((256 * pixelRatio).rounded())
    let part = image.part(
      x: id.column % side * pixels, y: id.row % side * pixels, width: pixels, height: pixels)
    guard let part else { throw .outOfMemory }
    return try part.pngData()
  }

  /// The result of drawing the layers when the block of a tile was drawn; nothing if it is not kept
  /// any more.
  func layers(at id: TileID) -> [LayerDrawing] { blocks[block(of: id)]?.layers ?? [] }

  private func side(atLevel level: Int) -> Int { min(side, 1 << level) }

  private func block(of id: TileID) -> TileID {
    let side = side(atLevel: id.level)
    return TileID(level: id.level, row: id.row / side, column: id.column / side)
  }

  /// A block, drawn once for all who ask for it at the same time.
  private func block(_ block: TileID) async throws(RenderingError) -> Block {
    while true {
      if let known = blocks[block] {
        guard known.mayBeWhole, now() - known.drawn > Self.patience else { return known }
        forget(block)
      }
      guard !Task.isCancelled else { throw .cancelled }
      guard waiting[block] != nil else { break }
      await withCheckedContinuation { waiting[block, default: []].append($0) }
      // The task that drew it may have been cancelled: then it is drawn here.
    }
    waiting[block] = []
    defer {
      let waiters = waiting.removeValue(forKey: block) ?? []
      for waiter in waiters { waiter.resume() }
    }
    let drawn = try await draw(block)
    keep(drawn, block)
    return drawn
  }

  private func draw(_ block: TileID) async throws(RenderingError) -> Block {
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
    let margin = Int((Self.margin * pixelRatio).rounded())
    let inside = margin..<(margin + Int((256 * pixelRatio).rounded()) * side)
    let drawn = try await renderer.image(
      request, scales, in: PixelBox(columns: inside, rows: inside))
    for omission in drawn.omissions {
      omitted.add(omission.reason, layer: omission.layer, count: omission.count)
    }
    return Block(image: drawn.image, layers: drawn.layers, drawn: now())
  }

  /// The memory that the kept blocks take.
  var byteCount: Int { blocks.values.reduce(0) { $0 + $1.image.pixels.count * 4 } }

  private func forget(_ block: TileID) {
    blocks[block] = nil
    order.removeAll { $0 == block }
  }

  private func keep(_ drawn: Block, _ block: TileID) {
    guard blocks[block] == nil else { return }
    blocks[block] = drawn
    order.append(block)
    while order.count > 1, order.count > Self.maximumBlocks || byteCount > Self.maximumBytes {
      blocks[order.removeFirst()] = nil
    }
  }
}
