package import PortolanFeatures

/// How a column stores the values of a field: the declared type that mobile geodatabases use.
///
/// SQLite itself would take any value in any column; CHECK constraints hold each column to one
/// storage class, so that a value must be bound as exactly that.
///
/// - SeeAlso: Docs/FORMATS.md, 2.2 and 2.3
package enum ColumnType: Hashable, Sendable {
  case int16
  case int32
  case int64
  case float32
  case float64
  /// Text of at most so many characters.
  case text(length: Int)
  /// Text without a limit of its own.
  case longText
  /// A Julian day in UTC.
  case realDate
  /// A GUID of 38 characters, with braces.
  case guid
  case xml
  /// Bytes, at most so many where limited.
  case blob(length: Int?)
  /// A shape; see ``GeometryBlob``.
  case geometry

  /// The type of the column for a field.
  ///
  /// Days, times and moments with an offset are kept as text, the way services write them: no
  /// file was seen that has such a column.
  package init(of field: Field) {
    switch field.type {
    case .smallInteger: self = .int16
    case .objectID, .integer: self = .int32
    case .bigInteger: self = .int64
    case .single: self = .float32
    case .double: self = .float64
    case .date: self = .realDate
    case .guid, .globalID: self = .guid
    case .xml: self = .xml
    case .blob, .raster: self = .blob(length: Self.limit(field))
    case .geometry: self = .geometry
    case .dateOnly: self = .text(length: 10)
    case .timeOnly: self = .text(length: 12)
    case .timestampOffset: self = .text(length: 35)
    case .string: self = Self.limit(field).map { .text(length: $0) } ?? .longText
    }
  }

  /// The length of a field; `nil` for one without, which databases state as the greatest that they have.
  private static func limit(_ field: Field) -> Int? {
    field.length.flatMap { $0 > greatestTextLength ? nil : $0 }
  }

  /// The longest text of a column that declares no other limit.
  package static let greatestTextLength = 100_000_000

  /// The name in a table's definition, for example `text(80)`.
  package var declaredName: String {
    switch self {
    case .int16: "int16"
    case .int32: "int32"
    case .int64: "int64"
    case .float32: "float32"
    case .float64: "float64"
    case .text(let length): "text(\(length))"
    case .longText: "text(\(Self.greatestTextLength))"
    case .realDate: "realdate"
    case .guid: "uuidtext"
    case .xml: "xmltext"
    case .blob(let length): length.map { "blob(\($0))" } ?? "blob"
    case .geometry: "geometryblob"
    }
  }

  /// The number in `GDB_ColumnRegistry.sde_type`.
  package var registryNumber: Int64 {
    switch self {
    case .int16: 1
    case .int32: 2
    case .float32: 3
    case .float64: 4
    case .text: 5
    case .blob: 6
    case .realDate: 7
    case .geometry: 8
    case .xml: 10
    case .int64: 11
    case .guid: 12
    case .longText: 13
    }
  }

  /// The number in `GDB_ColumnRegistry.column_size`; `nil` where it stays empty.
  package var registrySize: Int64? {
    switch self {
    case .text(let length): Int64(length)
    case .guid: 38
    case .blob(let length): length.map(Int64.init)
    case .longText, .xml, .geometry: nil
    default: 0
    }
  }

  /// The integers that fit, for the integer types.
  package var integerRange: ClosedRange<Int64>? {
    switch self {
    case .int16: Int64(Int16.min)...Int64(Int16.max)
    case .int32: Int64(Int32.min)...Int64(Int32.max)
    case .int64: Int64.min...Int64.max
    default: nil
    }
  }

  /// The type of a value inside an XML definition, as in `xsi:type='xs:int'`.
  package var schemaType: String {
    switch self {
    case .int16: "xs:short"
    case .int32: "xs:int"
    case .int64: "xs:long"
    case .float32: "xs:float"
    case .float64: "xs:double"
    case .realDate: "xs:dateTime"
    default: "xs:string"
    }
  }
}

extension ColumnType {
  /// The limit of the column, in words for people.
  var limitText: String {
    switch self {
    case .int16: FieldType.smallInteger.limitText
    case .int32: FieldType.integer.limitText
    case .int64: FieldType.bigInteger.limitText
    case .float32: FieldType.single.limitText
    case .float64: FieldType.double.limitText
    case .text(let length): length == 1 ? "one character" : "a text of at most \(length) characters"
    case .longText: FieldType.string.limitText
    case .realDate: FieldType.date.limitText
    case .guid: FieldType.guid.limitText
    case .xml: FieldType.xml.limitText
    case .blob(let length?): "binary data of at most \(length) bytes"
    case .blob(nil): FieldType.blob.limitText
    case .geometry: FieldType.geometry.limitText
    }
  }
}
