internal import Foundation
internal import PortolanApp
internal import PortolanMap

/// The picture beside a line of a legend.
struct SwatchPicture {
  private static let columns = 4

  private let image: PicturePixels

  /// `nil` if nothing is drawn there.
  init?(_ swatch: LegendInfo.Swatch, of legend: LegendModel) {
    let data = legend.picture(of: swatch, width: 32, height: 16, pixelRatio: 2)
    guard let image = data.flatMap(PicturePixels.init) else { return nil }
    self.image = image
  }

  /// The PNG file as an address that holds it.
  var dataURL: String { "data:image/png;base64," + image.pngData.base64EncodedString() }

  /// The picture within a line; `nil` where the terminal has only letters.
  func text(in format: TerminalPictureFormat) -> String? {
    guard format != .letters else { return nil }
    // Sixels would begin a line of their own.
    let format = format == .sixel ? .blocksIn256Colors : format
    return TerminalPicture(
      image: image, format: format, columns: Self.columns, rows: 1
    ).lines.first
  }
}
