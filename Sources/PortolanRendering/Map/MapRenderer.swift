internal import PortolanDrawing
internal import PortolanGeometry
public import PortolanImages
public import PortolanMap
public import PortolanPackages

/// Draws a map as a picture, without a screen and without a network.
///
/// Layers are drawn one after the other, and their features a page at a time, so that memory does
/// not grow with the data: it is that of the picture and of a few pages or tiles. The same map and
/// the same request give the same picture. The result lists what could not be drawn.
public struct MapRenderer: Sendable {
  /// The most pixels of a picture.
  public static let maximumPixels = 1 << 26

  /// The map to draw.
  public var map: DrawnMap

  /// Creates what draws a map.
  public init(_ map: DrawnMap) { self.map = map }

  /// Creates what draws layers, which are given lowest first.
  public init(layers: [DrawnLayer], referenceScale: Double = 0) {
    self.init(DrawnMap(layers: layers, referenceScale: referenceScale))
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
    try await image(request, LayerScales())
  }

  /// Draws one of several pictures that belong together, for which `scales` are worked out once; of its
  /// pixels those in a box are returned, if there is one.
  @concurrent func image(
    _ request: MapPictureRequest, _ scales: LayerScales, in box: PixelBox? = nil
  ) async throws(RenderingError) -> (
    image: PixelImage, omissions: [PictureOmission], layers: [LayerDrawing]
  ) {
    var request = request
    request.format = .png
    let session = try await drawn(request, scales)
    return (try await session.image(in: box), session.omissions.entries, session.drawings)
  }

  private func drawn(
    _ request: MapPictureRequest, _ scales: LayerScales = LayerScales()
  ) async throws(RenderingError) -> DrawingSession {
    let session = try DrawingSession(request, scales, referenceScale: map.referenceScale)
    session.credit(map.credits)
    for problem in map.webMap?.partsNotDrawn ?? [] { session.omissions.add(problem, layer: nil) }
    let background = request.background ?? map.background ?? .white
    await session.fill(background)
    try await session.draw(map.layers.filter { $0.isDrawn(atScale: request.frame.scale) }[...])
    if map.layers.contains(where: \.clearsBelow) {
      // The background is below all layers, and not what is taken away.
      await session.fill(background, mode: .destinationOver)
    }
    await session.drawLabels()
    if let layout = request.layout {
      let page = PageDrawing(layout, session)
      if request.decorations.contains(.graticule) {
        await session.draw(Graticule(session, in: page.box).commands)
      }
      await session.draw(page.commands)
    } else {
      await session.draw(request.decorations)
    }
    guard !Task.isCancelled else { throw .cancelled }
    return session
  }
}
