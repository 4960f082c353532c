public import PortolanDrawing
internal import PortolanGeometry
public import PortolanImages
public import PortolanMap
public import PortolanPackages

/// Draws a map as a picture, without a screen and without a network.
///
/// Layers are drawn one after the other, and their features a page at a time, so that memory does
/// not grow with the data: it is that of the picture and of a few pages or tiles. The same map and
/// the same request give the same picture. What cannot be drawn is told in the result.
public struct MapRenderer: Sendable {
  /// The most pixels of a picture.
  public static let maximumPixels = 1 << 26

  /// The layers, lowest first.
  public var layers: [DrawnLayer]
  /// The colour behind all layers, if the map says so.
  public var background: RGBAColor?
  /// The scale, as a denominator, at which symbols have the size they say; 0 for every scale.
  public var referenceScale: Double

  /// Whom to credit for the map as a whole; layers tell for themselves.
  public var credits: [String] = []
  /// What the map asks for as a whole that is not drawn, in clauses for people.
  public var problems: [String]

  /// Creates what draws layers, which are given lowest first.
  public init(
    layers: [DrawnLayer], background: RGBAColor? = nil, referenceScale: Double = 0,
    problems: [String] = []
  ) {
    self.problems = problems
    self.layers = layers
    self.background = background
    self.referenceScale = referenceScale
  }

  /// Finds the data of the layers of a map that are switched on: the basemap's, the operational
  /// ones, the basemap's reference layers.
  @concurrent public init(of map: MobileMap) async {
    let basemap = map.webMap.basemap
    var layers: [DrawnLayer] = []
    for layer in basemap.baseLayers + map.webMap.operationalLayers + basemap.referenceLayers {
      await Self.add(layer, in: [], of: map, to: &layers)
    }
    self.init(
      layers: layers, background: map.webMap.backgroundColor,
      referenceScale: map.webMap.referenceScale, problems: map.webMap.partsNotDrawn)
    credits = [map.item.accessInformation].compactMap(\.self)
  }

  private static func add(
    _ layer: Layer, in groups: [Layer], of map: MobileMap, to layers: inout [DrawnLayer]
  ) async {
    let isHandedDown = groups.first?.visibilityMode == .inherited
    guard layer.isVisible || isHandedDown else { return }
    guard case .group = layer.kind else {
      let content = await map.contents.content(of: layer)
      layers.append(DrawnLayer(layer: layer, content: content, groups: groups))
      return
    }
    let children = layer.layers
    let shown =
      layer.visibilityMode == .exclusive
      ? children.last { $0.isVisible }.map { [$0] } ?? [] : children
    for child in shown { await add(child, in: [layer] + groups, of: map, to: &layers) }
  }

  /// Draws a picture.
  ///
  /// - Throws: `RenderingError.unusableSize(width:height:)` for a picture without or with too
  ///   many pixels, `RenderingError.cancelled` if the task is cancelled.
  @concurrent public func picture(
    _ request: MapPictureRequest
  ) async throws(RenderingError) -> MapPicture {
    try await drawn(request).finish()
  }

  /// Draws a picture and leaves it as pixels, whatever format the request names.
  ///
  /// - Throws: As ``picture(_:)``.
  @concurrent public func image(
    _ request: MapPictureRequest
  ) async throws(RenderingError) -> (
    image: PixelImage, omissions: [PictureOmission], layers: [LayerDrawing]
  ) {
    var request = request
    request.format = .png
    let session = try await drawn(request)
    return (try await session.image(), session.omissions.entries, session.drawings)
  }

  private func drawn(_ request: MapPictureRequest) async throws(RenderingError) -> DrawingSession {
    let session = try DrawingSession(request, referenceScale: referenceScale)
    session.credit(credits)
    for problem in problems { session.omissions.add(problem, layer: nil) }
    let background = request.background ?? background ?? .white
    await session.fill(background)
    try await session.draw(layers.filter { $0.isDrawn(atScale: request.frame.scale) }[...])
    if layers.contains(where: \.clearsBelow) {
      // The background is below all layers, and not what is taken away.
      await session.fill(background, mode: .destinationOver)
    }
    await session.drawLabels()
    if let layout = request.layout {
      if request.decorations.contains(.graticule) { await session.draw([.graticule]) }
      await session.draw(PageDrawing(layout, session).commands)
    } else {
      await session.draw(request.decorations)
    }
    guard !Task.isCancelled else { throw .cancelled }
    return session
  }
}
