/// A table that a file lists and that cannot be shown, or not whole.
public struct TableGap: Hashable, Sendable {
  /// The content that is not shown.
  public enum Content: Hashable, Sendable {
    /// All of a view that names subqueries, which may call themselves without end, or that reads such a view.
    case viewOfSubqueries
    /// All of a view of what is not in the file, or that calls a function of another program.
    case brokenView
    /// The shapes, which are all of a kind that is not read, such as multipatches or collections.
    case shapes
  }

  /// The name of the table or view.
  public var table: String
  /// The content that is not shown.
  public var content: Content

  /// Describes a gap.
  public init(table: String, _ content: Content) {
    self.table = table
    self.content = content
  }

  /// The content that is not shown and the reason, in a sentence for people.
  public var summary: String {
    switch content {
    case .viewOfSubqueries:
      "The view \"\(table)\" is left out: it, or a view that it reads, names subqueries (WITH), which may "
        + "run without end."
    case .brokenView:
      "The view \"\(table)\" is left out: it names what is not in the file, or cannot be called."
    case .shapes:
      "The rows of \"\(table)\" are read without their shapes, which are of a kind that is not "
        + "supported, such as multipatches or collections."
    }
  }
}

/// A store that lists tables that it cannot show, or not whole.
public protocol GapListingStore: FeatureStore {
  /// What the tables do not show, in the order of the store.
  @concurrent func gaps() async throws(FeatureStoreError) -> [TableGap]
}
