public import PortolanFeatures

/// A field of a feature form.
public struct FeatureFormField: Hashable, Sendable, Codable, Identifiable {
  /// The name of the field, in queries.
  public var name: String
  /// The name for people.
  public var label: String
  /// The type of the field.
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
  /// Whether its dates belong to no time zone that is known: they are shown and entered as clocks of GMT show
  /// them, wherever people are.
  public var isTimeZoneUnknown: Bool
  /// Whether it must have a value.
  public var isRequired: Bool
  /// The reason why a person may not change it; `nil` if they may.
  public var readOnlyReason: FeatureEditError.ReadOnlyReason?
  /// The fault in the text that was typed; `nil` if there is none.
  public var problem: Problem?

  public var id: String { name }

  /// Whether a person may change it.
  public var isEditable: Bool { readOnlyReason == nil }
}

extension FeatureFormField {
  /// Creates the line of a field, with its value and what is wrong with it.
  init(
    _ field: Field, value: AttributeValue, domain: Domain?, isTimeZoneUnknown: Bool,
    readOnlyReason: FeatureEditError.ReadOnlyReason?, problem: Problem?
  ) {
    name = field.name
    label = field.alias
    type = field.type
    self.value = value
    text = value.formText(domain)
    choices = if case .codedValue(let list) = domain { list.codedValues } else { [] }
    range = if case .range(let range) = domain { range } else { nil }
    length = field.type == .string ? field.length : nil
    self.isTimeZoneUnknown = isTimeZoneUnknown
    isRequired = !field.isNullable && readOnlyReason == nil
    self.readOnlyReason = readOnlyReason
    self.problem = problem
  }
}

extension FeatureFormField {
  /// The text that a user types for one of ``choices``: its name, with its code where the name
  /// alone is ambiguous.
  public func text(for choice: CodedValue) -> String {
    let domain = Domain.codedValue(CodedValueDomain(name: name, codedValues: choices))
    return FieldInput(field: Field(name, type), domain: domain).text(for: choice)
  }
}

extension AttributeValue {
  /// The value as a person would type it.
  fileprivate func formText(_ domain: Domain?) -> String {
    if case .codedValue(let list) = domain, let name = list.name(of: self) { return name }
    return switch self {
    case .null: ""
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .text(let text): text
    case .date(let date): CivilDate(date)?.iso8601 ?? ""
    case .blob(let data): data.sizeText
    }
  }
}
