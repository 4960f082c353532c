public import PortolanFeatures

/// A line of a feature form.
public struct FeatureFormField: Hashable, Sendable, Codable, Identifiable {
  /// The name of the field, in queries.
  public var name: String
  /// The name for people.
  public var label: String
  /// What it holds.
  public var type: FieldType
  /// The value.
  public var value: AttributeValue
  /// The value for people: the name of a code, a date as it is typed.
  public var text: String
  /// The values to choose from, where only some are allowed.
  public var choices: [CodedValue]
  /// The least and the greatest value, where they are limited.
  public var range: RangeDomain?
  /// The longest text, in characters, if limited.
  public var length: Int?
  /// Whether it must have a value.
  public var isRequired: Bool
  /// Why a person may not change it; `nil` if they may.
  public var readOnlyReason: FeatureEditError.ReadOnlyReason?
  /// What is wrong with what was typed; `nil` if nothing is.
  public var problem: Problem?

  public var id: String { name }

  /// Whether a person may change it.
  public var isEditable: Bool { readOnlyReason == nil }
}
