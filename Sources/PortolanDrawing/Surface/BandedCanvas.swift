internal import CCairo
package import Foundation
package import PortolanImages

/// The canvas of a picture: bands of rows, drawn at the same time, or one document.
///
/// Each band gets all steps and leaves out what is not on its rows, so the picture is the same for
/// any number of bands.
package struct BandedCanvas: Sendable {
  /// The kind of a surface.
  package enum Kind: Sendable {
    case pixels
    case svg
    /// A document of one page.
    case pdf
  }

  package let kind: Kind
  private let width: Int
  private let height: Int
  private let bands: [PictureBand]

  package init(
    width: Int, height: Int, kind: Kind, concurrency: Int,
    pointsPerPixel: Double = 0.75, isSeamless: Bool = false
  ) throws(RenderingError) {
    self.kind = kind
    self.width = width
    self.height = height
    if kind == .svg {
      bands = [try PictureBand(svgWidth: width, height: height)]
    } else if kind == .pdf {
      bands = [
        try PictureBand(pdfWidth: width, height: height, pointsPerPixel: pointsPerPixel)
      ]
    } else {
      // Bands are made of rows that are compressed as one, so that the file does not depend on them.
      let unit = CompressedRows.rowCount(width: width)
      let units = (height + unit - 1) / unit
      let count = min(max(concurrency, 1), 64, units)
      var bands: [PictureBand] = []
      for index in 0..<count {
        let rows = (units * index / count * unit)..<min(units * (index + 1) / count * unit, height)
        bands.append(try PictureBand(width: width, rows: rows, isSeamless: isSeamless))
      }
      self.bands = bands
    }
  }

  /// Draws on all bands at the same time.
  package func draw(_ commands: [DrawCommand]) async {
    guard !commands.isEmpty else { return }
    let prepared = prepared(commands)
    _ = await allBands { await $0.draw(prepared) }
  }

  /// Begins to draw: on each band behind what it draws already, so that a band with less to do does
  /// not wait for the others.
  package func begin(_ commands: [DrawCommand], behind earlier: DrawingBatch?) -> DrawingBatch {
    let preparation = Task { prepared(commands) }
    let drawings = bands.indices.map { index in
      Task { [band = bands[index]] in
        let commands = await preparation.value
        await earlier?.bands[index].value
        guard !Task.isCancelled else { return }
        await band.draw(commands)
      }
    }
    return DrawingBatch(
      bands: drawings, partCount: commands.reduce(0) { $0 + $1.partCount })
  }

  /// Most steps are ready; what is not copied need not be counted by all bands.
  private func prepared(_ commands: [DrawCommand]) -> [DrawCommand] {
    var prepared = commands
    for index in prepared.indices where !prepared[index].isPrepared {
      prepared[index] = prepared[index].prepared(forDocument: kind == .svg)
    }
    return prepared
  }

  /// The encoded picture.
  package func data() async throws(RenderingError) -> Data {
    if kind != .pixels { return try await bands[0].documentData() }
    let hasAlpha = await !allBands { await $0.isOpaque() }.allSatisfy(\.self)
    let parts = await allBands { await $0.packedRows(hasAlpha: hasAlpha) }
    guard parts.allSatisfy({ $0 != nil }) else { throw .outOfMemory }
    return PNGEncoder.file(
      parts.flatMap { $0 ?? [] }, width: width, height: height, hasAlpha: hasAlpha)
  }

  /// The answers of all bands, from the top, requested at the same time.
  private func allBands<Answer: Sendable>(
    _ ask: @escaping @Sendable (PictureBand) async -> Answer
  ) async -> [Answer] {
    guard bands.count > 1 else { return [await ask(bands[0])] }
    return await withTaskGroup(of: (Int, Answer).self) { group in
      for (index, band) in bands.enumerated() { group.addTask { (index, await ask(band)) } }
      let answers = await group.reduce(into: []) { $0.append($1) }
      return answers.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  /// The pixels of all bands, or those in a box.
  package func image(in box: PixelBox? = nil) async throws(RenderingError) -> PixelImage {
    let box = box ?? PixelBox(columns: 0..<width, rows: 0..<height)
    var pixels: [UInt32] = []
    pixels.reserveCapacity(box.columns.count * box.rows.count)
    // Large pictures take long to copy: each pixel goes straight to its place.
    for band in bands { await band.append(box, to: &pixels) }
    let image = PixelImage(width: box.columns.count, height: box.rows.count, pixels: pixels)
    guard let image else { throw .outOfMemory }
    return image
  }
}

/// Some rows of a picture, or a whole document.
private actor PictureBand {
  private let surface: PictureSurface

  init(width: Int, rows: Range<Int>, isSeamless: Bool) throws(RenderingError) {
    surface = try PictureSurface(width: width, rows: rows, isSeamless: isSeamless)
  }

  init(svgWidth: Int, height: Int) throws(RenderingError) {
    surface = try PictureSurface(svgWidth: svgWidth, height: height)
  }

  init(pdfWidth: Int, height: Int, pointsPerPixel: Double) throws(RenderingError) {
    surface = try PictureSurface(
      pdfWidth: pdfWidth, height: height, pointsPerPixel: pointsPerPixel)
  }

  func draw(_ commands: [DrawCommand]) { surface.draw(commands) }

  func append(_ box: PixelBox, to pixels: inout [UInt32]) { surface.append(box, to: &pixels) }

  func isOpaque() -> Bool { surface.isOpaque }

  func packedRows(hasAlpha: Bool) -> [CompressedRows]? { surface.packedRows(hasAlpha: hasAlpha) }

  func documentData() throws(RenderingError) -> Data { try surface.documentData() }
}
