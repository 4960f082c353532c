internal import CCairo
internal import Foundation

/// What a picture is drawn on: bands of rows, drawn at the same time, or one document.
///
/// Each band gets all steps and leaves out what is not on its rows, so the picture is the same for
/// any number of bands.
struct BandedCanvas: Sendable {
  let format: MapPicture.Format
  private let width: Int
  private let height: Int
  private let bands: [PictureBand]

  init(
    width: Int, height: Int, format: MapPicture.Format, concurrency: Int
  ) throws(RenderingError) {
    self.format = format
    self.width = width
    self.height = height
    if format == .svg {
      bands = [try PictureBand(svgWidth: width, height: height)]
    } else {
      let count = min(max(concurrency, 1), 64, height)
      var bands: [PictureBand] = []
      for index in 0..<count {
        let rows = (height * index / count)..<(height * (index + 1) / count)
        bands.append(try PictureBand(width: width, rows: rows))
      }
      self.bands = bands
    }
  }

  /// Draws on all bands at the same time.
  func draw(_ commands: [DrawCommand]) async {
    guard !commands.isEmpty else { return }
    guard bands.count > 1 else { return await bands[0].draw(commands) }
    await withTaskGroup(of: Void.self) { group in
      for band in bands { group.addTask { await band.draw(commands) } }
    }
  }

  /// The encoded picture.
  func data() async throws(RenderingError) -> Data {
    if format == .svg { return try await bands[0].documentData() }
    return try PNGEncoder.encode(try await image())
  }

  /// The pixels of all bands.
  func image() async throws(RenderingError) -> PixelImage {
    var pixels: [UInt32] = []
    pixels.reserveCapacity(width * height)
    for band in bands { pixels += await band.pixels() }
    guard let image = PixelImage(width: width, height: height, pixels: pixels) else {
      throw .outOfMemory
    }
    return image
  }
}

/// Some rows of a picture, or a whole document.
private actor PictureBand {
  private let surface: PictureSurface

  init(width: Int, rows: Range<Int>) throws(RenderingError) {
    surface = try PictureSurface(width: width, rows: rows)
  }

  init(svgWidth: Int, height: Int) throws(RenderingError) {
    surface = try PictureSurface(svgWidth: svgWidth, height: height)
  }

  func draw(_ commands: [DrawCommand]) { surface.draw(commands) }

  func pixels() -> [UInt32] { surface.image()?.pixels ?? [] }

  func documentData() throws(RenderingError) -> Data { try surface.documentData() }
}
