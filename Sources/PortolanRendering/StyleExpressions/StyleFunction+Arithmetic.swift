internal import Foundation

extension StyleFunction {
  /// The value of a function of numbers; `nil` if it is none, or its arguments are no numbers.
  func arithmetic(_ values: [StyleValue]) -> StyleValue? {
    guard isArithmetic else { return nil }
    let numbers = values.compactMap(\.number)
    guard numbers.count == values.count else { return nil }
    return several(numbers).map(StyleValue.number)
  }

  private var isArithmetic: Bool {
    switch self {
    case .plus, .minus, .times, .divided, .remainder, .power, .min, .max, .abs, .floor, .ceil,
      .round, .sqrt, .ln, .log10, .log2, .sin, .cos, .tan, .asin, .acos, .atan, .pi, .e, .ln2:
      true
    default: false
    }
  }

  private func several(_ numbers: [Double]) -> Double? {
    switch (self, numbers.count) {
    case (.plus, _): numbers.reduce(0, +)
    case (.times, _): numbers.reduce(1, *)
    case (.minus, 1): -numbers[0]
    case (.minus, 2): numbers[0] - numbers[1]
    case (.divided, 2): numbers[0] / numbers[1]
    case (.remainder, 2): numbers[0].truncatingRemainder(dividingBy: numbers[1])
    case (.power, 2): pow(numbers[0], numbers[1])
    case (.min, 1...): numbers.min()
    case (.max, 1...): numbers.max()
    case (.pi, 0): .pi
    case (.e, 0): M_E
    case (.ln2, 0): M_LN2
    default: numbers.count == 1 ? single(numbers[0]) : nil
    }
  }

  private func single(_ number: Double) -> Double? {
    switch self {
    case .abs: Swift.abs(number)
    case .floor: number.rounded(.down)
    case .ceil: number.rounded(.up)
    case .round: number.rounded()
    case .sqrt: number.squareRoot()
    case .ln: Foundation.log(number)
    case .log10: Foundation.log10(number)
    case .log2: Foundation.log2(number)
    case .sin: Foundation.sin(number)
    case .cos: Foundation.cos(number)
    case .tan: Foundation.tan(number)
    case .asin: Foundation.asin(number)
    case .acos: Foundation.acos(number)
    case .atan: Foundation.atan(number)
    default: nil
    }
  }
}
