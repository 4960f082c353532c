internal import PortolanApp

/// The bookmark that a command names.
struct BookmarkChoice {
  static let bookmark = Parameter.argument(
    "BOOKMARK", "The name or the number of a bookmark.", completion: .word(.bookmark))

  private let name: String

  init(_ arguments: Arguments) throws(UsageError) {
    name = try arguments.required(Self.bookmark, as: .text)
  }

  /// The place in the list: by name without case, else by number.
  func index(in state: BookmarksModel.State) throws -> Int {
    let names = state.bookmarks.map(\.name)
    if let index = names.firstIndex(where: { $0.lowercased() == name.lowercased() }) {
      return index
    }
    if let number = Int(name), number > 0 { return number - 1 }
    throw Failure(
      .noSuchBookmark, "There is no bookmark \"\(name)\".",
      suggestion: Suggestion.sentence(for: name, orListing: names)
        ?? "The map has no bookmarks.", status: .notFound)
  }
}
