internal import Foundation

extension ArcadeFunction {
  static let numbers: [ArcadeFunction] = [
    ArcadeFunction("Number", 1...2, number),
    rounding("Round") { ArcadeRounding.round($0, places: 0) },
    rounding("Floor") { $0.rounded(.down) },
    rounding("Ceil") { $0.rounded(.up) },
    function("Abs") { abs($0) }, function("Sqrt") { $0.squareRoot() }, function("Exp", exp),
    function("Log", log), function("Sin", sin), function("Cos", cos), function("Tan", tan),
    function("Asin", asin), function("Acos", acos), function("Atan", atan),
    ArcadeFunction("Atan2", 2...2) { _, values throws(ArcadeError) in
      .number(atan2(try values[0].number(), try values[1].number()))
    },
    ArcadeFunction("Pow", 2...2) { _, values throws(ArcadeError) in
      .number(pow(try values[0].number(), try values[1].number()))
    },
    ArcadeFunction("Constrain", 3...3) { _, values throws(ArcadeError) in
      let least = try values[1].number()
      return .number(min(max(try values[0].number(), least), max(try values[2].number(), least)))
    },
    ArcadeFunction("IsNaN", 1...1) { _, values throws(ArcadeError) in
      guard case .number(let number) = values[0] else { return .boolean(false) }
      return .boolean(number.isNaN)
    },
  ]

  /// A value as a number; texts may be read by a pattern.
  private static let number: Body = { evaluator, values throws(ArcadeError) in
    if case .date(let date) = values[0] { return .number(date.milliseconds) }
    guard values.count > 1, case .text(let text) = values[0] else {
      return .number(try values[0].number())
    }
    let pattern = try evaluator.text(of: values[1])
    guard !pattern.isEmpty else { return .number(try values[0].number()) }
    return .number(try ArcadeNumberFormat.number(in: text, pattern))
  }

  private static func function(
    _ name: String, _ body: @escaping @Sendable (Double) -> Double
  ) -> ArcadeFunction {
    ArcadeFunction(name, 1...1) { _, values throws(ArcadeError) in
      .number(body(try values[0].number()))
    }
  }

  /// A function that takes numbers to so many digits after the point.
  private static func rounding(
    _ name: String, _ rule: @escaping @Sendable (Double) -> Double
  ) -> ArcadeFunction {
    ArcadeFunction(name, 1...2) { _, values throws(ArcadeError) in
      let places = values.count > 1 ? try values[1].integer() : 0
      guard (-15...15).contains(places) else {
        throw .wrongValue("rounds to an unusual number of digits")
      }
      return .number(ArcadeRounding.adjust(try values[0].number(), places: places, rule))
    }
  }

  static let statistics: [ArcadeFunction] = [
    statistic("Sum") { .number($0.reduce(0, +)) },
    statistic("Max") { .number($0.max() ?? 0) },
    statistic("Min") { .number($0.min() ?? 0) },
    statistic("Mean", mean), statistic("Average", mean),
    statistic("Variance") { .number(ArcadeFunction.variance(of: $0)) },
    statistic("Stdev") { .number(ArcadeFunction.variance(of: $0).squareRoot()) },
  ]

  /// The variance of a whole population.
  private static func variance(of numbers: [Double]) -> Double {
    let mean = numbers.reduce(0, +) / Double(numbers.count)
    return numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(numbers.count)
  }

  private static let mean: @Sendable ([Double]) -> ArcadeValue = { numbers in
    .number(numbers.reduce(0, +) / Double(numbers.count))
  }

  /// A function of numbers, given one by one or as an array; `null` without any.
  ///
  /// A missing number among others counts as 0 in some clients and is passed over in others:
  /// where that makes a difference there is no value.
  private static func statistic(
    _ name: String, _ body: @escaping @Sendable ([Double]) -> ArcadeValue
  ) -> ArcadeFunction {
    ArcadeFunction(name, 0...many) { evaluator, values throws(ArcadeError) in
      var values = values
      if values.count == 1, case .array(let place) = values[0] {
        values = evaluator.elements(place)
      }
      try evaluator.spend(values.count)
      guard !values.isEmpty else { return .null }
      var counted: [Double] = []
      var found: [Double] = []
      for value in values {
        let number = try value.number()
        guard !number.isNaN else {
          throw .wrongValue("calculates with something that is no number")
        }
        counted.append(number)
        if case .null = value { continue }
        found.append(number)
      }
      let result = body(counted)
      guard found.count == counted.count || (!found.isEmpty && body(found).isEqual(to: result))
      else { throw .wrongValue("calculates \(name) with a missing value among others") }
      return result
    }
  }
}
