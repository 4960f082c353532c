/// A part of a where clause, as it was written.
public struct WhereExpression: Hashable, Sendable {
  /// What it says.
  public var kind: Kind
  /// Its position in the clause, in characters from 0.
  public var offset: Int

  /// Creates a part.
  public init(_ kind: Kind, offset: Int = 0) {
    self.kind = kind
    self.offset = offset
  }

  /// What a part says.
  public indirect enum Kind: Hashable, Sendable {
    /// Text, a number, a moment or `NULL`.
    case literal(AttributeValue)
    /// `INTERVAL '1' DAY`, in milliseconds.
    case interval(Int64)
    /// `CURRENT_DATE`: the first moment of today in UTC.
    case currentDate
    /// `CURRENT_TIMESTAMP`.
    case currentTimestamp
    /// The name of a field, without quotes; qualifiers are separated by dots.
    case field(String)
    case negation(WhereExpression)
    case arithmetic(ArithmeticOperator, WhereExpression, WhereExpression)
    /// `a || b`, `CONCAT(a, b)`.
    case concatenation([WhereExpression])
    case function(Function, [WhereExpression])
    case extract(DatePart, WhereExpression)
    case cast(WhereExpression, CastType)
    /// `CASE WHEN condition THEN value … ELSE value END`, and `CASE value WHEN value THEN …`, whose
    /// conditions are comparisons then.
    case cases([Branch], otherwise: WhereExpression?)
    case comparison(ComparisonOperator, WhereExpression, WhereExpression)
    case isNull(WhereExpression)
    case like(WhereExpression, pattern: WhereExpression, escape: WhereExpression?)
    case between(WhereExpression, WhereExpression, WhereExpression)
    case isIn(WhereExpression, [WhereExpression])
    /// All of the parts, of which there are two or more.
    case and([WhereExpression])
    /// Any of the parts, of which there are two or more.
    case or([WhereExpression])
    case not(WhereExpression)
  }

  /// One value of `CASE`, and when it counts.
  public struct Branch: Hashable, Sendable {
    /// What must hold.
    public var condition: WhereExpression
    /// The value then.
    public var value: WhereExpression

    /// Creates a branch.
    public init(when condition: WhereExpression, then value: WhereExpression) {
      self.condition = condition
      self.value = value
    }
  }

  /// How numbers are joined.
  public enum ArithmeticOperator: String, Hashable, Sendable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
  }

  /// How values are compared.
  public enum ComparisonOperator: String, Hashable, Sendable {
    case equal = "="
    case notEqual = "<>"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }

  /// The functions that are called with a list of arguments.
  ///
  /// `SUBSTRING(text FROM start FOR count)`, `POSITION(text IN text)` and
  /// `TRIM(BOTH 'x' FROM text)` have lists too, in the order of their parts; what `TRIM` takes
  /// off comes last.
  public enum Function: String, Hashable, Sendable, CaseIterable {
    case upper = "UPPER"
    case lower = "LOWER"
    case charLength = "CHAR_LENGTH"
    /// Counts from 1, or backwards from the end if the start is negative.
    case substring = "SUBSTRING"
    case trim = "TRIM"
    case trimLeading = "TRIM LEADING"
    case trimTrailing = "TRIM TRAILING"
    /// The place of the first text in the second, from 1; 0 if it is not there.
    case position = "POSITION"
    case abs = "ABS"
    /// To a number of decimals, or of zeros if it is negative; halves away from zero.
    case round = "ROUND"
    case floor = "FLOOR"
    case ceiling = "CEILING"
    /// The remainder of whole numbers, with the sign of the first.
    case mod = "MOD"
    case coalesce = "COALESCE"
    case nullIf = "NULLIF"
  }

  /// The parts of a moment.
  public enum DatePart: String, Hashable, Sendable, CaseIterable {
    case year = "YEAR"
    case month = "MONTH"
    case day = "DAY"
    case hour = "HOUR"
    case minute = "MINUTE"
    /// Without thousandths.
    case second = "SECOND"
  }

  /// What a value can be turned into.
  public enum CastType: String, Hashable, Sendable {
    /// A whole number; fractions are cut off.
    case integer = "INTEGER"
    case double = "DOUBLE"
    case text = "VARCHAR"
    /// The first moment of a day.
    case date = "DATE"
    case timestamp = "TIMESTAMP"
  }
}
