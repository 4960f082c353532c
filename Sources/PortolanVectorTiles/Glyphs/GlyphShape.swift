internal import PortolanDrawing
internal import PortolanGeometry

/// A glyph as vector tile packages hold it, a signed distance field: how far each pixel is from the edge
/// of the glyph.
package struct GlyphShape: Hashable, Sendable {
  /// The pixels of an em.
  static let em = GlyphText.em
  /// The pixels around the glyph on each side, which are beyond its width and height.
  static let border = 3
  /// The code point.
  var scalar: UInt32
  /// Of the glyph, without the border.
  var width: Int
  /// Of the glyph, without the border.
  var height: Int
  /// The distance from the pen to the glyph.
  var left: Int
  /// The distance from the top of the line up to the glyph, mostly negative.
  var top: Int
  /// The distance from this pen to the next.
  var advance: Int
  /// The distances with the border; `nil` for blanks.
  var field: DistanceField?
  /// The direction of the text at this glyph: odd levels run from right to left.
  var level = 0
  /// The size of the glyph, as a share of the text's.
  var scale = 1.0
  /// The number of the section of the text that the glyph is in.
  var section = 0
  /// The width and height of the icon; `nil` for glyphs.
  var iconSize: Coordinate?
  /// Whether the glyph is upright in a text that is written downwards.
  var isUpright = false

  /// The distance from this pen to the next, for icons too, before it is scaled.
  var penWidth: Double { iconSize?.x ?? Double(advance) }
  /// The size as a share of that of the text; icons count as glyphs of that size.
  var fontScale: Double { iconSize == nil ? scale : 1 }
  /// The height of the icon in pixels of an em of 24; 0 for glyphs.
  var iconHeight: Double { (iconSize?.y ?? 0) * scale }
}
