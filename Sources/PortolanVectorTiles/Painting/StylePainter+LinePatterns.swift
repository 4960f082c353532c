internal import Foundation
internal import PortolanDrawing
internal import PortolanExpressions
internal import PortolanGeometry
internal import PortolanImages

extension StylePainter {
  /// Copies of an icon one after the other along a line, bent with it.
  ///
  /// They are as long as the icon and grow with the map until the next zoom; narrower lines show the
  /// middle of the icon, wider ones stretch it. As in MapLibre the top of the icon is on the right
  /// side of the line, and a line with a gap shows the icon without what would be in the gap.
  func linePattern(
    _ name: String, _ layer: StyleLayer, _ path: PixelPath, _ style: StrokeStyle,
    _ context: EvaluationContext
  ) -> [DrawCommand] {
    guard let icon = icons.icon(name) else {
      drawing.omissions.add("there is no icon \"\(name.prefix(100))\"", layer: title)
      return []
    }
    let scale = ratio / icon.pixelRatio
    let natural = Double(icon.image.height) * scale
    let growth = exp2(zoom - zoom.rounded(.down))
    let width = style.gapWidth > 0 ? style.gapWidth + 2 * style.width : style.width
    let tile = FillStyle.PictureTile(
      image: icon.image.upsideDown, width: max(Double(icon.image.width) * scale * growth, 1),
      height: width > natural + 2 * ratio ? width : natural, angle: 0,
      opacity: min(max(layer.number("line-opacity", context, or: 1), 0), 1),
      origin: Coordinate(x: 0, y: 0))
    let picture = Envelope(
      xMin: 0, yMin: 0, xMax: Double(drawing.width), yMax: Double(drawing.height))
    return DrawCommand.pictures(tile, along: path, style, seenIn: picture)
  }
}

extension PixelImage {
  /// The picture with its last row first.
  fileprivate var upsideDown: PixelImage {
    let rows = (0..<height).reversed().flatMap { pixels[$0 * width..<($0 + 1) * width] }
    return PixelImage(width: width, height: height, pixels: rows) ?? self
  }
}
