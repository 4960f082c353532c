/// A text in sections of different looks.
package struct FormattedText: Hashable, Sendable {
  /// A part of one look.
  package struct Section: Hashable, Sendable {
    /// The text of the section.
    package var text: String
    /// The icon that replaces the text.
    package var image: ResolvedImage?
    /// The size as a share of that of the whole.
    package var scale: Double?
    /// The fonts, joined by commas.
    package var fontStack: String?
    /// The color, if it is not that of the whole.
    package var color: StyleColor?
    /// The vertical alignment of the section with the others: `bottom`, `center` or `top`.
    package var verticalAlignment: String?
  }

  /// The parts, first to last.
  package var sections: [Section]

  /// The text without its looks.
  package var text: String { sections.map(\.text).joined() }

  /// A text in one look.
  package init(_ text: String) { sections = [Section(text: text)] }

  init(sections: [Section]) { self.sections = sections }
}
