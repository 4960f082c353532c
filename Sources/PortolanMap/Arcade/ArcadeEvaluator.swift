internal import Foundation
internal import PortolanFeatures

/// Evaluates an expression for one feature.
struct ArcadeEvaluator {
  /// A label takes a few dozen steps; who takes more than this does not end soon.
  private static let maximumSteps = 50_000
  /// The number of steps that a built-in function counts as: some read texts, or ask calendars.
  private static let stepsOfFunction = 10
  /// Calls and nested expressions together; each takes a part of the thread's stack.
  private static let maximumDepth = 160
  /// The longest text, in bytes.
  static let maximumLength = 1_000_000

  let attributes: Attributes
  let context: ArcadeContext
  private let program: ArcadeProgram
  private var steps = 0
  private var depth = 0
  private var arrays: [[ArcadeValue]] = []
  private var dictionaries: [ArcadeDictionary] = []
  private var globals: [String: ArcadeValue] = [:]
  /// The variables of the functions being called, the innermost last.
  private var frames: [[String: ArcadeValue]] = []

  init(_ program: ArcadeProgram, _ attributes: Attributes, _ context: ArcadeContext) {
    self.program = program
    self.attributes = attributes
    self.context = context
  }

  /// The result of the expression: that of `return`, else the value of its last statement.
  mutating func result() throws(ArcadeError) -> AttributeValue {
    let value: ArcadeValue
    switch try run(program.statements) {
    case .normal(let last): value = last ?? .null
    case .result(let result): value = result
    case .leave, .next: throw .wrongValue("leaves a loop that it is not in")
    }
    switch value {
    case .null: return .null
    case .boolean(let isTrue): return .text(isTrue ? "true" : "false")
    case .number(let number):
      guard number.isFinite else { throw .wrongValue("has a result that is not a finite number") }
      return .double(number)
    case .text(let text): return .text(text)
    case .date(let date): return .date(date.date)
    case .array, .dictionary, .function, .feature:
      throw .wrongValue("has a result that is no single value")
    }
  }

  // MARK: Bounds

  /// Counts work, so that none is without end.
  mutating func spend(_ count: Int = 1) throws(ArcadeError) {
    steps += count
    guard steps <= Self.maximumSteps else { throw .tooManySteps }
  }

  /// Runs `body` one level deeper.
  mutating func deeper<Value>(
    _ body: (inout ArcadeEvaluator) throws(ArcadeError) -> Value
  ) throws(ArcadeError) -> Value {
    try spend()
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { throw .tooDeep }
    return try body(&self)
  }

  /// A new text, paid for by its length.
  mutating func made(_ text: String) throws(ArcadeError) -> ArcadeValue {
    guard text.utf8.count <= Self.maximumLength else { throw .tooLong }
    try spend(text.utf8.count / 64)
    return .text(text)
  }

  // MARK: Arrays and dictionaries

  mutating func made(_ elements: [ArcadeValue]) throws(ArcadeError) -> ArcadeValue {
    try spend(elements.count + 1)
    arrays.append(elements)
    return .array(arrays.count - 1)
  }

  mutating func made(_ dictionary: ArcadeDictionary) throws(ArcadeError) -> ArcadeValue {
    try spend(dictionary.keys.count + 1)
    dictionaries.append(dictionary)
    return .dictionary(dictionaries.count - 1)
  }

  func elements(_ place: Int) -> [ArcadeValue] { arrays[place] }

  func members(_ place: Int) -> ArcadeDictionary { dictionaries[place] }

  mutating func change(
    _ place: Int, _ body: (inout [ArcadeValue]) -> Void
  ) throws(ArcadeError) {
    try spend()
    body(&arrays[place])
  }

  mutating func set(_ key: String, to value: ArcadeValue, in place: Int) throws(ArcadeError) {
    try spend()
    dictionaries[place][key] = value
  }

  /// The elements of an array.
  func array(_ value: ArcadeValue) throws(ArcadeError) -> [ArcadeValue] {
    guard case .array(let place) = value else {
      throw .wrongValue("needs an array and has something else")
    }
    return arrays[place]
  }

  // MARK: Variables

  func variable(_ name: String) throws(ArcadeError) -> ArcadeValue {
    if let value = frames.last?[name] ?? globals[name] { return value }
    if let constant = ArcadeFunction.constants[name] { return .number(constant) }
    let isFunction =
      program.routines[name] != nil || ArcadeFunction.byName[name] != nil
      || ArcadeFunction.evaluatedLate.contains(name)
    guard isFunction else { throw .wrongValue("uses \"\(name)\" before it has a value") }
    return .function(name)
  }

  mutating func declare(_ name: String, _ value: ArcadeValue) {
    if frames.isEmpty {
      globals[name] = value
    } else {
      frames[frames.count - 1][name] = value
    }
  }

  mutating func assign(_ name: String, _ value: ArcadeValue) throws(ArcadeError) {
    if frames.last?[name] != nil {
      frames[frames.count - 1][name] = value
    } else if globals[name] != nil {
      globals[name] = value
    } else {
      throw .wrongValue("assigns to \"\(name)\", which is not declared")
    }
  }

  // MARK: Calls

  /// Calls a function by its name, be it the expression's own or one of Arcade's.
  mutating func call(
    _ name: String, _ arguments: [ArcadeValue]
  ) throws(ArcadeError) -> ArcadeValue {
    if case .function(let other)? = frames.last?[name] ?? globals[name], other != name {
      return try deeper { evaluator throws(ArcadeError) in try evaluator.call(other, arguments) }
    }
    if let routine = program.routines[name] { return try run(routine, name, arguments) }
    guard let function = ArcadeFunction.byName[name] else {
      throw .notSupported("the function \(name)")
    }
    guard function.arguments.contains(arguments.count) else {
      throw .wrongCount(function: function.name, count: arguments.count)
    }
    try spend(Self.stepsOfFunction)
    return try function.body(&self, arguments)
  }

  /// Calls the function that a value is.
  mutating func call(
    _ function: ArcadeValue, with arguments: [ArcadeValue]
  ) throws(ArcadeError) -> ArcadeValue {
    guard case .function(let name) = function else {
      throw .wrongValue("calls something that is no function")
    }
    return try call(name, arguments)
  }

  private mutating func run(
    _ routine: ArcadeRoutine, _ name: String, _ arguments: [ArcadeValue]
  ) throws(ArcadeError) -> ArcadeValue {
    guard routine.parameters.count == arguments.count else {
      throw .wrongCount(function: name, count: arguments.count)
    }
    let variables = Dictionary(
      zip(routine.parameters, arguments), uniquingKeysWith: { _, last in last })
    frames.append(variables)
    defer { frames.removeLast() }
    let completion = try deeper { evaluator throws(ArcadeError) in
      try evaluator.run(routine.body)
    }
    switch completion {
    case .result(let value): return value
    case .normal(let last): return last ?? .null
    case .leave, .next: throw .wrongValue("leaves a loop that it is not in")
    }
  }
}
