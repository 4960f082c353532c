internal import Foundation
public import PortolanFeatures

/// An expression in Arcade, read once and evaluated for one feature after another.
///
/// Evaluated are the language itself (variables, control flow, functions, arrays, dictionaries,
/// template literals) and the functions of ``supportedFunctions``. Feature sets, geometry and
/// every case in which Arcade's own answer is not beyond doubt are *not evaluated* and say why: a
/// missing value can be shown as such, a wrong one cannot. Steps, depth and the length of texts
/// are bounded, so that an expression from anywhere ends soon.
///
/// - SeeAlso: [Arcade](https://developers.arcgis.com/arcade/)
public struct ArcadeExpression: Hashable, Sendable {
  /// The result of an evaluation.
  public enum Result: Hashable, Sendable {
    case value(AttributeValue)
    /// The expression was not evaluated; the reason is a sentence for people.
    case notEvaluated(reason: String)

    /// The value, if there is one.
    public var value: AttributeValue? {
      if case .value(let value) = self { value } else { nil }
    }
  }

  /// The member of ``fields`` that means all fields of the feature.
  public static let allFields = "*"

  /// The expression as written.
  public let text: String
  private let parsed: Swift.Result<ArcadeProgram, ArcadeError>

  /// Reads an expression; what is wrong with it shows when it is evaluated.
  public init(_ text: String) {
    self.text = text
    do throws(ArcadeError) {
      parsed = .success(try ArcadeProgram(parsing: text))
    } catch {
      parsed = .failure(error)
    }
  }

  public static func == (left: ArcadeExpression, right: ArcadeExpression) -> Bool {
    left.text == right.text
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(text) }

  /// The expression as a tree, if it could be read.
  var program: ArcadeProgram? {
    if case .success(let program) = parsed { program } else { nil }
  }

  /// Whether the expression is Arcade that uses nothing but what is supported.
  public var isUnderstood: Bool {
    if case .success = parsed { true } else { false }
  }

  /// The reason why the expression is evaluated for no feature at all, as a sentence for people.
  public var problem: String? {
    if case .failure(let error) = parsed { error.reason } else { nil }
  }

  /// The names of the fields that the expression asks for; ``allFields`` where it works their
  /// names out.
  public var fields: [String] {
    if case .success(let program) = parsed { program.fields } else { [] }
  }

  /// The names of the functions that are evaluated, in lower case.
  public static var supportedFunctions: [String] {
    ArcadeFunction.evaluatedLate.union(ArcadeFunction.byName.keys).sorted()
  }

  /// The value of the expression for a feature.
  ///
  /// `true` and `false` are returned as text; arrays, dictionaries and numbers that are not finite
  /// are not evaluated.
  public func evaluate(
    _ attributes: Attributes, in context: ArcadeContext = ArcadeContext()
  ) -> Result {
    do throws(ArcadeError) {
      var evaluator = ArcadeEvaluator(try parsed.get(), attributes, context)
      return .value(try evaluator.result())
    } catch {
      return .notEvaluated(reason: error.reason)
    }
  }
}
