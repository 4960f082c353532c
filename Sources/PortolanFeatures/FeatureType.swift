/// A subtype: features of one kind, with domains and templates of their own.
public struct FeatureType: Hashable, Sendable, Codable {
  /// The code in ``FeatureTableSchema/typeIDField``.
  public var id: AttributeValue
  /// The name for people.
  public var name: String
  /// The domains that replace those of the fields, by field name.
  public var domains: [String: Domain]
  /// The templates for new features.
  public var templates: [FeatureTemplate]

  /// Creates a type.
  public init(
    id: AttributeValue, name: String, domains: [String: Domain] = [:],
    templates: [FeatureTemplate] = []
  ) {
    self.id = id
    self.name = name
    self.domains = domains
    self.templates = templates
  }
}

/// The attributes that a new feature starts with.
public struct FeatureTemplate: Hashable, Sendable, Codable {
  /// The name for people.
  public var name: String
  /// The description.
  public var summary: String
  /// The values, by field name.
  public var prototype: [String: AttributeValue]
  /// The tool that draws such a feature, as the service names it.
  public var drawingTool: String?

  /// Creates a template.
  public init(
    name: String, summary: String = "", prototype: [String: AttributeValue] = [:],
    drawingTool: String? = nil
  ) {
    self.name = name
    self.summary = summary
    self.prototype = prototype
    self.drawingTool = drawingTool
  }
}
