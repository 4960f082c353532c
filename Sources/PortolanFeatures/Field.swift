/// A column of a feature table.
public struct Field: Hashable, Sendable, Codable {
  /// The name in queries and attributes; compared without case.
  public var name: String
  /// The name for people.
  public var alias: String
  /// The type of the values.
  public var type: FieldType
  /// The longest text, in characters, or the longest blob, in bytes, if limited.
  public var length: Int?
  /// Whether `null` is allowed.
  public var isNullable: Bool
  /// Whether people may change it.
  public var isEditable: Bool
  /// The values allowed, if limited.
  public var domain: Domain?
  /// The value of a new feature, if any.
  public var defaultValue: AttributeValue?
  // Optional, so that fields that were encoded without it can be decoded.
  private var computesDefault: Bool?

  /// Whether the database gives a new row a value that only it can tell, such as the result of an expression,
  /// where the row comes without one.
  public var hasComputedDefault: Bool {
    get { computesDefault ?? false }
    set { computesDefault = newValue ? true : nil }
  }

  /// Creates a field; the alias is the name unless given.
  public init(
    _ name: String, _ type: FieldType, alias: String? = nil, length: Int? = nil,
    isNullable: Bool = true, isEditable: Bool = true, domain: Domain? = nil,
    defaultValue: AttributeValue? = nil
  ) {
    self.name = name
    self.alias = alias ?? name
    self.type = type
    self.length = length
    self.isNullable = isNullable
    self.isEditable = isEditable
    self.domain = domain
    self.defaultValue = defaultValue
  }
}

/// The type of a field, with the names that services use.
///
/// - SeeAlso: [Field types](https://developers.arcgis.com/rest/services-reference/enterprise/layer-table/)
public enum FieldType: String, Hashable, Sendable, Codable, CaseIterable {
  case objectID = "esriFieldTypeOID"
  case smallInteger = "esriFieldTypeSmallInteger"
  case integer = "esriFieldTypeInteger"
  case bigInteger = "esriFieldTypeBigInteger"
  case single = "esriFieldTypeSingle"
  case double = "esriFieldTypeDouble"
  case string = "esriFieldTypeString"
  /// A moment in UTC, kept to the millisecond.
  case date = "esriFieldTypeDate"
  case dateOnly = "esriFieldTypeDateOnly"
  case timeOnly = "esriFieldTypeTimeOnly"
  case timestampOffset = "esriFieldTypeTimestampOffset"
  case geometry = "esriFieldTypeGeometry"
  case blob = "esriFieldTypeBlob"
  case raster = "esriFieldTypeRaster"
  /// A GUID as text, with braces.
  case guid = "esriFieldTypeGUID"
  /// The GUID that identifies the row everywhere, as text, with braces.
  case globalID = "esriFieldTypeGlobalID"
  case xml = "esriFieldTypeXML"

  /// Whether values are numbers.
  public var isNumeric: Bool {
    switch self {
    case .objectID, .smallInteger, .integer, .bigInteger, .single, .double: true
    default: false
    }
  }
}
