internal import PortolanDrawing
internal import PortolanImages
internal import PortolanMap

/// The surfaces of a picture: the picture, and above it what is drawn separately and composed
/// later.
final class LayerStack {
  /// Each layer or group that is drawn apart in another takes the memory of a picture.
  private static let maximumDepth = 6

  private var depth = 0
  private let width: Int
  private let height: Int
  private let concurrency: Int
  private let isSeamless: Bool
  private let pixelsPerPoint: Double
  private let picture: BandedCanvas
  /// Pixels of layers and groups that are open, the innermost last.
  private var canvases: [BandedCanvas] = []
  /// The batches that are being drawn on the innermost layer while the caller prepares the next
  /// ones, the oldest first.
  private var batches: [DrawingBatch] = []
  /// The vertices that may wait to be drawn, 16 bytes each.
  private static let mostWaitingParts = 1 << 19
  /// The maximum number of waiting batches: dashes and the like have more vertices than the shapes
  /// they are made of.
  private static let mostWaitingBatches = 24

  init(
    _ picture: BandedCanvas, width: Int, height: Int, concurrency: Int, isSeamless: Bool,
    pixelsPerPoint: Double
  ) {
    self.isSeamless = isSeamless
    self.picture = picture
    self.width = width
    self.height = height
    self.concurrency = concurrency
    self.pixelsPerPoint = pixelsPerPoint
  }

  // Of a picture that is cancelled nothing more is drawn.
  deinit {
    for batch in batches { batch.cancel() }
  }

  private var top: BandedCanvas { canvases.last ?? picture }

  /// Draws; where several things are done at a time, only begins to.
  func draw(_ commands: [DrawCommand]) async {
    guard concurrency > 1 else { return await top.draw(commands) }
    guard !commands.isEmpty else { return }
    while batches.count >= Self.mostWaitingBatches
      || batches.reduce(0, { $0 + $1.partCount }) > Self.mostWaitingParts
    {
      await batches.removeFirst().finish()
    }
    batches.append(top.begin(commands, behind: batches.last))
  }

  /// Waits until everything is drawn.
  func finishDrawing() async {
    for batch in batches { await batch.finish() }
    batches = []
  }

  /// Begins what is drawn apart.
  ///
  /// - Returns: Whether it is; not if nothing asks for it, or if it is nested too deeply.
  /// - Throws: `RenderingError.outOfMemory`.
  func begin(_ mix: LayerMix) async throws(RenderingError) -> Bool {
    guard !mix.isPlain || mix.needsPixels, depth < Self.maximumDepth else { return false }
    if mix.needsPixels {
      await finishDrawing()
      canvases.append(
        try BandedCanvas(
          width: width, height: height, kind: .pixels, concurrency: concurrency,
          isSeamless: isSeamless))
    } else {
      await draw([.beginGroup])
    }
    depth += 1
    return true
  }

  /// Puts what was begun to be drawn apart on what is below.
  ///
  /// - Returns: What could not be done, as a clause for people, if anything.
  /// - Throws: `RenderingError.outOfMemory`.
  func end(_ mix: LayerMix) async throws(RenderingError) -> String? {
    depth -= 1
    let opacity = min(max(mix.opacity, 0), 1)
    guard mix.needsPixels, let canvas = canvases.popLast() else {
      await draw([.endGroup(opacity: opacity, mode: mix.blendMode)])
      return nil
    }
    await finishDrawing()
    let image = try await canvas.image().applying(mix.effects, pixelsPerPoint: pixelsPerPoint)
    guard mix.blendMode.needsPixels else {
      await put(image, opacity: opacity, mode: mix.blendMode)
      return nil
    }
    guard top.kind == .pixels else {
      await put(image, opacity: opacity, mode: .normal)
      return "documents cannot mix colours as \"\(mix.blendMode.rawValue)\" asks"
    }
    let mixed = try await top.image().mixed(with: image, mix.blendMode, opacity: opacity)
    await put(mixed, opacity: 1, mode: .normal)
    return nil
  }

  private func put(_ image: PixelImage, opacity: Double, mode: BlendMode) async {
    let placement = ImagePlacement(
      transform: .identity, area: .rectangle(image.box), isSmooth: false)
    await draw([
      .beginGroup, .image(image, placement), .endGroup(opacity: opacity, mode: mode),
    ])
  }
}
