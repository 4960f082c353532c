/// Rows and columns of text.
public struct TextTable: Hashable, Sendable {
  /// The alignment of the text of a column.
  public enum Alignment: Hashable, Sendable {
    case left
    case right
  }

  /// The head of a column.
  public struct Column: Hashable, Sendable {
    /// The title.
    public var title: String
    /// The alignment of its text.
    public var alignment: Alignment
    /// Whether long cells may be cut where the width does not suffice.
    public var mayBeCut: Bool
    /// The width to which cells are cut before those of other columns are; `nil` if they are not.
    public var shortWidth: Int?

    /// Creates a column.
    public init(_ title: String, _ alignment: Alignment = .left, mayBeCut: Bool = true) {
      self.title = title
      self.alignment = alignment
      self.mayBeCut = mayBeCut
    }

    /// A column of ids; the beginning of one is enough to name it.
    public static let id: Column = {
      var column = Column("id", mayBeCut: false)
      column.shortWidth = 9
      return column
    }()
  }

  /// As much of a cell as people need to make sense of it; for more, ids are not shortened.
  private static let usefulWidth = 24

  /// The columns.
  public var columns: [Column]
  /// The cells, row by row.
  public var rows: [[String]]

  /// Creates a table.
  public init(_ columns: [Column], rows: [[String]] = []) {
    self.columns = columns
    self.rows = rows
  }

  /// The lines of the table, the titles first, in at most `width` columns of a terminal where given.
  ///
  /// If the width does not suffice, ids are shortened as long as other columns lack a useful width,
  /// then the widest columns are; cells that are cut end in an ellipsis. On a terminal, where there
  /// is a width, a cell with letters from right to left is a piece of its own.
  func lines(width: Int?) -> [String] {
    let widths = columnWidths(within: width)
    return ([columns.map(\.title)] + rows).map { row in
      let cells = zip(zip(row, widths), columns).map { pair, column in
        Self.pad(pair.0, to: pair.1, column.alignment, isolating: width != nil)
      }
      return cells.joined(separator: "  ").withoutBlanksAtEnd
    }
  }

  private func columnWidths(within width: Int?) -> [Int] {
    var widths = columns.indices.map { index in
      ([columns[index].title] + rows.compactMap { $0.indices.contains(index) ? $0[index] : nil })
        .map { Self.singleLine($0).terminalWidth }.max() ?? 0
    }
    guard let width else { return widths }
    let available = width - 2 * (widths.count - 1)
    for index in columns.indices {
      guard let short = columns[index].shortWidth else { continue }
      let needed = columns.indices.map { other in
        columns[other].mayBeCut ? min(widths[other], Self.usefulWidth) : widths[other]
      }
      let excess = needed.reduce(0, +) - available
      if excess > 0, widths[index] > short { widths[index] = max(widths[index] - excess, short) }
    }
    let flexible = columns.indices.filter { columns[$0].mayBeCut }
    let fixed = columns.indices.filter { !columns[$0].mayBeCut }.reduce(0) { $0 + widths[$1] }
    let room = max(available - fixed, flexible.count)
    let fair = max(room / max(flexible.count, 1), 1)
    func total() -> Int { flexible.reduce(0) { $0 + widths[$1] } }
    while total() > room, let widest = flexible.map({ widths[$0] }).max(), widest > fair {
      for index in flexible where widths[index] == widest {
        widths[index] -= 1
        if total() <= room { break }
      }
    }
    return widths
  }

  private static func pad(
    _ text: String, to width: Int, _ alignment: Alignment, isolating: Bool
  ) -> String {
    var text = singleLine(text)
    if text.terminalWidth > width { text = text.prefix(columns: max(width - 1, 0)) + "…" }
    let blanks = String(repeating: " ", count: max(0, width - text.terminalWidth))
    if isolating { text = text.isolated }
    return alignment == .left ? text + blanks : blanks + text
  }

  /// Line breaks and other control characters would tear the table, or reach the terminal.
  private static func singleLine(_ text: String) -> String { text.withoutControlCharacters }
}
