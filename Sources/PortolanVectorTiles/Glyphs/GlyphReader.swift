internal import Foundation
internal import PortolanDrawing
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanImages
internal import PortolanProtobuf

/// Reads the shapes of glyphs that styles of vector tiles name as `glyphs`.
///
/// - SeeAlso: [Glyphs](https://maplibre.org/maplibre-style-spec/glyphs/)
enum GlyphReader {
  /// A range has 256 glyphs.
  private static let maximumGlyphs = 1024
  /// Glyphs of an em of 24 pixels are not larger.
  private static let maximumSide: UInt64 = 256

  /// Reads a range of glyphs, by their code points.
  static func glyphs(_ data: Data) throws(ImageDecodingError) -> [UInt32: GlyphShape] {
    do {
      return try unsafe data.withUnsafeBytes { bytes in
        var glyphs: [UInt32: GlyphShape] = [:]
        var message = unsafe PBFCursor(bytes)
        while !message.isAtEnd {
          let tag = try message.tag()
          if tag.field == 1, tag.type == .lengthDelimited {
            try addStack(try message.message(), to: &glyphs)
          } else {
            try message.skip(tag.type)
          }
        }
        return glyphs
      }
    } catch {
      throw .damaged
    }
  }

  private static func addStack(
    _ message: PBFCursor, to glyphs: inout [UInt32: GlyphShape]
  ) throws {
    var message = message
    while !message.isAtEnd {
      let tag = try message.tag()
      guard tag.field == 3, tag.type == .lengthDelimited else {
        try message.skip(tag.type)
        continue
      }
      guard glyphs.count < maximumGlyphs else { throw ImageDecodingError.damaged }
      let glyph = try glyph(try message.message())
      glyphs[glyph.scalar] = glyph
    }
  }

  private static func glyph(_ message: PBFCursor) throws -> GlyphShape {
    var message = message
    var glyph = GlyphShape(scalar: 0, width: 0, height: 0, left: 0, top: 0, advance: 0)
    var pixels: [UInt8] = []
    while !message.isAtEnd {
      let tag = try message.tag()
      switch (tag.field, tag.type) {
      case (1, .varint):
        glyph.scalar = UInt32(clamping: try message.varint())
      case (2, .lengthDelimited): pixels = try message.byteList()
      case (3, .varint): glyph.width = try size(try message.varint())
      case (4, .varint): glyph.height = try size(try message.varint())
      case (5, .varint): glyph.left = try place(try message.zigzag())
      case (6, .varint): glyph.top = try place(try message.zigzag())
      case (7, .varint): glyph.advance = try size(try message.varint())
      default: try message.skip(tag.type)
      }
    }
    return try complete(glyph, pixels)
  }

  /// Blanks may lack pixels; all others must have as many as their sides tell.
  private static func complete(_ glyph: GlyphShape, _ pixels: [UInt8]) throws -> GlyphShape {
    guard glyph.width > 0, glyph.height > 0, !pixels.isEmpty else { return glyph }
    var glyph = glyph
    let border = GlyphShape.border
    glyph.field = DistanceField(
      width: glyph.width + 2 * border, height: glyph.height + 2 * border,
      corner: Coordinate(x: Double(glyph.left - border), y: Double(-glyph.top - border)),
      distances: pixels)
    guard glyph.field != nil else { throw ImageDecodingError.damaged }
    return glyph
  }

  private static func size(_ value: UInt64) throws -> Int {
    guard value <= maximumSide else { throw ImageDecodingError.damaged }
    return Int(value)
  }

  private static func place(_ value: Int64) throws -> Int {
    guard value.magnitude <= maximumSide else { throw ImageDecodingError.damaged }
    return Int(value)
  }
}
