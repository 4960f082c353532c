public import PortolanJSON

extension SearchModel.State {
  /// The places that were found, as the documents of shells hold them.
  public var placesJSON: JSONValue {
    .document(["places": .array(places.map(\.json))], lacking: unsearched)
  }

  /// The suggestions, as JSON output holds them.
  ///
  /// - Parameter text: What was typed.
  /// - Returns: The document.
  public func suggestionsJSON(for text: String) -> JSONValue {
    let list = proposals.enumerated().map { index, suggestion in
      suggestion.json(number: index + 1)
    }
    return .document(["text": .string(text), "suggestions": .array(list)], lacking: unsearched)
  }
}

extension PackageSearchModel.State {
  /// The places that were found in all maps, as the documents of shells hold them.
  public var placesJSON: JSONValue {
    .document(
      ["places": .array(places.map { $0.place.json.of($0.maps) })], lacking: unsearched)
  }

  /// The suggestions from all maps, as JSON output holds them.
  ///
  /// - Parameter text: What was typed.
  /// - Returns: The document.
  public func suggestionsJSON(for text: String) -> JSONValue {
    let list = suggestions.enumerated().map { index, row in
      row.suggestion.json(number: index + 1).of(row.maps)
    }
    return .document(["text": .string(text), "suggestions": .array(list)], lacking: unsearched)
  }
}

extension JSONValue {
  /// A document with what could not be searched, if that is anything.
  fileprivate static func document(
    _ members: JSONObject, lacking unsearched: [Problem]
  ) -> JSONValue {
    var members = members
    if !unsearched.isEmpty {
      members["unsearched"] = .array(unsearched.map { .string($0.message) })
    }
    return .object(members)
  }

  /// The same row with the maps of the package that have it.
  fileprivate func of(_ maps: [PackageSearchModel.MapReference]) -> JSONValue {
    var members = object ?? [:]
    members["maps"] = .array(
      maps.map { ["number": JSONValue(orNull: $0.index + 1), "title": .string($0.title)] })
    return .object(members)
  }
}

extension SearchModel.Suggestion {
  fileprivate func json(number: Int) -> JSONValue {
    [
      "number": JSONValue(orNull: number), "label": .string(label), "layer": .string(sourceTitle),
      "isCollection": .bool(isCollection),
    ]
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
