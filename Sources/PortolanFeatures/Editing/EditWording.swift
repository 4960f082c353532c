package import PortolanGeometry

// The words in which errors of edits and of writers speak of values, fields and shapes.

extension AttributeValue {
  /// The value in a sentence; long ones are cut.
  package var editText: String {
    switch self {
    case .null: "no value"
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .text(let text): text.count > 40 ? "\"\(text.prefix(40))…\"" : "\"\(text)\""
    case .date(let date): CivilDate(date)?.iso8601 ?? "a date beyond the calendar"
    case .blob(let data): data.sizeText
    }
  }
}

extension Domain {
  /// The allowed values, at most a few dozen codes of them.
  var allowedText: String {
    switch self {
    case .range(let domain): domain.wording(\.editText)
    case .codedValue(let domain):
      domain.codedValues.prefix(30).map { "\($0.code.editText) (\($0.name))" }
        .joined(separator: ", ")
        + (domain.codedValues.count > 30 ? " and \(domain.codedValues.count - 30) more" : "")
    }
  }
}

extension RangeDomain {
  /// Which values it has, with its bounds as `text` writes them.
  package func wording(_ text: (AttributeValue) -> String) -> String {
    if minimum == .null { return "at most \(text(maximum))" }
    if maximum == .null { return "at least \(text(minimum))" }
    return "\(text(minimum)) to \(text(maximum))"
  }
}

extension FieldType {
  /// What a value of the type is.
  var noun: String {
    switch self {
    case .objectID, .smallInteger, .integer, .bigInteger: "a whole number"
    case .single, .double: "a number"
    case .string, .xml: "a text"
    case .date: "a date"
    case .dateOnly: "a day such as 2024-05-31"
    case .timeOnly: "a time such as 13:30:00"
    case .timestampOffset: "a moment such as 2024-05-31T13:30:00+02:00"
    case .geometry: "a shape"
    case .blob, .raster: "binary data"
    case .guid, .globalID: "a GUID such as {01234567-89AB-CDEF-0123-456789ABCDEF}"
    }
  }

  /// What fits a field of the type.
  package var limitText: String {
    switch self {
    case .smallInteger: "a whole number from \(Int16.min) to \(Int16.max)"
    case .objectID, .integer: "a whole number from \(Int32.min) to \(Int32.max)"
    case .bigInteger: "a whole number from \(Int64.min) to \(Int64.max)"
    case .single: "a number of at most \(Float.greatestFiniteMagnitude)"
    case .double: "a finite number"
    case .date: "a date from 4713 BC to the year 9999"
    default: noun
    }
  }
}

extension GeometryType {
  /// What a shape of the type is.
  package var noun: String {
    switch self {
    case .point: "points"
    case .multipoint: "groups of points"
    case .polyline: "lines"
    case .polygon: "areas"
    case .envelope: "boxes"
    }
  }
}
