import Foundation
import PortolanFeatures

extension Attributes {
  /// The attributes of a feature with these fields, for tests.
  static func of(_ values: KeyValuePairs<String, AttributeValue>) -> Attributes {
    let fields = values.map { name, value in
      let type: FieldType =
        switch value {
        case .integer: .integer
        case .double: .double
        case .date: .date
        case .blob: .blob
        case .text, .null: .string
        }
      return Field(name, type)
    }
    return Attributes(FieldList(fields), values.map(\.value))
  }
}
