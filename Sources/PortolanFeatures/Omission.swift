/// Something of a table that a file format has no place for, and that was therefore left out.
///
/// Writers return what they left out, so that a conversion can report it. Nothing of it
/// is an error: the rest of the table is complete.
public struct Omission: Hashable, Sendable, Codable {
  /// The content that was left out.
  public enum Content: Hashable, Sendable, Codable {
    /// The kinds of feature, with the domains and templates of each.
    case subtypes
    /// The templates for new features.
    case templates
    /// How features are drawn.
    case drawing
    /// A relation to another table, by its name.
    case relationship(String)
    /// The limits on the values of a field.
    case domain(field: String)
    /// The value that a new feature gets in a field.
    case defaultValue(field: String)
    /// Values of a field, of so many rows, that the field in the file cannot take.
    case values(field: String, rowCount: Int)
    /// The files attached to features, of which there are so many.
    case attachments(count: Int)
    /// What each row was before it was changed, and which rows are new since the last
    /// synchronization.
    case history
    /// The names of the fields that record who edited when.
    case editorTracking
    /// Heights or measures of the shapes.
    case heightsOrMeasures
    /// The spatial reference of the coordinates.
    case spatialReference
  }

  /// The table.
  public var table: String
  /// The content that was left out.
  public var content: Content

  /// Creates an omission.
  public init(table: String, _ content: Content) {
    self.table = table
    self.content = content
  }

  /// A description, in a sentence for people.
  public var summary: String { "\"\(table)\": \(content.summary)." }
}

extension Omission.Content {
  /// A description without the table, in words for people.
  public var summary: String {
    switch self {
    case .subtypes: "its subtypes"
    case .templates: "the templates for new features"
    case .drawing: "how features are drawn"
    case .relationship(let name): "the relation \"\(name)\""
    case .domain(let field): "the limits on the values of \"\(field)\""
    case .defaultValue(let field): "the default value of \"\(field)\""
    case .values(let field, let count): "values of \"\(field)\" in \(Self.rows(count))"
    case .attachments(let count): count == 1 ? "1 attachment" : "\(count) attachments"
    case .history: "the history of its rows"
    case .editorTracking: "which fields record who edited when"
    case .heightsOrMeasures: "heights or measures of its shapes"
    case .spatialReference: "its spatial reference"
    }
  }

  private static func rows(_ count: Int) -> String { count == 1 ? "1 row" : "\(count) rows" }
}
