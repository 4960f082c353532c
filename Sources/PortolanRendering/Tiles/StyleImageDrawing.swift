internal import Foundation
internal import PortolanDrawing
internal import PortolanGeometry
internal import PortolanImages
internal import PortolanPackages
internal import PortolanTiles
internal import PortolanVectorTiles

/// Draws a picture that a style lays between four places.
struct StyleImageDrawing {
  /// Corners that are nearer to those of a parallelogram, in pixels, are its corners.
  private static let tolerance = 0.05

  let image: StyleImageSource
  let paint: RasterPaint
  /// The source of the picture; `nil` where it cannot be requested.
  let resources: (any StyleResources)?
  let title: String
  let session: DrawingSession

  init(
    _ image: StyleImageSource, _ paint: RasterPaint, _ resources: (any StyleResources)?,
    title: String, in session: DrawingSession
  ) {
    self.image = image
    self.paint = paint
    self.resources = resources
    self.title = title
    self.session = session
  }

  func draw() async {
    guard let picture = await picture() else { return }
    do throws(GeometryError) {
      let toMap = try Projection(from: .webMercator, to: session.frame.spatialReference)
      let corners = toMap.project(image.corners)
      await session.forEachWorld(layer: title) {
        let pixels = corners.map { session.transform($0) }
        guard pixels.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return }
        await session.draw(commands(picture, pixels))
      }
    } catch {
      session.omissions.add(error.errorDescription ?? "it has no place on this map", layer: title)
    }
  }

  /// The picture as it is painted; `nil`, and reported, if it cannot be loaded.
  private func picture() async -> PixelImage? {
    let named = "the picture \"\(image.address.prefix(100))\" of its style"
    guard let resources else {
      session.omissions.add("\(named) is not kept with the tiles", layer: title)
      return nil
    }
    let data: Data
    do throws(TileError) {
      data = try await resources.file(at: image.address)
    } catch {
      if error == .cancelled { return nil }
      session.fail("\(named) cannot be had: \(error.clause)", layer: title)
      return nil
    }
    do throws(ImageDecodingError) {
      let picture = try ImageDecoder.decode(data)
      return paint.painted(picture, over: image.corners.reduce(into: .empty) { $0.include($1) })
    } catch {
      session.fail("\(named) is not drawn: \(error.clause)", layer: title)
      return nil
    }
  }

  /// The steps that draw a picture between corners: as a whole if it keeps its shape, else in two
  /// triangles.
  private func commands(_ picture: PixelImage, _ corners: [Coordinate]) -> [DrawCommand] {
    let bend = PixelPath.distance(
      Coordinate(x: corners[0].x + corners[2].x, y: corners[0].y + corners[2].y),
      Coordinate(x: corners[1].x + corners[3].x, y: corners[1].y + corners[3].y))
    func command(_ transform: PixelTransform, _ area: [Coordinate]) -> DrawCommand {
      .image(
        picture,
        ImagePlacement(
          transform: transform, area: PixelPath([area], isClosed: true), isSmooth: paint.isSmooth,
          opacity: paint.opacity))
    }
    let upper = PixelTransform(
      of: picture, topLeft: corners[0], topRight: corners[1], bottomLeft: corners[3])
    guard bend > Self.tolerance else { return [command(upper, corners)] }
    // The lower triangle continues to where the top left corner would be beside it.
    let lower = PixelTransform(
      of: picture,
      topLeft: Coordinate(
        x: corners[1].x + corners[3].x - corners[2].x,
        y: corners[1].y + corners[3].y - corners[2].y),
      topRight: corners[1], bottomLeft: corners[3])
    return [
      command(upper, [corners[0], corners[1], corners[3]]),
      command(lower, [corners[1], corners[2], corners[3]]),
    ]
  }
}

extension PixelTransform {
  /// The transform from the pixels of a picture to the places of its corners.
  fileprivate init(
    of picture: PixelImage, topLeft: Coordinate, topRight: Coordinate, bottomLeft: Coordinate
  ) {
    let (width, height) = (Double(picture.width), Double(picture.height))
    self.init(
      from: topLeft,
      across: Coordinate(x: (topRight.x - topLeft.x) / width, y: (topRight.y - topLeft.y) / width),
      down: Coordinate(
        x: (bottomLeft.x - topLeft.x) / height, y: (bottomLeft.y - topLeft.y) / height))
  }
}
