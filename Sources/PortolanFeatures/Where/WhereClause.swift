public import struct Foundation.Date

/// A condition on the fields of a feature, in the SQL that feature services take.
///
/// The standardised subset: comparisons, `AND`, `OR`, `NOT`, `IN`, `BETWEEN`, `LIKE … ESCAPE`,
/// `IS [NOT] NULL`, arithmetic, `||`; text (`'it''s'`), numbers, `DATE '2020-01-31'`,
/// `TIMESTAMP '2020-01-31 10:00:00'`, `INTERVAL '1' DAY`, `NULL`, `CURRENT_DATE`,
/// `CURRENT_TIMESTAMP`; `CASE WHEN … THEN … ELSE … END`; the functions of ``WhereExpression/Function``. Names of fields are bare,
/// in double quotes or in brackets, are compared without case, and may be qualified.
///
/// Where servers differ, this holds:
/// - Text is compared as its bytes are, so that case and accents matter, in `=`, `<`, `IN` and
///   `LIKE` alike; write `UPPER(NAME) LIKE '%PORT%'` to ignore case, of any script. GUIDs are
///   compared without case, with or without braces.
/// - Numbers, texts and dates are not mixed. A literal takes the kind of what it is compared
///   with if it can (`POP > '5'`, `SEEN > '2020-01-31'`); otherwise the clause is refused.
/// - Whole numbers divided give a whole number; division by zero gives no value.
/// - Moments are UTC and compared to the millisecond; a day is its first moment. A number added
///   to a date counts days.
/// - A comparison with no value is neither true nor false, and only what is true is found.
///
/// A clause is parsed once, then bound to a schema, which checks fields and kinds; bound, it
/// becomes SQL for a store or is asked about features in memory, with the same answers.
///
/// - SeeAlso: [Standardized queries](https://doc.arcgis.com/en/arcgis-online/reference/sql-agol.htm)
public struct WhereClause: Hashable, Sendable {
  /// The clause as it was written.
  public let text: String

  /// What it says; `nil` if it is blank, which holds for every feature.
  public let expression: WhereExpression?

  /// The longest clause that is read, in bytes: ids in the ten thousands fit.
  public static let maximumLength = 1 << 20

  /// The most values that a clause may have; SQLite binds no more.
  public static let maximumValueCount = 30_000

  /// Parses a clause.
  ///
  /// - Throws: ``FeatureStoreError/badWhereClause(reason:offset:)``.
  public init(_ text: String) throws(FeatureStoreError) {
    guard text.utf8.count <= Self.maximumLength else {
      throw .badWhereClause(
        reason: "it is longer than \(Self.maximumLength) bytes", offset: Self.maximumLength)
    }
    self.text = text
    let tokens = try WhereLexer.tokens(of: text)
    guard tokens.count(where: \.isLiteral) <= Self.maximumValueCount else {
      throw .badWhereClause(
        reason: "it has more than \(Self.maximumValueCount) values", offset: text.count)
    }
    expression = tokens.count == 1 ? nil : try WhereParser.parse(tokens)
  }

  /// The clause with its fields found in `schema` and its constants worked out.
  ///
  /// `now` is the moment that `CURRENT_TIMESTAMP` stands for.
  ///
  /// - Throws: ``FeatureStoreError/noSuchField(name:table:)``, or
  ///   ``FeatureStoreError/badWhereClause(reason:offset:)`` if kinds do not fit.
  public func bound(
    to schema: FeatureTableSchema, now: Date
  ) throws(FeatureStoreError) -> BoundWhereClause {
    try bound(to: FieldList(schema.fields), of: schema.name, now: now)
  }

  /// The clause bound to the fields of a table; see ``bound(to:now:)``.
  ///
  /// Asking about attributes is fastest when they share `fields`.
  public func bound(
    to fields: FieldList, of table: String, now: Date
  ) throws(FeatureStoreError) -> BoundWhereClause {
    guard let expression else { return BoundWhereClause(condition: .all([]), fields: fields) }
    let binder = WhereBinder(fields: fields, table: table, now: now)
    return BoundWhereClause(condition: try binder.condition(expression), fields: fields)
  }
}
