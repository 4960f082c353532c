/// The columns that a set of features share, found by name without case.
///
/// One list serves all features of a query, so that a feature holds only its values.
public final class FieldList: Sendable {
  /// The fields, in the order of the values.
  public let fields: [Field]

  private let positions: [String: Int]
  private let positionsWithoutCase: [String: Int]

  /// Creates a list; of two fields of the same name the first is found.
  public init(_ fields: [Field]) {
    self.fields = fields
    positions = Dictionary(
      fields.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    positionsWithoutCase = Dictionary(
      fields.enumerated().map { ($1.name.lowercased(), $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The index of the field called `name`, or `nil` if there is none.
  ///
  /// Case counts only between fields that differ in nothing else, which servers do have.
  public func position(of name: String) -> Int? {
    positions[name] ?? positionsWithoutCase[name.lowercased()]
  }
}

extension Attributes: Codable {
  private enum CodingKeys: CodingKey {
    case fields
    case values
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      FieldList(try container.decode([Field].self, forKey: .fields)),
      try container.decode([AttributeValue].self, forKey: .values))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(fields, forKey: .fields)
    try container.encode(values, forKey: .values)
  }
}

extension FieldList: Hashable {
  public static func == (left: FieldList, right: FieldList) -> Bool {
    left === right || left.fields == right.fields
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(fields.count) }
}

/// The values of one feature, by field name.
public struct Attributes: Hashable, Sendable {
  /// The fields that the values belong to.
  public let fieldList: FieldList

  /// The values, in the order of the fields.
  public private(set) var values: [AttributeValue]

  /// Creates attributes; missing values are `null`, surplus ones are dropped.
  public init(_ fieldList: FieldList, _ values: [AttributeValue] = []) {
    self.fieldList = fieldList
    let count = fieldList.fields.count
    self.values =
      values.count == count
      ? values
      : Array(values.prefix(count))
        + Array(repeating: .null, count: max(0, count - values.count))
  }

  /// The fields, in order.
  public var fields: [Field] { fieldList.fields }

  /// The value of the field called `name`, without case; `nil` if there is no such field.
  ///
  /// Setting a field that does not exist does nothing; setting `nil` sets `null`.
  public subscript(name: String) -> AttributeValue? {
    get { fieldList.position(of: name).map { values[$0] } }
    set {
      guard let position = fieldList.position(of: name) else { return }
      values[position] = newValue ?? .null
    }
  }
}
