internal import PortolanDrawing

/// A letter as vector tile packages hold it: how far each pixel is from the edge of the letter.
///
/// A pixel of 192 is on the edge, greater ones are inside; 32 are one pixel of distance.
package struct GlyphShape: Hashable, Sendable {
  /// The pixels of an em.
  static let em = GlyphText.em
  /// The pixels around the letter on each side, which are beyond its width and height.
  static let border = 3
  /// The pixel that is just on the edge.
  static let edge = 191.25
  /// What a pixel of distance makes.
  static let slope = 255.0 / 8

  /// The code point.
  var scalar: UInt32
  /// Of the letter, without the border.
  var width: Int
  /// Of the letter, without the border.
  var height: Int
  /// From the pen to the letter.
  var left: Int
  /// From the top of the line up to the letter, mostly negative.
  var top: Int
  /// From this pen to the next.
  var advance: Int
  /// Row by row with the border; empty for blanks.
  var pixels: [UInt8]
  /// In which direction the text runs at this letter: odd levels run from right to left.
  var level = 0
  /// How large the letter is, as a share of the text.
  var scale = 1.0
  /// The number of the section of the text that the letter is in.
  var section = 0
  /// Whether an icon stands here, whose width and height are the letter's.
  var isIcon = false
  /// Whether the letter stands upright in a text that is written downwards.
  var isUpright = false

  /// The share of an em that a line is high for the letter.
  var lineScale: Double { isIcon ? max(Double(height) * scale / Self.em, 1) : scale }
}
