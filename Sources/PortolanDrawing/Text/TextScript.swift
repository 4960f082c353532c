/// The properties of scripts that matter for placing letters one by one.
package enum TextScript {
  /// Whether letters take shapes that depend on their neighbours, other than Arabic ones.
  package static func needsShaping(_ text: String) -> Bool {
    text.unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0x0300...0x036F, 0x0700...0x074F, 0x0780...0x109F, 0x1780...0x17FF, 0x1A00...0x1CFF,
        0xA800...0xABFF, 0x1F000...:
        true
      default: false
      }
    }
  }

  /// Whether nothing is drawn for it and nothing moves.
  package static func isSilent(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...9, 0x0B...0x1F, 0x7F...0x9F, 0xAD, 0x200B...0x200F, 0x2028...0x202E,
      0x2060...0x2064, 0xFE00...0xFE0F, 0xFEFF:
      true
    default: false
    }
  }

  package static func isLineBreak(_ scalar: Unicode.Scalar) -> Bool { scalar.value == 10 }

  /// Whether a letter is upright where text is written downwards; the others lie on their side.
  ///
  /// - SeeAlso: [Unicode vertical text layout](https://www.unicode.org/reports/tr50/)
  package static func standsUpright(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // Brackets, dashes and the like are turned with the line.
    case 0x3008...0x3011, 0x3014...0x301F, 0x3030, 0x30FC, 0xFE49...0xFE4F, 0xFE58...0xFE5E,
      0xFE63...0xFE66, 0xFF08, 0xFF09, 0xFF0D, 0xFF1A...0xFF1E, 0xFF3B, 0xFF3D, 0xFF3F,
      0xFF5B...0xFFDF, 0xFFE3, 0xFFE8...0xFFEF:
      false
    case 0x02EA, 0x02EB, 0x1100...0x11FF, 0x1400...0x167F, 0x18B0...0x18FF, 0x2E80...0x30FF,
      0x3100...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFE10...0xFE1F,
      0xFE30...0xFE6F, 0xFF00...0xFFEF:
      true
    default: false
    }
  }
}
