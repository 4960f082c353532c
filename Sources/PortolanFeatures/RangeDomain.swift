/// Numbers or dates between two bounds, both included.
public struct RangeDomain: Hashable, Sendable, Codable {
  /// The name.
  public var name: String
  /// The least value; `null` where there is none.
  public var minimum: AttributeValue
  /// The greatest value; `null` where there is none.
  public var maximum: AttributeValue

  /// Creates a domain.
  public init(name: String, minimum: AttributeValue, maximum: AttributeValue) {
    self.name = name
    self.minimum = minimum
    self.maximum = maximum
  }
}
