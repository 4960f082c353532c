/// The arguments that a command line gives for a command's parameters.
public struct Arguments: Hashable, Sendable {
  private var values: [Parameter: [String]] = [:]

  mutating func add(_ value: String, for parameter: Parameter) {
    values[parameter, default: []].append(value)
  }

  func isGiven(_ parameter: Parameter) -> Bool { values[parameter] != nil }

  /// Whether a flag is given.
  public func isSet(_ flag: Parameter) -> Bool { isGiven(flag) }

  /// The value of an optional parameter, or `nil` if it is not given.
  public func value<Value>(
    of parameter: Parameter, as format: ValueFormat<Value>
  ) throws(UsageError) -> Value? {
    try values(of: parameter, as: format).first
  }

  /// The values of a repeatable parameter, in order.
  public func values<Value>(
    of parameter: Parameter, as format: ValueFormat<Value>
  ) throws(UsageError) -> [Value] {
    var result: [Value] = []
    for text in values[parameter] ?? [] {
      guard let value = format.parse(text) else {
        throw text.isFromOtherEncoding
          ? UsageError(
            "\(parameter.label) is not in UTF-8, so it cannot be the name of a file.",
            suggestion: "Rename the file, or make a link to it with another name.")
          : UsageError(
            "\(parameter.label) is \"\(text)\"; it must be \(format.expectation).",
            suggestion: DecimalComma.advice(on: text) { format.parse($0) != nil })
      }
      result.append(value)
    }
    return result
  }

  /// The value of a parameter that must be given.
  ///
  /// - Parameters:
  ///   - parameter: The parameter.
  ///   - format: What values look like.
  ///   - command: The command, where it takes the parameter only in some of its forms: its usage is
  ///     shown with what is missing.
  /// - Returns: The value.
  /// - Throws: ``UsageError`` if it is missing, or not what it must be.
  public func required<Value>(
    _ parameter: Parameter, as format: ValueFormat<Value>, of command: CommandDeclaration? = nil
  ) throws(UsageError) -> Value {
    guard let value = try value(of: parameter, as: format) else {
      throw UsageError(
        "\(parameter.spelling) is missing.", suggestion: command.map { $0.usageAdvice })
    }
    return value
  }

  /// Checks that nothing that `command` must have is missing.
  func checkComplete(for command: CommandDeclaration) throws(UsageError) {
    let missing = command.parameters.first { $0.isRequired && !isGiven($0) }
    guard let missing else { return }
    throw UsageError(
      "\(missing.spelling) is missing.", suggestion: command.usageAdvice)
  }
}

extension String {
  /// Whether bytes that are not UTF-8 have become U+FFFD in it, so that what was meant is not known.
  var isFromOtherEncoding: Bool { contains("\u{FFFD}") }
}
