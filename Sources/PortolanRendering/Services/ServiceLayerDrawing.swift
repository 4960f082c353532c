internal import Foundation
internal import PortolanDrawing
internal import PortolanGeometry
internal import PortolanImages
internal import PortolanPackages
internal import PortolanTiles

/// Draws a layer by asking its service for pictures of what is seen.
struct ServiceLayerDrawing {
  /// The most pictures that one picture is put together from; where more would be needed, each
  /// shows a larger extent with fewer pixels.
  private static let maximumPieces = 16

  let session: DrawingSession
  let source: any MapImageSource
  let title: String

  init(_ source: any MapImageSource, title: String, in session: DrawingSession) {
    self.source = source
    self.title = title
    self.session = session
  }

  func draw() async {
    for problem in source.problems { session.omissions.add(problem, layer: title) }
    await session.forEachWorld(layer: title) {
      await draw(requests(for: session.visiblePartOfWorld(margin: 1)))
    }
  }

  /// The pictures that together show an extent.
  func requests(for extent: Envelope) -> [MapImageRequest] {
    guard extent.width > 0, extent.height > 0 else { return [] }
    var ratio = session.pixelRatio
    let side = source.maximumSide
    func count(_ length: Double, _ most: Int) -> Int {
      max(Int((length / session.frame.resolution * ratio / Double(most)).rounded(.up)), 1)
    }
    var (columns, rows) = (count(extent.width, side.width), count(extent.height, side.height))
    while columns * rows > Self.maximumPieces {
      ratio /= 1.25
      (columns, rows) = (count(extent.width, side.width), count(extent.height, side.height))
    }
    let piece = Piece(
      width: extent.width / Double(columns), height: extent.height / Double(rows),
      pixelsPerUnit: ratio / session.frame.resolution,
      dotsPerInch: max(Int((96 * ratio).rounded()), 1))
    var requests: [MapImageRequest] = []
    for row in 0..<rows {
      for column in 0..<columns { requests.append(request(piece, of: extent, row, column)) }
    }
    return requests
  }

  /// One of the pictures that together show an extent; sides in map units.
  private struct Piece {
    let width: Double
    let height: Double
    let pixelsPerUnit: Double
    let dotsPerInch: Int
  }

  private func request(
    _ piece: Piece, of extent: Envelope, _ row: Int, _ column: Int
  ) -> MapImageRequest {
    let left = extent.xMin + piece.width * Double(column)
    let top = extent.yMax - piece.height * Double(row)
    let side = source.maximumSide
    let width = Int((piece.width * piece.pixelsPerUnit).rounded())
    let height = Int((piece.height * piece.pixelsPerUnit).rounded())
    return MapImageRequest(
      extent: Envelope(xMin: left, yMin: top - piece.height, xMax: left + piece.width, yMax: top),
      spatialReference: session.frame.spatialReference,
      width: min(max(width, 1), side.width), height: min(max(height, 1), side.height),
      dotsPerInch: piece.dotsPerInch)
  }

  /// Asks for the pictures, a few at a time, and draws them in their order.
  private func draw(_ requests: [MapImageRequest]) async {
    for start in stride(from: 0, to: requests.count, by: 4) {
      guard !Task.isCancelled else { return }
      let chunk = requests[start..<min(start + 4, requests.count)]
      let pictures = await withTaskGroup(of: (Int, Result<PixelImage, Failure>).self) { group in
        for number in chunk.indices {
          group.addTask { [source] in (number, await Self.picture(chunk[number], source)) }
        }
        return await group.reduce(into: [Int: Result<PixelImage, Failure>]()) { $0[$1.0] = $1.1 }
      }
      for number in chunk.indices {
        switch pictures[number] {
        case .success(let image)?: await session.draw([command(image, requests[number].extent)])
        case .failure(let failure)? where !failure.isCancelled:
          session.fail(failure.reason, layer: title)
        default: break
        }
      }
    }
  }

  private struct Failure: Error {
    let reason: String
    var isCancelled = false
  }

  @concurrent private static func picture(
    _ request: MapImageRequest, _ source: any MapImageSource
  ) async -> Result<PixelImage, Failure> {
    let data: Data
    do throws(TileError) { data = try await source.image(request) } catch {
      if case .cancelled = error { return .failure(Failure(reason: "", isCancelled: true)) }
      return .failure(Failure(reason: error.errorDescription ?? "its service does not answer"))
    }
    do throws(ImageDecodingError) { return .success(try ImageDecoder.decode(data)) } catch {
      return .failure(Failure(reason: "the picture of its service is not drawn: \(error.clause)"))
    }
  }

  private func command(_ image: PixelImage, _ extent: Envelope) -> DrawCommand {
    let transform = PixelTransform(
      of: extent, width: image.width, height: image.height, onto: session.transform)
    let corners = extent.polygon.rings[0].coordinates.dropLast().map { session.transform($0) }
    return .image(
      image,
      ImagePlacement(
        transform: transform, area: PixelPath([Array(corners)], isClosed: true), isSmooth: true))
  }
}
