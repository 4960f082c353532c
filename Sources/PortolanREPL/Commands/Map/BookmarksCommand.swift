internal import PortolanApp
internal import PortolanJSON

/// Lists the bookmarks of the open map.
struct BookmarksCommand: MapCommand {
  static let declaration = CommandDeclaration(
    "bookmarks", summary: "List the named places of the map.", topic: .map,
    parameters: [Thumbnail.flag, MapChoice.map, MapChoice.number])

  let choice: MapChoice
  private let showsPictures: Bool

  init(parsing arguments: Arguments) throws(UsageError) {
    choice = try MapChoice(arguments)
    showsPictures = arguments.isSet(Thumbnail.flag)
  }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    var page = BookmarksPage(state: map.bookmarks.state)
    if showsPictures {
      page.format = session.pictureFormat
      for index in page.state.bookmarks.indices {
        page.thumbnails[index] = try await map.bookmarks.thumbnail(at: index)
          .flatMap(Thumbnail.init)
      }
    }
    return CommandResult(text: page.text, json: page.json)
  }
}

/// The bookmarks as text and as JSON.
struct BookmarksPage {
  let state: BookmarksModel.State
  /// The pictures by the places in the list.
  var thumbnails: [Int: Thumbnail] = [:]
  /// The format of pictures in the terminal; `nil` if they were not requested.
  var format: TerminalPictureFormat?

  var text: TextDocument {
    let problem = state.problem.map { TextDocument.Block.line($0.message) }
    guard !state.bookmarks.isEmpty else {
      return problem.map { TextDocument([$0]) } ?? TextDocument("The map has no bookmarks.")
    }
    let numbers = ListNumber(upTo: state.bookmarks.count)
    let lines = state.bookmarks.enumerated().map { index, bookmark -> TextDocument.Block in
      let place = bookmark.viewpoint == nil ? " (no place)" : ""
      let mark = index == state.selection ? "*" : " "
      let own = bookmark.isOwn ? " (yours)" : ""
      return .line("\(mark)\(numbers.text(index + 1))  \(bookmark.name)\(place)\(own)")
    }
    let pictures = state.bookmarks.indices.flatMap { index in
      format.flatMap { thumbnails[index]?.blocks(title: state.bookmarks[index].name, in: $0) }
        ?? []
    }
    return TextDocument(lines + [problem].compactMap(\.self) + pictures)
  }

  var json: JSONValue {
    let picture: ((Int) -> JSONObject.Member)? = format == nil ? nil : { self.picture($0) }
    var document: JSONObject = [
      "bookmarks": state.bookmarksJSON(picture: picture),
      "selection": state.selection.map { .integer(Int64($0 + 1)) } ?? .null,
    ]
    document["problem"] = state.problem?.json
    return .object(document)
  }

  private func picture(_ index: Int) -> JSONObject.Member {
    JSONObject.Member(name: "picture", value: thumbnails[index]?.json ?? .null)
  }
}
