internal import PortolanApp
internal import PortolanGeometry
internal import PortolanJSON

/// The suggestions for a text, as text and as JSON.
struct SuggestionsPage {
  let typed: String
  let state: SearchModel.State

  var text: TextDocument {
    let suggestions = state.proposals
    guard !suggestions.isEmpty else { return FoundPlacesPage.nothing(in: state) }
    let numbers = ListNumber(upTo: suggestions.count)
    return TextDocument(
      suggestions.enumerated().map { index, suggestion in
        let more = suggestion.isCollection ? ", several" : ""
        let number = numbers.text(index + 1)
        return .line("\(number)  \(suggestion.label)  (\(suggestion.sourceTitle)\(more))")
      } + FoundPlacesPage.notes(on: state))
  }

  var json: JSONValue { state.suggestionsJSON(for: typed) }
}

/// The places that were found, as text and as JSON.
struct FoundPlacesPage {
  /// The message that nothing was found, with the layers that could not be searched.
  static func nothing(in state: SearchModel.State) -> TextDocument {
    TextDocument([.line("There are no matches in this map's index.")] + notes(on: state))
  }

  /// The layers that could not be searched.
  static func notes(on state: SearchModel.State) -> [TextDocument.Block] {
    state.unsearched.isEmpty ? [] : [.blank] + state.unsearched.map { .line($0.message) }
  }

  let state: SearchModel.State

  var text: TextDocument {
    let places = state.places
    guard !places.isEmpty else { return Self.nothing(in: state) }
    let rows = places.enumerated().map { index, place in
      [
        "\(index + 1)", place.label, place.sourceTitle, "\(Int(place.score.rounded()))",
        Self.position(of: place),
      ]
    }
    let columns: [TextTable.Column] = [
      .init("n", .right), .init("place"), .init("layer"), .init("score", .right), .init("at"),
    ]
    return TextDocument([.table(TextTable(columns, rows: rows))] + Self.notes(on: state))
  }

  var json: JSONValue { state.placesJSON }

  /// Done in part where a layer or a service could not be searched.
  static func exitCode(of state: SearchModel.State) -> ExitCode {
    state.unsearched.isEmpty ? .done : .partlyDone
  }

  /// A place in one line.
  static func line(_ place: SearchModel.Place) -> TextDocument.Block {
    .line("\(place.label)  (\(place.sourceTitle))  \(position(of: place))")
  }

  static func position(of place: SearchModel.Place) -> String {
    guard let location = place.location else { return "no place" }
    return [location.x, location.y].map { ($0 * 1e6).rounded() / 1e6 }.map { "\($0)" }
      .joined(separator: ",")
  }
}
