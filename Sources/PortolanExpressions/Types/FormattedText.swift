/// A text in sections of different looks.
package struct FormattedText: Hashable, Sendable {
  /// A part of one look.
  package struct Section: Hashable, Sendable {
    /// What is written.
    package var text: String
    /// The icon that replaces the text.
    package var image: ResolvedImage?
    /// The size as a share of that of the whole.
    package var scale: Double?
    /// The fonts, joined by commas.
    package var fontStack: String?
    /// The color, if it is not that of the whole.
    package var color: StyleColor?
    /// How the section stands to the others: `bottom`, `center` or `top`.
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
