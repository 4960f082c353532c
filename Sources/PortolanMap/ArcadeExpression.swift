public import PortolanFeatures

/// A small part of Arcade: the expressions that name fields, join texts and do plain arithmetic.
///
/// Understood are `$feature.FIELD`, `$feature["FIELD"]`, numbers, texts, `null`, `+ - * /`,
/// parentheses and ``Function``s, after an optional `return`. Everything else, and every case in
/// which Arcade's own answer is not beyond doubt, is *not evaluated* and says why: a missing value
/// can be shown as such, a wrong one cannot.
///
/// - SeeAlso: [Arcade](https://developers.arcgis.com/arcade/)
public struct ArcadeExpression: Hashable, Sendable {
  /// What came of an evaluation.
  public enum Result: Hashable, Sendable {
    case value(AttributeValue)
    /// The expression was not evaluated; the reason is a sentence for people.
    case notEvaluated(reason: String)

    /// The value, if there is one.
    public var value: AttributeValue? {
      if case .value(let value) = self { value } else { nil }
    }
  }

  /// The functions that are understood; their names are compared without case.
  public enum Function: String, Hashable, Sendable, CaseIterable {
    /// A value as text, without a pattern.
    case text
    case upper
    case lower
    case trim
    /// To a number of digits after the point, none unless told otherwise.
    case round
    /// The second argument where the first is empty.
    case defaultValue = "defaultvalue"
  }

  /// The expression as written.
  public let text: String
  private let parsed: Swift.Result<ArcadeTerm, ArcadeFailure>

  /// Reads an expression; what is wrong with it shows when it is evaluated.
  public init(_ text: String) {
    self.text = text
    do throws(ArcadeFailure) {
      var parser = ArcadeParser(text)
      parsed = .success(try parser.expression())
    } catch {
      parsed = .failure(error)
    }
  }

  /// Whether the expression is one of those understood.
  public var isUnderstood: Bool {
    if case .success = parsed { true } else { false }
  }

  /// The names of the fields that the expression asks for.
  public var fields: [String] {
    if case .success(let term) = parsed { term.fields } else { [] }
  }

  /// The value of the expression for a feature.
  public func evaluate(_ attributes: Attributes) -> Result {
    do throws(ArcadeFailure) {
      return .value(try parsed.get().value(for: attributes))
    } catch {
      return .notEvaluated(reason: error.reason)
    }
  }
}

/// Why an expression has no value.
struct ArcadeFailure: Error, Hashable {
  let reason: String
}
