/// A list of codes, each with a name for people.
public struct CodedValueDomain: Hashable, Sendable, Codable {
  /// The name.
  public var name: String
  /// The codes in the order of the list.
  public var codedValues: [CodedValue]

  /// Creates a domain.
  public init(name: String, codedValues: [CodedValue]) {
    self.name = name
    self.codedValues = codedValues
  }

  /// The name for people of `code`, if the list has it.
  ///
  /// Numbers are compared by value, whichever way they are stored.
  public func name(of code: AttributeValue) -> String? {
    let found =
      codedValues.first { $0.code.isEqual(to: code) }
      ?? codedValues.first { $0.code.isMet(by: code) }
    return found?.name
  }
}

/// A code and its name for people.
public struct CodedValue: Hashable, Sendable, Codable {
  /// The stored value.
  public var code: AttributeValue
  /// The name for people.
  public var name: String

  /// Creates a coded value.
  public init(code: AttributeValue, name: String) {
    self.code = code
    self.name = name
  }
}
