public import Foundation
public import PortolanMap
internal import PortolanRendering

extension LegendInfo.Swatch {
  /// The picture beside the line as a PNG file; `nil` if nothing is drawn there.
  ///
  /// Pictures are drawn when they are asked for; keep them as long as the line is shown.
  ///
  /// - Parameters:
  ///   - width: The width, in points of 1/96 inch.
  ///   - height: The height, in points of 1/96 inch.
  ///   - pixelRatio: The pixels along a point.
  /// - Returns: The file.
  public func pngData(width: Double = 24, height: Double = 24, pixelRatio: Double = 1) -> Data? {
    let renderer = SwatchRenderer(width: width, height: height, pixelRatio: pixelRatio)
    // A size that cannot be drawn leaves the line without a picture.
    return try? renderer.pngData(of: self)
  }
}
