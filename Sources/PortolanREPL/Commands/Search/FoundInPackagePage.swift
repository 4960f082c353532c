internal import PortolanApp
internal import PortolanJSON

/// The places found in all maps of a package, as text and as JSON.
struct FoundInPackagePage {
  let state: PackageSearchModel.State

  /// The places that were found.
  var places: CommandResult {
    let rows = state.places.enumerated().map { index, found in
      [
        "\(index + 1)", found.place.label, found.place.sourceTitle, titles(of: found.maps),
        "\(Int(found.place.score.rounded()))", FoundPlacesPage.position(of: found.place),
      ]
    }
    let columns: [TextTable.Column] = [
      .init("n", .right), .init("place"), .init("layer"), .init("map"), .init("score", .right),
      .init("at"),
    ]
    return result([.table(TextTable(columns, rows: rows))], of: rows.count, state.placesJSON)
  }

  /// The suggestions for a text.
  func suggestions(for typed: String) -> CommandResult {
    let numbers = ListNumber(upTo: state.suggestions.count)
    let lines = state.suggestions.enumerated().map { index, row -> TextDocument.Block in
      let more = row.suggestion.isCollection ? ", several" : ""
      let source = "\(row.suggestion.sourceTitle)\(more); \(titles(of: row.maps))"
      return .line("\(numbers.text(index + 1))  \(row.suggestion.label)  (\(source))")
    }
    return result(lines, of: lines.count, state.suggestionsJSON(for: typed))
  }

  /// The titles of the maps that have a place.
  private func titles(of maps: [PackageSearchModel.MapReference]) -> String {
    maps.count > 1 && maps.count == state.mapCount && state.unsearched.isEmpty
      ? "all maps" : maps.map(\.title).joined(separator: ", ")
  }

  private func result(
    _ list: [TextDocument.Block], of count: Int, _ json: JSONValue
  ) -> CommandResult {
    let problems: [TextDocument.Block] =
      state.unsearched.isEmpty ? [] : [.blank] + state.unsearched.map { .line($0.message) }
    return CommandResult(
      text: TextDocument((count > 0 ? list : [.line(nothing)]) + problems), json: json,
      status: state.unsearched.isEmpty ? .done : .partlyDone)
  }

  private var nothing: String {
    state.mapCount == 1
      ? "There are no matches in the index of the map that can be searched."
      : "There are no matches in the indexes of the \(state.mapCount) maps."
  }
}
