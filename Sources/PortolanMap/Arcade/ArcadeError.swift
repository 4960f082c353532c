/// The reason why an Arcade expression has no value.
enum ArcadeError: Error, Hashable {
  /// The text is not Arcade from here on; empty at its end.
  case syntax(near: String)
  /// A function, variable or form of the language that is not evaluated, by its name.
  case notSupported(String)
  /// The feature has no such field.
  case noField(String)
  /// A dictionary or array has no such member.
  case noMember(String)
  /// A value of the wrong kind, said as a clause after "The Arcade expression".
  case wrongValue(String)
  /// A function was called with too many or too few arguments.
  case wrongCount(function: String, count: Int)
  case tooManySteps
  case tooDeep
  case tooLong

  /// The reason as a sentence for people.
  var reason: String {
    switch self {
    case .syntax(let place) where place.isEmpty: "The Arcade expression ends too early."
    case .syntax(let place): "The Arcade expression cannot be read from \"\(place)\" on."
    case .notSupported(let name): "The Arcade expression uses \(name), which is not supported."
    case .noField(let name): "There is no field \"\(name)\"."
    case .noMember(let name): "The Arcade expression asks for \"\(name)\", which is not there."
    case .wrongValue(let clause): "The Arcade expression \(clause)."
    case .wrongCount(let function, let count):
      "The Arcade expression calls \(function) with \(count) \(count == 1 ? "argument" : "arguments")."
    case .tooManySteps: "The Arcade expression takes too many steps."
    case .tooDeep: "The Arcade expression is nested too deeply."
    case .tooLong: "The text grows too long."
    }
  }
}
