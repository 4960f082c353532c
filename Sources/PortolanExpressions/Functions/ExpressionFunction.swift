/// A function of expressions that are all evaluated alike.
struct ExpressionFunction: Sendable {
  typealias Body =
    @Sendable ([StyleValue], EvaluationContext) throws(EvaluationFault) -> StyleValue

  /// The parameters of a function.
  enum Signature: Sendable {
    case exactly([ExpressionType])
    case any(ExpressionType)
  }

  let result: ExpressionType
  let signature: Signature
  let dependency: ExpressionDependency
  let body: Body

  init(
    _ result: ExpressionType, _ signature: Signature, needs dependency: ExpressionDependency = [],
    _ body: @escaping Body
  ) {
    self.result = result
    self.signature = signature
    self.dependency = dependency
    self.body = body
  }

  /// A function of numbers.
  static func numeric(
    _ count: Int, _ body: @escaping @Sendable ([Double]) -> Double
  ) -> ExpressionFunction {
    let types = Array(repeating: ExpressionType.number, count: count)
    return ExpressionFunction(.number, .exactly(types)) { values, _ throws(EvaluationFault) in
      .number(body(values.map { $0.number ?? .nan }))
    }
  }

  /// A function of as many numbers as there are.
  static func numeric(
    _ body: @escaping @Sendable ([Double]) -> Double
  ) -> ExpressionFunction {
    ExpressionFunction(.number, .any(.number)) { values, _ throws(EvaluationFault) in
      .number(body(values.map { $0.number ?? .nan }))
    }
  }

  /// The functions by their names, each for the arguments that it takes.
  static let named: [String: [ExpressionFunction]] = mathematics.merging(features) { $1 }
    .merging(texts) { $1 }

  /// The type of the argument at an index.
  func type(at index: Int) -> ExpressionType {
    switch signature {
    case .exactly(let types): types[index]
    case .any(let type): type
    }
  }

  func takes(_ count: Int) -> Bool {
    switch signature {
    case .exactly(let types): types.count == count
    case .any: true
    }
  }
}
