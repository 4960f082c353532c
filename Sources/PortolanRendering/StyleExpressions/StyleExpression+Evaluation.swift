internal import Foundation

extension StyleExpression {
  /// The value for a feature at a zoom; null where there is none.
  func value(_ context: StyleContext, _ scope: [String: StyleValue] = [:]) -> StyleValue {
    switch self {
    case .literal(let value): return value
    case .template(let text): return .text(Self.filled(text, context))
    case .match(let input, let branches, let fallback):
      return (branches[input.value(context, scope)] ?? fallback).value(context, scope)
    case .curve(let curve): return curve.value(context, scope)
    case .binding(let bindings, let body):
      var inner = scope
      for (name, value) in bindings { inner[name] = value.value(context, inner) }
      return body.value(context, inner)
    case .call(let function, let arguments): return Self.call(function, arguments, context, scope)
    case .numberFormat(let number, let digits):
      return number.value(context, scope).number.map { .text(Self.written($0, digits)) } ?? .null
    }
  }

  /// Calls whose arguments are evaluated only where they count.
  private static func call(
    _ function: StyleFunction, _ arguments: [StyleExpression], _ context: StyleContext,
    _ scope: [String: StyleValue]
  ) -> StyleValue {
    switch function {
    case .all: return .bool(arguments.allSatisfy { $0.value(context, scope).isTrue })
    case .any: return .bool(arguments.contains { $0.value(context, scope).isTrue })
    case .none: return .bool(!arguments.contains { $0.value(context, scope).isTrue })
    case .case:
      for index in stride(from: 0, to: arguments.count - 1, by: 2)
      where arguments[index].value(context, scope).isTrue {
        return arguments[index + 1].value(context, scope)
      }
      return arguments.count % 2 == 1 ? arguments.last?.value(context, scope) ?? .null : .null
    case .coalesce:
      for argument in arguments {
        let value = argument.value(context, scope)
        if value != .null { return value }
      }
      return .null
    case .var: return scope[arguments.first?.value(context, scope).text ?? ""] ?? .null
    default:
      return function.value(arguments.map { $0.value(context, scope) }, context)
    }
  }

  private static func filled(_ text: String, _ context: StyleContext) -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
      result += rest[..<start]
      result += context.property(String(rest[rest.index(after: start)..<end])).text
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  /// A number in digits, by thousands, the same in every place.
  private static func written(_ number: Double, _ digits: ClosedRange<Int>) -> String {
    number.formatted(
      .number.precision(.fractionLength(digits)).locale(Locale(identifier: "en_US")))
  }
}
