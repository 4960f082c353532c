internal import PortolanJSON

extension Symbol: Codable {
  /// Reads a symbol from what the map says about it.
  public init(from decoder: any Decoder) throws {
    self.init(json: try decoder.singleValueContainer().decode(JSONObject.self))
  }

  /// Writes what the map says about the symbol.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(json)
  }
}
