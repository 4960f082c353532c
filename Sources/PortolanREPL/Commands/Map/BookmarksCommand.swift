internal import PortolanApp
internal import PortolanGeometry
internal import PortolanJSON

/// Lists the bookmarks of the open map.
struct BookmarksCommand: MapCommand {
  static let declaration = CommandDeclaration(
    "bookmarks", summary: "List the named places of the map.", topic: .map,
    parameters: [MapChoice.map, MapChoice.number])

  let choice: MapChoice

  init(parsing arguments: Arguments) throws(UsageError) { choice = try MapChoice(arguments) }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    let page = BookmarksPage(state: map.bookmarks.state)
    return CommandResult(text: page.text, json: page.json)
  }
}

/// The bookmarks as text and as JSON.
struct BookmarksPage {
  let state: BookmarksModel.State

  var text: TextDocument {
    guard !state.bookmarks.isEmpty else { return TextDocument("The map has no bookmarks.") }
    return TextDocument(
      state.bookmarks.enumerated().map { index, bookmark in
        let place = bookmark.viewpoint == nil ? " (no place)" : ""
        let mark = index == state.selection ? "*" : " "
        return .line("\(mark)\(index + 1)  \(bookmark.name)\(place)")
      })
  }

  var json: JSONValue {
    [
      "bookmarks": .array(
        state.bookmarks.enumerated().map { index, bookmark in
          [
            "number": .integer(Int64(index + 1)), "name": .string(bookmark.name),
            "viewpoint": bookmark.viewpoint?.esriJSON ?? .null,
            "thumbnail": .bool(bookmark.hasThumbnail),
          ]
        }),
      "selection": state.selection.map { .integer(Int64($0 + 1)) } ?? .null,
    ]
  }
}
