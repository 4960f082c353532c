internal import Foundation
internal import PortolanMap
internal import PortolanRendering

/// The picture beside a line of a legend.
struct SwatchPicture {
  private static let columns = 4

  private let image: PixelImage
  private let pngData: Data

  /// `nil` if nothing is drawn there.
  init?(_ swatch: LegendInfo.Swatch) {
    let renderer = SwatchRenderer(width: 32, height: 16, pixelRatio: 2)
    // A line whose symbol cannot be drawn has its words.
    guard let image = try? renderer.image(of: swatch), let data = try? image.pngData() else {
      return nil
    }
    self.image = image
    pngData = data
  }

  /// The PNG file as an address that holds it.
  var dataURL: String { "data:image/png;base64," + pngData.base64EncodedString() }

  /// The picture within a line; `nil` where the terminal has only letters.
  func text(in format: TerminalPictureFormat) -> String? {
    guard format != .letters else { return nil }
    // Sixels would begin a line of their own.
    let format = format == .sixel ? .blocksIn256Colors : format
    return TerminalPicture(
      image: image, pngData: pngData, format: format, columns: Self.columns, rows: 1
    ).lines.first
  }
}
