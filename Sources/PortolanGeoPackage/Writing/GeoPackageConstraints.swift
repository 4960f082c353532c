internal import PortolanFeatureTables
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanSQLite

/// Writes the aliases and domains of columns, as the schema extension keeps them.
///
/// - SeeAlso: [gpkg_schema](https://www.geopackage.org/spec131/#extension_schema)
struct GeoPackageConstraints {
  private var names: [Domain: String] = [:]
  private var taken: Set<String> = []
  private(set) var omissions: [Omission] = []

  /// Writes what is to be said about the columns of some tables.
  static func write(
    _ tables: [TableLayout], on connection: borrowing Connection
  ) throws(DatabaseError) -> [Omission] {
    let isNeeded = tables.contains { table in
      table.schema.fields.contains { $0.domain != nil || $0.alias != $0.name }
    }
    guard isNeeded else { return [] }
    for statement in GeoPackageSystemTable.schema { try connection.execute(statement) }
    for name in ["gpkg_data_columns", "gpkg_data_column_constraints"] {
      try GeoPackageCatalogue.register(.schema, table: name, on: connection)
    }
    var constraints = GeoPackageConstraints()
    for table in tables {
      for field in table.schema.fields where field.domain != nil || field.alias != field.name {
        try constraints.write(field, of: table, on: connection)
      }
    }
    return constraints.omissions
  }

  private mutating func write(
    _ field: Field, of table: TableLayout, on connection: borrowing Connection
  ) throws(DatabaseError) {
    var constraint: String?
    if let domain = field.domain {
      constraint = try name(of: domain, on: connection)
      if constraint == nil {
        omissions.append(Omission(table: table.name, .domain(field: field.name)))
      }
    }
    try connection.insert(
      into: "gpkg_data_columns",
      [
        "table_name": .text(table.name), "column_name": .text(field.name),
        "title": field.alias == field.name ? .null : .text(field.alias),
        "constraint_name": constraint.map { .text($0) } ?? .null,
      ])
  }

  /// The name of the constraint for a domain, which is written when it is first requested; `nil`
  /// if no constraint can say the same.
  private mutating func name(
    of domain: Domain, on connection: borrowing Connection
  ) throws(DatabaseError) -> String? {
    if let name = names[domain] { return name }
    guard domain.isConstraint else { return nil }
    let base = domain.name.isEmpty ? "domain" : domain.name
    var name = base
    var number = 1
    while !taken.insert(name.lowercased()).inserted {
      number += 1
      name = "\(base)_\(number)"
    }
    names[domain] = name
    switch domain {
    case .codedValue(let domain): try write(domain, named: name, on: connection)
    case .range(let domain): try write(domain, named: name, on: connection)
    }
    return name
  }

  private func write(
    _ domain: CodedValueDomain, named name: String, on connection: borrowing Connection
  ) throws(DatabaseError) {
    var codes: Set<String> = []
    for value in domain.codedValues {
      guard let code = value.code.constraintText, codes.insert(code).inserted else { continue }
      try connection.insert(
        into: "gpkg_data_column_constraints",
        [
          "constraint_name": .text(name), "constraint_type": "enum", "value": .text(code),
          "description": .text(value.name),
        ])
    }
  }

  private func write(
    _ domain: RangeDomain, named name: String, on connection: borrowing Connection
  ) throws(DatabaseError) {
    // Ranges of moments are no constraints.
    func number(_ value: AttributeValue) -> SQLValue { SQLValue(value) { _ in .null } }
    try connection.insert(
      into: "gpkg_data_column_constraints",
      [
        "constraint_name": .text(name), "constraint_type": "range",
        "min": number(domain.minimum), "min_is_inclusive": 1, "max": number(domain.maximum),
        "max_is_inclusive": 1,
      ])
  }
}

extension Domain {
  /// Whether a constraint can say the same: ranges are of numbers, codes are there and no moments.
  fileprivate var isConstraint: Bool {
    switch self {
    case .range(let domain):
      [domain.minimum, domain.maximum].allSatisfy { $0 == .null || $0.number != nil }
    case .codedValue(let domain):
      !domain.codedValues.isEmpty
        && domain.codedValues.allSatisfy { $0.code.constraintText != nil }
    }
  }
}

extension AttributeValue {
  /// The code of a constraint.
  fileprivate var constraintText: String? {
    switch self {
    case .integer(let number): String(number)
    case .double(let number): String(number)
    case .text(let text): text
    case .null, .date, .blob: nil
    }
  }
}
