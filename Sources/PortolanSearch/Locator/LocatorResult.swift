public import PortolanGeometry

/// A place that was found.
public struct LocatorResult: Hashable, Sendable, Codable {
  /// The feature behind a place.
  public struct FeatureReference: Hashable, Sendable, Codable {
    /// The source that found it.
    public let sourceID: String
    /// The key of its layer.
    public let layerID: String
    /// The name of its table.
    public let table: String
    /// Its object id.
    public let objectID: Int64
  }

  /// How the place was found.
  public enum Kind: Hashable, Sendable, Codable {
    /// By the texts of a feature.
    case feature(FeatureReference)
    /// Where two lines cross.
    case intersection
    /// By its coordinates.
    case coordinate
    /// By a geocode service.
    case address
  }

  /// What the place is called.
  public var label: String
  /// The title of the layer, or what else it is.
  public var sourceTitle: String
  /// How well it matches, from 0 to 100.
  public var score: Double
  /// Where it is: longitude and latitude on WGS 84; `nil` for rows without a shape.
  public var location: Coordinate?
  /// The box around it, on WGS 84.
  public var extent: Envelope?
  /// How it was found.
  public var kind: Kind

  /// Describes a place that a geocode service has found.
  public init(
    address label: String, sourceTitle: String, score: Double, location: Coordinate?,
    extent: Envelope?
  ) {
    self.init(
      label: label, sourceTitle: sourceTitle, score: score, location: location, extent: extent,
      kind: .address)
  }

  init(
    label: String, sourceTitle: String, score: Double, location: Coordinate?, extent: Envelope?,
    kind: Kind
  ) {
    self.label = label
    self.sourceTitle = sourceTitle
    self.score = score
    self.location = location
    self.extent = extent
    self.kind = kind
  }

  /// The feature, if one was found.
  public var feature: FeatureReference? {
    if case .feature(let reference) = kind { reference } else { nil }
  }
}

/// Something that may be meant by what was typed so far.
public struct LocatorSuggestion: Hashable, Sendable, Codable {
  /// The text to show, and to look for when it is chosen.
  public var label: String
  /// The title of the layer.
  public var sourceTitle: String
  /// The source that made it; `nil` for intersections and coordinates.
  public var sourceID: String?
  /// Whether several features or crossings have the label.
  public var isCollection: Bool
  /// What makes a geocode service find just that.
  public var key: String?
  /// How well it matches, from 0 to 100; `nil` where a service does not tell.
  public var score: Double?

  /// Creates a suggestion.
  public init(
    label: String, sourceTitle: String, sourceID: String? = nil, isCollection: Bool = false,
    key: String? = nil, score: Double? = nil
  ) {
    self.label = label
    self.sourceTitle = sourceTitle
    self.sourceID = sourceID
    self.isCollection = isCollection
    self.key = key
    self.score = score
  }
}
