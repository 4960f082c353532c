internal import PortolanFeatures

/// The way in which a statement ended.
enum ArcadeCompletion {
  /// With the value of its last statement; variables, loops and branches that are not taken have none.
  case normal(ArcadeValue?)
  case result(ArcadeValue)
  case leave
  case next
}

extension ArcadeEvaluator {
  mutating func run(_ statements: [ArcadeStatement]) throws(ArcadeError) -> ArcadeCompletion {
    var last: ArcadeValue?
    for statement in statements where statement.isExecuted {
      let completion = try run(statement)
      guard case .normal(let value) = completion else { return completion }
      last = value
    }
    return .normal(last)
  }

  mutating func run(_ statement: ArcadeStatement) throws(ArcadeError) -> ArcadeCompletion {
    switch statement {
    case .expression(let node): return .normal(try value(of: node))
    case .variables(let variables):
      for (name, node) in variables { declare(name, try value(of: node)) }
      return .normal(nil)
    case .block(let statements):
      return try deeper { evaluator throws(ArcadeError) in try evaluator.run(statements) }
    case .branch(let branches, let otherwise): return try choose(branches, otherwise)
    case .loop(let first, let condition, let step, let body):
      if let first { _ = try run(first) }
      return try loop(while: condition, step, body)
    case .forEach(let name, let list, let goesThroughValues, let body):
      return try loop(name, through: try items(of: list, goesThroughValues), body)
    case .result(let node): return .result(try value(of: node))
    case .leave: return .leave
    case .next: return .next
    case .declaration: return .normal(nil)
    }
  }

  private mutating func value(of node: ArcadeNode?) throws(ArcadeError) -> ArcadeValue {
    guard let node else { return .null }
    return try value(of: node)
  }

  private mutating func choose(
    _ branches: [(condition: ArcadeNode, body: ArcadeStatement)], _ otherwise: ArcadeStatement?
  ) throws(ArcadeError) -> ArcadeCompletion {
    for (condition, body) in branches where try value(of: condition).condition() {
      return try runDeeper(body)
    }
    guard let otherwise else { return .normal(nil) }
    return try runDeeper(otherwise)
  }

  private mutating func runDeeper(
    _ statement: ArcadeStatement
  ) throws(ArcadeError) -> ArcadeCompletion {
    try deeper { evaluator throws(ArcadeError) in try evaluator.run(statement) }
  }

  private mutating func loop(
    while condition: ArcadeNode?, _ step: ArcadeNode?, _ body: ArcadeStatement
  ) throws(ArcadeError) -> ArcadeCompletion {
    while true {
      try spend()
      if let condition, !(try value(of: condition).condition()) { return .normal(nil) }
      switch try runDeeper(body) {
      case .result(let value): return .result(value)
      case .leave: return .normal(nil)
      case .normal, .next: break
      }
      if let step { _ = try value(of: step) }
    }
  }

  private mutating func loop(
    _ name: String, through items: [ArcadeValue], _ body: ArcadeStatement
  ) throws(ArcadeError) -> ArcadeCompletion {
    for item in items {
      declare(name, item)
      switch try runDeeper(body) {
      case .result(let value): return .result(value)
      case .leave: return .normal(nil)
      case .normal, .next: break
      }
    }
    return .normal(nil)
  }

  /// The sequence that a loop iterates over: positions and names, or the values there.
  private mutating func items(
    of list: ArcadeNode, _ goesThroughValues: Bool
  ) throws(ArcadeError) -> [ArcadeValue] {
    let list = try value(of: list)
    switch list {
    case .array(let place):
      let elements = elements(place)
      try spend(elements.count)
      return goesThroughValues ? elements : elements.indices.map { .number(Double($0)) }
    case .dictionary(let place) where !goesThroughValues:
      return members(place).keys.map { .text($0) }
    case .feature where !goesThroughValues:
      return attributes.fields.map { .text($0.name) }
    default: throw .wrongValue("goes through something that is no list")
    }
  }
}

extension ArcadeStatement {
  /// Whether it does anything in its turn: functions are declared before, and a semicolon alone is no statement.
  fileprivate var isExecuted: Bool {
    switch self {
    case .declaration: false
    case .block(let statements): !statements.isEmpty
    default: true
    }
  }
}
