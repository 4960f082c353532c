public import PortolanJSON

/// Observations of moving things: one renderer for each, others for the latest and for the track.
public struct TemporalRenderer: Hashable, Sendable {
  private indirect enum Part: Hashable, Sendable {
    case renderer(Renderer)
  }

  /// The renderer as it was read, with all its members.
  public let json: JSONObject
  private let observation: Part?
  private let latest: Part?
  private let track: Part?

  /// The renderer of observations.
  public var observationRenderer: Renderer? { Self.renderer(observation) }
  /// The renderer of the latest observation of each thing, if it differs.
  public var latestObservationRenderer: Renderer? { Self.renderer(latest) }
  /// The renderer of the tracks, if they are drawn.
  public var trackRenderer: Renderer? { Self.renderer(track) }

  /// Reads a renderer.
  public init(json: JSONObject) {
    self.json = json
    observation = Self.part(json["observationalRenderer"] ?? json["observationRenderer"])
    latest = Self.part(json["latestObservationRenderer"])
    track = Self.part(json["trackRenderer"])
  }

  /// A temporal renderer inside one would never end; it is passed over.
  private static func part(_ json: JSONValue?) -> Part? {
    guard json?["type"]?.string != "temporal" else { return nil }
    return Renderer(json: json).map(Part.renderer)
  }

  private static func renderer(_ part: Part?) -> Renderer? {
    if case .renderer(let renderer) = part { renderer } else { nil }
  }
}
