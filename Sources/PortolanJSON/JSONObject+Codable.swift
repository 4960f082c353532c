extension JSONObject: Codable {
  /// Reads an object from its text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let object = try JSONValue(parsing: text).object else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "The text is no JSON object.")
    }
    self = object
  }

  /// Writes the object as its text: coders keep neither the order of members nor all numbers.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(JSONValue.object(self).text())
  }
}
