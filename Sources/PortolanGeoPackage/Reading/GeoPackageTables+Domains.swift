internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanSQLite

/// The constraints of columns, from the schema extension.
///
/// - SeeAlso: [gpkg_schema](https://www.geopackage.org/spec131/#extension_schema)
extension GeoPackageTables {
  /// A row of `gpkg_data_columns`.
  struct DataColumnRow {
    let column: String
    /// The name for people.
    let title: String?
    let constraint: String?
  }

  /// The descriptions of a table's columns.
  static func dataColumns(
    of table: String, _ connection: borrowing Connection
  ) throws(DatabaseError) -> [DataColumnRow] {
    guard
      let query = try connection.optionalQuery(
        """
        SELECT column_name, coalesce(nullif(title, ''), nullif(name, '')), constraint_name
        FROM gpkg_data_columns WHERE table_name = ? COLLATE NOCASE
        """, .text(table))
    else { return [] }
    var rows: [DataColumnRow] = []
    while try query.step() {
      rows.append(
        DataColumnRow(
          column: query.text(at: 0), title: query.isNull(at: 1) ? nil : query.text(at: 1),
          constraint: query.isNull(at: 2) ? nil : query.text(at: 2)))
    }
    return rows
  }

  /// The domain that a constraint stands for in a field of a type.
  ///
  /// `nil` if the constraint is not there, or is a pattern, for which there is no domain.
  static func domain(
    named name: String, as type: FieldType, _ connection: borrowing Connection
  ) throws(DatabaseError) -> Domain? {
    // The first release spelled two of the columns differently.
    for (isMinIncluded, isMaxIncluded) in [
      ("min_is_inclusive", "max_is_inclusive"), ("minIsInclusive", "maxIsInclusive"),
    ] {
      let query = try connection.optionalQuery(
        """
        SELECT lower(constraint_type), value, description, min, \(isMinIncluded), max,
          \(isMaxIncluded)
        FROM gpkg_data_column_constraints WHERE constraint_name = ? ORDER BY rowid
        """, .text(name))
      guard let query else { continue }
      return try domain(named: name, as: type, query)
    }
    return nil
  }

  private static func domain(
    named name: String, as type: FieldType, _ query: borrowing Query
  ) throws(DatabaseError) -> Domain? {
    var codes: [CodedValue] = []
    while try query.step() {
      switch query.text(at: 0) {
      case "enum":
        let text = query.text(at: 1)
        let name = query.text(at: 2)
        codes.append(
          CodedValue(
            code: AttributeValue(constraintText: text, as: type), name: name.isEmpty ? text : name))
      case "range":
        let minimum = bound(query, 3, isIncluded: query.integer(at: 4) != 0, 1, type)
        let maximum = bound(query, 5, isIncluded: query.integer(at: 6) != 0, -1, type)
        // Without any bound it limits nothing.
        guard minimum != .null || maximum != .null else { return nil }
        return .range(RangeDomain(name: name, minimum: minimum, maximum: maximum))
      default: continue
      }
    }
    return codes.isEmpty ? nil : .codedValue(CodedValueDomain(name: name, codedValues: codes))
  }

  /// A bound that belongs to the range, `null` where there is none; a whole one that does not is moved by `step`.
  private static func bound(
    _ query: borrowing Query, _ column: Int, isIncluded: Bool, _ step: Int64, _ type: FieldType
  ) -> AttributeValue {
    guard !query.isNull(at: column) else { return .null }
    let number = query.real(at: column)
    guard type.isNumeric, type != .single, type != .double, let whole = Int64(exactly: number)
    else { return .double(number) }
    return .integer(isIncluded ? whole : whole &+ step)
  }
}

extension AttributeValue {
  /// A value that a constraint or a default spells as text, for a field of a type.
  init(constraintText text: String, as type: FieldType) {
    switch type {
    case .single, .double: self = Double(text).map { .double($0) } ?? .text(text)
    case .date: self = CivilDate(parsing: text).map { .date($0.date) } ?? .text(text)
    case let type where type.isNumeric:
      self = Int64(text).map { .integer($0) } ?? .text(text)
    default: self = .text(text)
    }
  }
}
