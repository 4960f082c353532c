/// What of writing has to be known to place letters one by one.
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
}
