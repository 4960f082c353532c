internal import Foundation
internal import PortolanFeatures
internal import PortolanXML

extension DefinitionXML {
  /// The document of a domain for fields of a type.
  static func domain(_ domain: Domain, for type: FieldType) -> String {
    let column = ColumnType(of: Field("", type))
    var elements: [XMLElement] = [
      .value("DomainName", domain.name), .value("FieldType", type.rawValue),
      .value("MergePolicy", "esriMPTDefaultValue"), .value("SplitPolicy", "esriSPTDefaultValue"),
      .value("Description", ""), .value("Owner", ""),
    ]
    switch domain {
    case .codedValue(let domain):
      let values = domain.codedValues.map { value in
        XMLElement.typed(
          "CodedValue", "CodedValue",
          [.value("Name", value.name), code("Code", value.code, column)])
      }
      elements.append(.typed("CodedValues", "ArrayOfCodedValue", values))
      return document("GPCodedValueDomain2", elements)
    case .range(let domain):
      // Here a range has both bounds.
      let limits = type.limits
      let maximum = domain.maximum == .null ? limits?.maximum : domain.maximum
      let minimum = domain.minimum == .null ? limits?.minimum : domain.minimum
      elements += [
        code("MaxValue", maximum ?? .null, column), code("MinValue", minimum ?? .null, column),
      ]
      return document("GPRangeDomain2", elements)
    }
  }

  private static func code(
    _ name: String, _ value: AttributeValue, _ column: ColumnType
  ) -> XMLElement {
    var element =
      switch value {
      case .integer(let number): XMLElement.value(name, "\(number)")
      case .double(let number): XMLElement.value(name, number)
      case .text(let text): XMLElement.value(name, text)
      case .date(let date): XMLElement.value(name, dateTime(date))
      case .null, .blob: XMLElement(name)
      }
    element.attributes["xsi:type"] = column.schemaType
    return element
  }

  /// A moment as XML writes it, to the second, in UTC.
  static func dateTime(_ date: Date) -> String {
    // To the second: `2019-07-12T11:10:35`.
    String((CivilDate(date)?.iso8601 ?? "").prefix(19))
  }
}

extension FieldType {
  /// The least and the greatest number of the type; `nil` where it is none of numbers.
  fileprivate var limits: (minimum: AttributeValue, maximum: AttributeValue)? {
    switch self {
    case .smallInteger: (.integer(Int64(Int16.min)), .integer(Int64(Int16.max)))
    case .integer: (.integer(Int64(Int32.min)), .integer(Int64(Int32.max)))
    case .bigInteger: (.integer(.min), .integer(.max))
    case .single:
      (
        .double(-Double(Float.greatestFiniteMagnitude)),
        .double(Double(Float.greatestFiniteMagnitude))
      )
    case .double:
      (.double(-Double.greatestFiniteMagnitude), .double(Double.greatestFiniteMagnitude))
    default: nil
    }
  }
}
