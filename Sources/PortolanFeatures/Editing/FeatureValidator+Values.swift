internal import Foundation

extension FeatureValidator {
  /// A value as the field holds it.
  ///
  /// - Throws: ``FeatureEditError`` if the field cannot hold it; domains are not looked at.
  func value(
    _ value: AttributeValue, of field: Field, at place: EditPlace
  ) throws(FeatureEditError) -> AttributeValue {
    guard let value = field.type.normalized(value) else {
      throw .wrongType(field: field.name, expected: field.type, found: value, place)
    }
    guard !value.isNull else {
      guard field.isNullable else { throw .nullNotAllowed(field: field.name, place) }
      return value
    }
    guard field.type.holds(value) else {
      throw .outOfRange(field: field.name, type: field.type, found: value, place)
    }
    try checkLength(of: value, field, at: place)
    return value
  }

  private func checkLength(
    of value: AttributeValue, _ field: Field, at place: EditPlace
  ) throws(FeatureEditError) {
    guard let limit = field.length, limit > 0 else { return }
    switch (field.type, value) {
    case (.string, .text(let text)):
      // Counted as stores do, by code point; bytes are counted faster, and are never fewer.
      guard text.utf8.count > limit else { return }
      let length = text.unicodeScalars.count
      guard length <= limit else {
        throw .textTooLong(field: field.name, length: length, limit: limit, place)
      }
    case (.blob, .blob(let data)) where data.count > limit:
      throw .dataTooLong(field: field.name, length: data.count, limit: limit, place)
    default: break
    }
  }

  /// Checks a value of a row against the subtypes, or the domain that holds in this row.
  ///
  /// - Parameters:
  ///   - name: The name of the field.
  ///   - row: What the feature has, or is to have.
  ///   - place: What the error names.
  /// - Throws: ``FeatureEditError`` if the value is none that is allowed.
  public func checkDomain(
    of name: String, in row: Attributes, at place: EditPlace
  ) throws(FeatureEditError) {
    guard let value = row[name], !value.isNull else { return }
    if let typeField = schema.typeIDField.flatMap(schema.field(named:)), typeField.name == name,
      !schema.types.isEmpty
    {
      guard schema.types.contains(where: { $0.id.isEqual(to: value) }) else {
        throw .unknownSubtype(field: name, value: value, available: schema.types, place)
      }
    }
    guard let domain = schema.domain(of: name, in: row), !domain.allows(value) else { return }
    throw .valueNotInDomain(field: name, value: value, domain: domain, place)
  }
}

extension Domain {
  /// Whether a value, which is not `null`, is one of those that are listed or in range.
  public func allows(_ value: AttributeValue) -> Bool {
    switch self {
    case .codedValue(let domain):
      return domain.codedValues.contains { $0.code.isMet(by: value) }
    case .range(let domain):
      let (low, high) = (domain.minimum.comparable, domain.maximum.comparable)
      let value = value.comparable
      return (Self.isOrdered(low, value) || low.isMet(by: value))
        && (Self.isOrdered(value, high) || high.isMet(by: value))
    }
  }

  /// Whether the second is no less than the first; what is missing limits nothing.
  private static func isOrdered(_ low: AttributeValue, _ high: AttributeValue) -> Bool {
    (low.order(high) ?? 0) <= 0
  }
}

extension FieldType {
  /// A value in the form that fields of the type hold; `nil` if it is of another kind.
  package func normalized(_ value: AttributeValue) -> AttributeValue? {
    switch (self, value) {
    case (_, .null): .null
    case (.objectID, _), (.smallInteger, _), (.integer, _), (.bigInteger, _): value.asInteger
    case (.single, .integer), (.single, .double), (.double, .integer), (.double, .double):
      value.number.map { $0.isNaN ? .null : .double(self == .single ? $0.asSingle : $0) }
    case (.string, .text), (.xml, .text), (.blob, .blob), (.raster, .blob): value
    case (.date, .date(let date)): .date(date.toMillisecond)
    case (.guid, .text(let text)), (.globalID, .text(let text)): text.asGUID
    case (.dateOnly, .text(let text)): text.isDay ? value : nil
    case (.timeOnly, .text(let text)): text.isTime ? value : nil
    case (.timestampOffset, .text(let text)):
      CivilDate(parsing: text) != nil && text.utf8.count <= 35 ? value : nil
    default: nil
    }
  }

  /// Whether a normalized value lies within what the type can hold.
  func holds(_ value: AttributeValue) -> Bool {
    switch (self, value) {
    case (.smallInteger, .integer(let number)): Int16(exactly: number) != nil
    case (.integer, .integer(let number)): Int32(exactly: number) != nil
    case (.single, .double(let number)), (.double, .double(let number)): number.isFinite
    case (.date, .date(let date)):
      // From the first Julian day to where tables that keep their history end.
      (-210_866_760_000...253_402_300_799.999).contains(date.timeIntervalSince1970)
    default: true
    }
  }
}

extension AttributeValue {
  fileprivate var asInteger: AttributeValue? {
    switch self {
    case .integer: self
    case .double(let number): Int64(exactly: number).map { .integer($0) }
    default: nil
    }
  }
}

extension Double {
  /// The nearest number that 32 bits hold.
  fileprivate var asSingle: Double { Double(Float(self)) }
}

extension Date {
  fileprivate var toMillisecond: Date {
    Date(timeIntervalSince1970: (timeIntervalSince1970 * 1000).rounded() / 1000)
  }
}

extension String {
  /// The GUID with braces, or `nil` if this is none.
  fileprivate var asGUID: AttributeValue? {
    let bare = hasPrefix("{") && hasSuffix("}") ? String(dropFirst().dropLast()) : self
    return UUID(uuidString: bare) == nil ? nil : .text("{\(bare)}")
  }

  fileprivate var isDay: Bool { utf8.count == 10 && CivilDate(parsing: self) != nil }

  fileprivate var isTime: Bool {
    utf8.count <= 12 && CivilDate(parsing: "2000-01-01T" + self) != nil
      && !contains { "+-Zz".contains($0) }
  }
}
