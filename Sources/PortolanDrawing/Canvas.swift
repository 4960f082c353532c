internal import CCairo
public import Foundation
public import PortolanGeometry
public import PortolanImages
public import PortolanMap

/// A picture of an extent of the map, drawn shape by shape.
///
/// Coordinates are map coordinates; x grows to the right and y upwards. The same calls give
/// the same picture. Drawing is smoothed at edges; what lies outside the picture is cut off.
///
/// - SeeAlso: [cairo](https://www.cairographics.org/manual/)
@safe
public struct Canvas: ~Copyable {
  /// The greatest width and height, in pixels.
  public static let maximumSide = PixelImage.maximumSide

  private let surface: OpaquePointer
  private let context: OpaquePointer
  private let extent: Envelope
  private let scaleX: Double
  private let scaleY: Double

  /// Creates a picture of `extent`, filled with `background`.
  ///
  /// - Parameters:
  ///   - extent: The extent shown; must not be empty.
  ///   - width: In pixels, from 1 to ``maximumSide``.
  ///   - height: In pixels, from 1 to ``maximumSide``.
  ///   - background: The colour to begin with.
  /// - Throws: `RenderingError.unusableSize(width:height:)` for other sizes or an empty extent.
  public init(
    of extent: Envelope, width: Int, height: Int, background: RGBAColor
  ) throws(RenderingError) {
    let sides = 1...Self.maximumSide
    guard sides.contains(width), sides.contains(height), extent.width > 0, extent.height > 0 else {
      throw .unusableSize(width: width, height: height)
    }
    let surface = unsafe cairo_image_surface_create(
      CAIRO_FORMAT_ARGB32, Int32(width), Int32(height))
    guard let surface = unsafe surface, let context = unsafe cairo_create(surface) else {
      throw .outOfMemory
    }
    unsafe self.surface = surface
    unsafe self.context = context
    self.extent = extent
    scaleX = Double(width) / extent.width
    scaleY = Double(height) / extent.height
    setSource(background)
    unsafe cairo_paint(context)
    // Round joins never stick out, however sharp the corner.
    unsafe cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    unsafe cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
  }

  deinit {
    unsafe cairo_destroy(context)
    unsafe cairo_surface_destroy(surface)
  }

  /// Fills the inside of a polygon; holes stay as they were.
  public func fill(_ polygon: Polygon, _ color: RGBAColor) {
    for ring in polygon.rings { addPath(ring, closed: true) }
    setSource(color)
    unsafe cairo_set_fill_rule(context, CAIRO_FILL_RULE_EVEN_ODD)
    unsafe cairo_fill(context)
  }

  /// Draws along paths.
  ///
  /// - Parameters:
  ///   - paths: The lines, or the rings of a polygon.
  ///   - color: The colour.
  ///   - width: In pixels.
  ///   - dashes: Lengths of dashes and gaps in turn, in pixels; empty for a line without gaps.
  public func stroke(
    _ paths: [Path], _ color: RGBAColor, width: Double, dashes: [Double] = []
  ) {
    for path in paths { addPath(path, closed: path.isClosed) }
    setSource(color)
    unsafe cairo_set_line_width(context, max(0, width))
    unsafe dashes.withUnsafeBufferPointer { dashes in
      unsafe cairo_set_dash(context, dashes.baseAddress, Int32(dashes.count), 0)
    }
    unsafe cairo_stroke(context)
  }

  /// The picture as a PNG file.
  ///
  /// Merging shades makes the files of maps smaller.
  ///
  /// - Parameter mergesShades: Whether shades that hardly anyone can tell apart become one, if
  ///   that leaves few enough for a palette. Opacity is kept.
  /// - Returns: The file.
  /// - Throws: `RenderingError` if the picture cannot be encoded.
  public func pngData(mergesShades: Bool = false) throws(RenderingError) -> Data {
    guard let image = unsafe PixelImage(copying: surface) else {
      let status = unsafe cairo_surface_status(surface)
      throw .notEncoded(reason: unsafe String(cString: cairo_status_to_string(status)))
    }
    return try PNGEncoder.encode(image, mask: mergesShades ? 0xFFFC_FCFC : .max)
  }

  private func addPath(_ path: Path, closed: Bool) {
    for (index, coordinate) in path.coordinates.enumerated() {
      let x = (coordinate.x - extent.xMin) * scaleX
      let y = (extent.yMax - coordinate.y) * scaleY
      guard x.isFinite, y.isFinite else { continue }
      unsafe index == 0 ? cairo_move_to(context, x, y) : cairo_line_to(context, x, y)
    }
    if closed { unsafe cairo_close_path(context) }
  }

  private func setSource(_ color: RGBAColor) {
    unsafe cairo_set_source_rgba(
      context, Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255,
      Double(color.alpha) / 255)
  }
}
