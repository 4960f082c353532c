public import PortolanGeometry
internal import PortolanSearch

// The places that screens show, without the locator's own types.
extension SearchModel {
  /// A suggestion for the text typed so far.
  public struct Suggestion: Hashable, Sendable, Codable {
    /// The text to show.
    public var label: String
    /// The title of the layer, or what else it is.
    public var sourceTitle: String
    /// Whether several features have the label.
    public var isCollection: Bool
  }

  /// A place that was found.
  public struct Place: Hashable, Sendable, Codable {
    /// The way in which a place was found; the raw values are those of documents.
    public enum Kind: String, Hashable, Sendable, Codable {
      case feature
      case intersection
      case coordinate
      /// An address found by a geocode service.
      case address
    }

    /// The feature of a place.
    public struct FeatureReference: Hashable, Sendable, Codable {
      /// The key of its layer.
      public var layerID: String
      /// The name of its table.
      public var table: String
      /// Its object id.
      public var objectID: Int64
    }

    /// The name of the place.
    public var label: String
    /// The title of the layer, or what else it is.
    public var sourceTitle: String
    /// The score of the match, from 0 to 100.
    public var score: Double
    /// Longitude and latitude on WGS 84; `nil` for rows without a shape.
    public var location: Coordinate?
    /// The box around it, on WGS 84.
    public var extent: Envelope?
    /// The way in which it was found.
    public var kind: Kind
    /// The feature, if one was found.
    public var feature: FeatureReference?
  }
}

extension SearchModel.State {
  /// The suggestions, for screens.
  public var proposals: [SearchModel.Suggestion] {
    suggestions.map {
      SearchModel.Suggestion(
        label: $0.label, sourceTitle: $0.sourceTitle, isCollection: $0.isCollection)
    }
  }

  /// The places that were found, for screens.
  public var places: [SearchModel.Place] { results.map(SearchModel.Place.init) }

  /// The place that is shown.
  public var selectedPlace: SearchModel.Place? {
    guard case .found(let results, let selection?, _) = self, results.indices.contains(selection)
    else { return nil }
    return SearchModel.Place(results[selection])
  }
}

extension SearchModel.Place {
  init(_ result: LocatorResult) {
    let kind: Kind =
      switch result.kind {
      case .feature: .feature
      case .intersection: .intersection
      case .coordinate: .coordinate
      case .address: .address
      }
    self.init(
      label: result.label, sourceTitle: result.sourceTitle, score: result.score,
      location: result.location, extent: result.extent, kind: kind,
      feature: result.feature.map {
        FeatureReference(layerID: $0.layerID, table: $0.table, objectID: $0.objectID)
      })
  }
}
