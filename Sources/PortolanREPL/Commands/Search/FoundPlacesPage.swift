internal import PortolanApp
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanSearch

/// What may be meant by a text, as text and as JSON.
struct SuggestionsPage {
  let typed: String
  let suggestions: [LocatorSuggestion]

  var text: TextDocument {
    guard !suggestions.isEmpty else { return FoundPlacesPage.nothing }
    return TextDocument(
      suggestions.enumerated().map { index, suggestion in
        let more = suggestion.isCollection ? ", several" : ""
        return .line("\(index + 1)  \(suggestion.label)  (\(suggestion.sourceTitle)\(more))")
      })
  }

  var json: JSONValue {
    let list = suggestions.enumerated().map { index, suggestion -> JSONValue in
      [
        "number": .integer(Int64(index + 1)), "label": .string(suggestion.label),
        "layer": .string(suggestion.sourceTitle), "isCollection": .bool(suggestion.isCollection),
      ]
    }
    return ["text": .string(typed), "suggestions": .array(list)]
  }
}

/// The places that were found, as text and as JSON.
struct FoundPlacesPage {
  static let nothing = TextDocument("There are no matches in this map's index.")

  let results: [LocatorResult]

  var text: TextDocument {
    guard !results.isEmpty else { return Self.nothing }
    let rows = results.enumerated().map { index, result in
      [
        "\(index + 1)", result.label, result.sourceTitle, "\(Int(result.score.rounded()))",
        Self.place(result),
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

  var json: JSONValue { ["places": .array(results.map(Self.value))] }

  /// A place in one line.
  static func line(_ result: LocatorResult) -> TextDocument.Block {
    .line("\(result.label)  (\(result.sourceTitle))  \(place(result))")
  }

  private static func place(_ result: LocatorResult) -> String {
    guard let location = result.location else { return "no place" }
    return [location.x, location.y].map { ($0 * 1e6).rounded() / 1e6 }.map { "\($0)" }
      .joined(separator: ",")
  }

  static func value(_ result: LocatorResult) -> JSONValue {
    [
      "label": .string(result.label), "layer": .string(result.sourceTitle),
      "score": .number(result.score),
      "location": result.location.map { [.number($0.x), .number($0.y)] } ?? .null,
      "extent": result.extent.map(JSONValue.init(extent:)) ?? .null,
      "kind": .string(kind(result.kind)),
      "feature": result.feature.map { feature in
        [
          "layerId": .string(feature.layerID), "table": .string(feature.table),
          "objectId": .integer(feature.objectID),
        ]
      } ?? .null,
    ]
  }

  private static func kind(_ kind: LocatorResult.Kind) -> String {
    switch kind {
    case .feature: "feature"
    case .intersection: "intersection"
    case .coordinate: "coordinate"
    }
  }
}
