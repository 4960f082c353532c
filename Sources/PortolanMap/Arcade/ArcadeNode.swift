/// A part of an expression that has a value, as a tree.
indirect enum ArcadeNode: Sendable {
  case null
  case boolean(Bool)
  case number(Double)
  case text(String)
  /// A variable, a constant or a function, in lower case.
  case name(String)
  /// `$feature` itself.
  case feature
  /// `$feature.NAME`.
  case field(String)
  case array([ArcadeNode])
  case dictionary([(key: String, value: ArcadeNode)])
  case template([ArcadeNode])
  case not(ArcadeNode)
  case negation(ArcadeNode)
  case plus(ArcadeNode)
  /// Operations of the same precedence from left to right: long sums are not nested deeply.
  case chain(ArcadeNode, [(ArcadeOperator, ArcadeNode)])
  case all([ArcadeNode])
  case any([ArcadeNode])
  case assignment(ArcadeTarget, ArcadeOperator?, ArcadeNode)
  /// `++` and `--`; as suffixes they return the old value.
  case step(ArcadeTarget, by: Double, returnsOld: Bool)
  case member(ArcadeNode, ArcadeNode)
  case call(String, [ArcadeNode])
}

/// An assignable expression.
indirect enum ArcadeTarget: Sendable {
  case variable(String)
  case member(ArcadeNode, ArcadeNode)
}

/// An operator between two values.
enum ArcadeOperator: String, Sendable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  case remainder = "%"
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="

  /// The operators by precedence, the loosest first.
  static let levels: [Set<String>] = [
    ["==", "!="], ["<", "<=", ">", ">="], ["+", "-"], ["*", "/", "%"],
  ]
}

/// A statement.
indirect enum ArcadeStatement: Sendable {
  case expression(ArcadeNode)
  case variables([(name: String, value: ArcadeNode?)])
  case block([ArcadeStatement])
  case branch([(condition: ArcadeNode, body: ArcadeStatement)], otherwise: ArcadeStatement?)
  case loop(
    first: ArcadeStatement?, condition: ArcadeNode?, step: ArcadeNode?, body: ArcadeStatement)
  /// `for (var name in list)`, which goes through indices and keys, or `of`, through values.
  case forEach(name: String, list: ArcadeNode, goesThroughValues: Bool, body: ArcadeStatement)
  case result(ArcadeNode?)
  case leave
  case next
  /// Functions are known before the first statement runs.
  case declaration
}

/// A function that an expression declares.
struct ArcadeRoutine: Sendable {
  let parameters: [String]
  let body: ArcadeStatement
}

/// An expression that has been read.
struct ArcadeProgram: Sendable {
  let statements: [ArcadeStatement]
  let routines: [String: ArcadeRoutine]
  /// The fields that are requested.
  let fields: [String]

  init(parsing text: String) throws(ArcadeError) {
    var lexer = try ArcadeLexer(text)
    var parser = ArcadeParser(try lexer.tokens(), lexer)
    statements = try parser.program()
    routines = parser.names.routines
    fields = parser.names.fields
  }
}
