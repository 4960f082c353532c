internal import Foundation
internal import PortolanDrawing
internal import PortolanGeometry
internal import PortolanImages
internal import PortolanJSON
internal import PortolanMap
internal import PortolanPackages
internal import PortolanTileFiles
internal import PortolanTiles

/// The drawing of one picture: its target, its place on the map, and what could not be drawn.
final class DrawingSession {
  /// The context that layers draw for.
  let context: DrawingContext
  let referenceScale: Double
  /// The scales of layers, shared by all pictures of the map.
  let scales: LayerScales
  /// The attribution for what is drawn.
  private(set) var attributions: [String] = []
  /// The object ids of features that are set off, by the ids of their layers.
  let selection: [String: Set<Int64>]
  /// The result of drawing each layer so far, in the order of drawing.
  private(set) var drawings: [LayerDrawing] = []
  private let progress: (@Sendable (LayerDrawing) -> Void)?
  let stack: LayerStack
  /// The maximum number of concurrent tasks.
  let concurrency: Int
  private let canvas: BandedCanvas
  private let format: MapPicture.Format
  private let wholeFrame: MapFrame

  init(
    _ request: MapPictureRequest, _ scales: LayerScales = LayerScales(), referenceScale: Double
  ) throws(RenderingError) {
    wholeFrame = request.frame
    selection = request.selection
    concurrency = request.concurrency
    progress = request.progress
    format = request.format
    self.referenceScale = referenceScale
    let (width, height) = try request.pixelSize
    context = DrawingContext(
      request.frame, pixelRatio: request.pixelRatio, width: width, height: height,
      gridMargin: request.gridMargin)
    let isSeamless = request.labelScope != .picture
    canvas = try BandedCanvas(
      width: width, height: height, kind: request.format.canvasKind,
      concurrency: request.concurrency, pointsPerPixel: 0.75 / request.pixelRatio,
      isSeamless: isSeamless)
    self.scales = scales
    stack = LayerStack(
      canvas, width: width, height: height, concurrency: request.concurrency,
      isSeamless: isSeamless, pixelsPerPoint: context.pixelsPerPoint)
  }

  /// Whether shapes are kept as such.
  var isDocument: Bool { canvas.kind == .svg }

  func fill(_ color: RGBAColor, mode: BlendMode = .normal) async {
    let box = Envelope(xMin: 0, yMin: 0, xMax: Double(width), yMax: Double(height))
    let fill = DrawCommand.fill(.rectangle(box), .solid(color))
    await stack.draw(
      mode == .normal ? [fill] : [.beginGroup, fill, .endGroup(opacity: 1, mode: mode)])
  }

  func draw(_ commands: [DrawCommand]) async { await stack.draw(commands) }

  /// Draws a layer, which is known to be shown at this scale.
  ///
  /// - Throws: `RenderingError.outOfMemory`.
  func draw(_ layer: DrawnLayer) async throws(RenderingError) {
    context.beginLayer()
    let mix = LayerMix(layer.layer, opacity: layer.opacity, scale: frame.scale)
    try await mixed(mix, layer: layer.layer.title) { () async throws(RenderingError) in
      await drawContent(of: layer)
    }
  }

  /// Adds an attribution.
  func credit(_ names: [String]) { attributions += names }

  private func drawContent(of layer: DrawnLayer) async {
    begin(layer)
    await drawAnyContent(of: layer)
    guard !Task.isCancelled else { return }
    endLayer()
  }

  private func begin(_ layer: DrawnLayer) {
    let drawing = LayerDrawing(
      key: layer.key, title: layer.layer.title, state: .loading, isOnline: layer.content.isOnline)
    drawings.append(drawing)
    progress?(drawing)
  }

  private func endLayer() {
    guard !drawings.isEmpty else { return }
    let last = drawings.count - 1
    if case .loading = drawings[last].state { drawings[last].state = .drawn }
    progress?(drawings[last])
  }

  /// Takes note that a part of the layer that is being drawn could not be loaded.
  func fail(_ reason: String, layer: String, count: Int = 1) {
    omissions.add(reason, layer: layer, count: count)
    guard !drawings.isEmpty, case .loading = drawings[drawings.count - 1].state else { return }
    drawings[drawings.count - 1].state = .failed(reason: OmissionList.sentence(reason))
  }

  private func refuse(_ reason: String, layer: String) {
    omissions.add(reason, layer: layer)
    guard !drawings.isEmpty else { return }
    drawings[drawings.count - 1].state = .notSupported(reason: OmissionList.sentence(reason))
  }

  private func drawAnyContent(of layer: DrawnLayer) async {
    let title = layer.layer.title
    credit(layer.content.attributions(of: layer.layer))
    switch layer.content {
    case .features(let tables):
      for table in tables {
        await FeatureLayerDrawing(table, layer, in: self).draw()
      }
    case .tiles(let source):
      if source.info.isVector {
        await VectorTileLayerDrawing(source, title: title, in: self).draw()
      } else {
        await forEachWorld(layer: title) {
          await TileLayerDrawing(source, title: title, in: self).draw()
        }
      }
    case .vectorTiles(let package):
      await VectorTileLayerDrawing(package, title: title, in: self).draw()
    case .styledTiles(let tiles):
      await VectorTileLayerDrawing(tiles, title: title, in: self).draw()
    case .pictures(let source, _, _):
      await ServiceLayerDrawing(source, title: title, in: self).draw()
    case .service: refuse("a service has to draw it", layer: title)
    case .group: break
    case .unavailable(let reason): fail(reason, layer: title)
    case .notSupported(let reason): refuse(reason, layer: title)
    }
  }

  /// Draws something apart and puts it on the picture with an opacity.
  func grouped(opacity: Double, _ draw: () async -> Void) async {
    guard opacity < 1 else { return await draw() }
    await stack.draw([.beginGroup])
    await draw()
    await stack.draw([.endGroup(opacity: max(opacity, 0))])
  }

  /// Draws the labels of all layers, which are above everything else.
  func drawLabels() async {
    let (commands, unknown) = context.labels.placed(for: context)
    reportUnknownGlyphs(unknown)
    await stack.draw(commands)
  }

  /// Reports characters of labels that no font on this machine has.
  func reportUnknownGlyphs(_ count: Int) {
    omissions.add("no font on this machine has a letter of a label", layer: nil, count: count)
  }

  /// The pixels drawn so far, or those in a box.
  func image(in box: PixelBox? = nil) async throws(RenderingError) -> PixelImage {
    await stack.finishDrawing()
    return try await canvas.image(in: box)
  }

  func finish() async throws(RenderingError) -> MapPicture {
    await stack.finishDrawing()
    let georeference = PictureGeoreference(wholeFrame, pixelRatio: pixelRatio)
    let data: Data
    if format == .tiff {
      data = try GeoTIFFEncoder.encode(try await canvas.image(), georeference)
    } else {
      data = try await canvas.data()
    }
    return MapPicture(
      data: data, format: format, width: width, height: height,
      georeference: georeference, omissions: omissions.entries, layers: drawings)
  }
}

extension DrawingSession {
  var worldCopy: Int { context.worldCopy }
  var frame: MapFrame { context.frame }
  var pixelRatio: Double { context.pixelRatio }
  var pixelsPerPoint: Double { context.pixelsPerPoint }
  /// In pixels.
  var width: Int { context.width }
  /// In pixels.
  var height: Int { context.height }
  var transform: PixelTransform { context.transform }
  var omissions: OmissionList { context.omissions }
}

extension MapPicture.Format {
  /// The kind of canvas for a picture of the format.
  fileprivate var canvasKind: BandedCanvas.Kind {
    switch self {
    case .png, .tiff: .pixels
    case .svg: .svg
    case .pdf: .pdf
    }
  }
}

extension MapPictureRequest {
  /// The points around the picture that the pictures beside it show, too, if they have to agree.
  fileprivate var gridMargin: Double? {
    guard case .grid(let margin) = labelScope, frame.rotation == 0 else { return nil }
    return margin
  }

  /// The sides in pixels.
  var pixelSize: (width: Int, height: Int) {
    get throws(RenderingError) {
      let (width, height) = (frame.width * pixelRatio, frame.height * pixelRatio)
      let sides = 1...Double(Canvas.maximumSide)
      guard sides.contains(width), sides.contains(height), frame.resolution > 0,
        frame.resolution.isFinite, frame.center.x.isFinite, frame.center.y.isFinite,
        frame.rotation.isFinite, width * height <= Double(MapRenderer.maximumPixels)
      else {
        throw .unusableSize(
          width: Int(exactly: width.rounded()) ?? 0, height: Int(exactly: height.rounded()) ?? 0)
      }
      return (Int(width.rounded()), Int(height.rounded()))
    }
  }
}
