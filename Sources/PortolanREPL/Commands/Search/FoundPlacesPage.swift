internal import PortolanApp
internal import PortolanGeometry
internal import PortolanJSON

/// What may be meant by a text, as text and as JSON.
struct SuggestionsPage {
  let typed: String
  let state: SearchModel.State

  var text: TextDocument {
    let suggestions = state.proposals
    guard !suggestions.isEmpty else { return FoundPlacesPage.nothing }
    return TextDocument(
      suggestions.enumerated().map { index, suggestion in
        let more = suggestion.isCollection ? ", several" : ""
        return .line("\(index + 1)  \(suggestion.label)  (\(suggestion.sourceTitle)\(more))")
      })
  }

  var json: JSONValue { state.suggestionsJSON(for: typed) }
}

/// The places that were found, as text and as JSON.
struct FoundPlacesPage {
  static let nothing = TextDocument("There are no matches in this map's index.")

  let state: SearchModel.State

  var text: TextDocument {
    let places = state.places
    guard !places.isEmpty else { return Self.nothing }
    let rows = places.enumerated().map { index, place in
      [
        "\(index + 1)", place.label, place.sourceTitle, "\(Int(place.score.rounded()))",
        Self.position(of: place),
      ]
    }
    return TextDocument([
      .table(
        TextTable(
          [
            .init("n", .right), .init("place"), .init("layer"), .init("score", .right), .init("at"),
          ],
          rows: rows))
    ])
  }

  var json: JSONValue { state.placesJSON }

  /// A place in one line.
  static func line(_ place: SearchModel.Place) -> TextDocument.Block {
    .line("\(place.label)  (\(place.sourceTitle))  \(position(of: place))")
  }

  private static func position(of place: SearchModel.Place) -> String {
    guard let location = place.location else { return "no place" }
    return [location.x, location.y].map { ($0 * 1e6).rounded() / 1e6 }.map { "\($0)" }
      .joined(separator: ",")
  }
}
