/// A function of Arcade.
struct ArcadeFunction: Sendable {
  typealias Body =
    @Sendable (inout ArcadeEvaluator, [ArcadeValue]) throws(ArcadeError) -> ArcadeValue

  /// The name as people write it.
  let name: String
  /// The number of arguments it takes.
  let arguments: ClosedRange<Int>
  let body: Body

  init(_ name: String, _ arguments: ClosedRange<Int>, _ body: @escaping Body) {
    self.name = name
    self.arguments = arguments
    self.body = body
  }

  /// The maximum number of arguments of functions that take any number.
  static let many = 10_000

  /// All functions that are evaluated, by their names in lower case.
  static let byName: [String: ArcadeFunction] = {
    let groups = [texts, codes, numbers, statistics, dates, logic, arrays, callbacks]
    return Dictionary(
      groups.joined().map { ($0.name.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
  }()

  /// Functions that evaluate only those of their arguments that they choose.
  static let evaluatedLate: Set<String> = ["iif", "when", "decode"]

  /// Functions whose arguments after `$feature` name fields.
  static let namingFields: Set<String> = [
    "hasvalue", "haskey", "defaultvalue", "domainname", "domaincode", "expects",
  ]

  static let constants: [String: Double] = ["pi": .pi, "infinity": .infinity]

  /// The members of `TextFormatting`, by their names in lower case.
  static let textFormatting = [
    "backwardslash": "\\", "doublequote": "\"", "forwardslash": "/", "newline": "\n",
    "singlequote": "'", "tab": "\t",
  ]
}
