public import PortolanJSON

extension SearchModel.State {
  /// The places that were found, as the documents of shells hold them.
  public var placesJSON: JSONValue { document(["places": .array(places.map(\.json))]) }

  /// What may be meant, as JSON output holds it.
  ///
  /// - Parameter text: What was typed.
  /// - Returns: The document.
  public func suggestionsJSON(for text: String) -> JSONValue {
    let list = proposals.enumerated().map { index, suggestion -> JSONValue in
      [
        "number": JSONValue(orNull: index + 1), "label": .string(suggestion.label),
        "layer": .string(suggestion.sourceTitle), "isCollection": .bool(suggestion.isCollection),
      ]
    }
    return document(["text": .string(text), "suggestions": .array(list)])
  }

  /// A document with what could not be searched, if that is anything.
  private func document(_ members: JSONObject) -> JSONValue {
    var members = members
    if !unsearched.isEmpty {
      members["unsearched"] = .array(unsearched.map { .string($0.message) })
    }
    return .object(members)
  }
}

extension SearchModel.Place {
  /// The place as JSON output holds it.
  public var json: JSONValue {
    [
      "label": .string(label), "layer": .string(sourceTitle), "score": .number(score),
      "location": JSONValue(position: location), "extent": JSONValue(orNull: extent),
      "kind": .string(kind.rawValue), "feature": feature?.json ?? .null,
    ]
  }
}

extension SearchModel.Place.FeatureReference {
  fileprivate var json: JSONValue {
    ["layerId": .string(layerID), "table": .string(table), "objectId": .integer(objectID)]
  }
}
