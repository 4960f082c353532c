/// Checks what is to be written to a table, without looking at its rows.
///
/// Every store asks it before it writes anything. Values come back as the field holds them: whole
/// numbers as such, dates to the millisecond, GUIDs with braces, so that what is read later equals
/// what was checked.
public struct FeatureValidator: Hashable, Sendable {
  /// The table.
  public let schema: FeatureTableSchema
  /// The ordinates that the store can hold.
  public let coordinateRange: CoordinateRange

  /// Creates a validator.
  public init(_ schema: FeatureTableSchema, coordinateRange: CoordinateRange = .unlimited) {
    self.schema = schema
    self.coordinateRange = coordinateRange
  }

  /// The starting values of a new feature: the defaults of its fields, the default subtype, and
  /// over these what a template says.
  ///
  /// - Parameter template: One of the table's or of a subtype's; `nil` for none.
  /// - Returns: Values by the names of the fields; none for fields that start empty.
  public func startingValues(_ template: FeatureTemplate? = nil) -> [String: AttributeValue] {
    var values: [String: AttributeValue] = [:]
    for field in schema.fields where whyReadOnly(field) == nil {
      // What is no value of the field is for the database of a service to compute, as NEWID() is.
      guard let value = field.defaultValue, field.type.normalized(value) != nil else { continue }
      values[field.name] = value
    }
    if let name = schema.typeIDField, let field = schema.field(named: name),
      let id = schema.defaultTypeID
    {
      values[field.name] = id
    }
    for (name, value) in template?.prototype ?? [:] {
      guard let field = schema.field(named: name), whyReadOnly(field) == nil else { continue }
      values[field.name] = value
    }
    return values
  }

  /// Checks the values of a feature that is to be added.
  ///
  /// - Parameters:
  ///   - attributes: Values by field name, without case; `null` leaves a field that must have a value to the
  ///     database, where that computes one.
  ///   - place: What errors name.
  /// - Returns: The values of all fields that have one, defaults included, by the fields' names.
  /// - Throws: ``FeatureEditError`` for the first value that is wrong.
  public func valuesOfNewFeature(
    _ attributes: [String: AttributeValue], at place: EditPlace
  ) throws(FeatureEditError) -> [String: AttributeValue] {
    var values = try checked(
      attributes.filter { !($0.value.isNull && isFilledByDatabase($0.key)) }, at: place)
    for (name, value) in startingValues() where values[name] == nil {
      guard let field = schema.field(named: name) else { continue }
      values[name] = try checked(value, of: field, at: place)
    }
    for field in schema.fields
    where !field.isNullable && !field.hasComputedDefault && !isFilledByStore(field) {
      guard !(values[field.name]?.isNull ?? true) else {
        throw .nullNotAllowed(field: field.name, place)
      }
    }
    var row = Attributes(FieldList(schema.fields))
    for (name, value) in values { row[name] = value }
    for name in values.keys.sorted() { try checkDomain(of: name, in: row, at: place) }
    return values
  }

  /// Checks new values of a feature that exists.
  ///
  /// - Parameters:
  ///   - attributes: Values by field name, without case.
  ///   - row: What the feature has now.
  ///   - place: What errors name.
  /// - Returns: The values, by the fields' names.
  /// - Throws: ``FeatureEditError`` for the first value that is wrong, or, where the subtype
  ///   changes, that does not suit the new one.
  public func changedValues(
    _ attributes: [String: AttributeValue], of row: Attributes, at place: EditPlace
  ) throws(FeatureEditError) -> [String: AttributeValue] {
    let values = try checked(attributes, at: place)
    var row = row
    for (name, value) in values { row[name] = value }
    var names = Set(values.keys)
    if let typeField = schema.typeIDField.flatMap(schema.field(named:)),
      values[typeField.name] != nil
    {
      names.formUnion(
        schema.types.flatMap(\.domains.keys).compactMap { schema.field(named: $0)?.name })
    }
    for name in names.sorted() { try checkDomain(of: name, in: row, at: place) }
    return values
  }

  /// Checks the value that one field of a row has, but no other that the subtype of the row does not suit.
  ///
  /// - Parameters:
  ///   - field: The field.
  ///   - row: What the feature is to have.
  ///   - place: What the error names.
  /// - Throws: ``FeatureEditError`` if the value is wrong.
  public func checkValue(
    of field: Field, in row: Attributes, at place: EditPlace
  ) throws(FeatureEditError) {
    var row = row
    row[field.name] = try checked(row[field.name] ?? .null, of: field, at: place)
    try checkDomain(of: field.name, in: row, at: place)
  }

  /// Why a person may not change a field; `nil` if they may.
  public func whyReadOnly(_ field: Field) -> FeatureEditError.ReadOnlyReason? {
    if isField(field, schema.objectIDField) || field.type == .objectID { return .objectID }
    if isField(field, schema.globalIDField) || field.type == .globalID { return .globalID }
    if isTracked(field) { return .editorTracking }
    return field.isEditable ? nil : .notEditable
  }

  // MARK: - Fields

  private func isField(_ field: Field, _ name: String?) -> Bool {
    name.flatMap { schema.field(named: $0) }?.name == field.name
  }

  /// Whether a new feature may lack a field that must have a value, since the database computes one.
  private func isFilledByDatabase(_ name: String) -> Bool {
    guard let field = schema.field(named: name) else { return false }
    return field.hasComputedDefault && !field.isNullable
  }

  private func isTracked(_ field: Field) -> Bool {
    schema.editorTracking?.fields.contains { isField(field, $0) } ?? false
  }

  /// Whether the store, and not a person, gives the field its value.
  private func isFilledByStore(_ field: Field) -> Bool {
    isField(field, schema.objectIDField) || field.type == .objectID
      || isField(field, schema.globalIDField) || isTracked(field)
  }

  private func checked(
    _ attributes: [String: AttributeValue], at place: EditPlace
  ) throws(FeatureEditError) -> [String: AttributeValue] {
    var values: [String: AttributeValue] = [:]
    for name in attributes.keys.sorted() {
      guard let field = schema.field(named: name), let value = attributes[name] else {
        throw .unknownField(name: name, place)
      }
      guard values[field.name] == nil else { throw .duplicateField(name: field.name, place) }
      values[field.name] = try checked(value, of: field, at: place)
    }
    return values
  }

  private func checked(
    _ value: AttributeValue, of field: Field, at place: EditPlace
  ) throws(FeatureEditError) -> AttributeValue {
    if let reason = whyReadOnly(field) {
      throw .readOnlyField(name: field.name, reason, place)
    }
    return try self.value(value, of: field, at: place)
  }
}

extension EditorTracking {
  /// The fields that are there.
  var fields: [String] {
    [creatorField, creationDateField, editorField, editDateField].compactMap { $0 }
  }
}
