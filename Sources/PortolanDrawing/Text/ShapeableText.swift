/// A text that is short enough to be shaped, whatever a file holds.
///
/// Shaping takes time that grows faster than the text where many marks are on one letter.
package struct ShapeableText {
  /// The most characters, as Unicode counts scalars.
  static let maximumLength = 2000
  /// The most marks on one letter; scripts that people write have up to four.
  static let maximumMarks = 8

  /// The text, without what is too much.
  package let text: String
  /// Whether anything was left out.
  package let isCut: Bool

  /// Cuts a text.
  package init(_ text: String) {
    guard text.utf8.count > Self.maximumMarks else {
      self.text = text
      isCut = false
      return
    }
    var kept = String.UnicodeScalarView()
    var (count, marks, isCut) = (0, 0, false)
    // The number of dropped characters is bounded too, so that a text of nothing but marks is not
    // read to its end.
    for (position, scalar) in text.unicodeScalars.enumerated() {
      guard count < Self.maximumLength, position < Self.maximumLength * 4 else {
        isCut = true
        break
      }
      marks = scalar.isMark ? marks + 1 : 0
      guard marks <= Self.maximumMarks else {
        isCut = true
        continue
      }
      kept.append(scalar)
      count += 1
    }
    self.text = isCut ? String(kept) : text
    self.isCut = isCut
  }
}

extension Unicode.Scalar {
  /// Whether it is a mark on the letter before it.
  fileprivate var isMark: Bool {
    guard value >= 0x300 else { return false }
    return switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }
}
