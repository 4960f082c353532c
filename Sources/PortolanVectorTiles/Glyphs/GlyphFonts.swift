internal import Foundation
internal import PortolanImages
package import PortolanTileFiles
internal import PortolanTiles

/// The glyphs of a package of vector tiles, read as texts need them.
package final class GlyphFonts {
  /// The maximum number of ranges that a picture may request of a package: 256 glyphs each, of all
  /// fonts.
  private static let maximumRanges = 256

  private struct Range: Hashable {
    var stack: String
    var number: UInt32
  }

  private let read: (String, ClosedRange<Int>) throws(TileError) -> Data?
  private var ranges: [Range: [UInt32: GlyphShape]] = [:]
  /// The problems with fonts, in clauses for people.
  package private(set) var problems: Set<String> = []

  /// The glyphs of a package.
  package convenience init(_ package: VectorTilePackage) {
    self.init { stack, range throws(TileError) in
      try package.glyphs(fontStack: stack, range: range)
    }
  }

  /// Glyphs as `read` has them for fonts and ranges of code points; `nil` for those it lacks.
  init(read: @escaping (String, ClosedRange<Int>) throws(TileError) -> Data?) {
    self.read = read
  }

  /// The glyph of a code point; `nil` if none of the fonts has it.
  func glyph(_ scalar: Unicode.Scalar, in stack: String) -> GlyphShape? {
    glyphs(Range(stack: stack, number: scalar.value / 256))[scalar.value]
  }

  private func glyphs(_ range: Range) -> [UInt32: GlyphShape] {
    if let known = ranges[range] { return known }
    guard ranges.count < Self.maximumRanges else {
      problems.insert("its texts are in too many fonts")
      return [:]
    }
    var glyphs: [UInt32: GlyphShape] = [:]
    do {
      let first = Int(range.number) * 256
      let data = try read(range.stack, first...(first + 255))
      glyphs =
        try data.map { data throws(ImageDecodingError) in try GlyphReader.glyphs(data) } ?? [:]
    } catch {
      problems.insert("glyphs of its font \"\(range.stack.prefix(80))\" cannot be read")
    }
    ranges[range] = glyphs
    return glyphs
  }
}
