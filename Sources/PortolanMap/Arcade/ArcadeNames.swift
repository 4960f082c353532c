/// The names that an expression declares and uses.
///
/// Names that it uses without defining them, nothing else defines: such an expression is refused as
/// a whole, for every feature alike, and not only where the name happens to be reached.
struct ArcadeNames {
  private(set) var routines: [String: ArcadeRoutine] = [:]
  private(set) var fields: [String] = []
  private var declared: Set<String> = []
  private var used: [(name: String, written: String, isCalled: Bool)] = []

  mutating func declare(_ name: String) { declared.insert(name.lowercased()) }

  mutating func declare(_ routine: ArcadeRoutine, named name: String) {
    routines[name.lowercased()] = routine
  }

  mutating func use(_ name: String, isCalled: Bool) {
    used.append((name.lowercased(), name, isCalled))
  }

  mutating func useField(_ name: String) {
    if !fields.contains(name) { fields.append(name) }
  }

  /// The fields named by the arguments after `$feature`, where they are plain texts; `POP*` may be any.
  mutating func useFields(of arguments: [ArcadeNode]) {
    for argument in arguments {
      if case .text(let name) = argument, !name.contains("*") {
        useField(name)
      } else {
        useAllFields()
      }
    }
  }

  mutating func useAllFields() { useField(ArcadeExpression.allFields) }

  /// Refuses names that are not defined.
  func check() throws(ArcadeError) {
    for (name, written, isCalled) in used where !isKnown(name) {
      throw .notSupported(isCalled ? "the function \(written)" : written)
    }
  }

  private func isKnown(_ name: String) -> Bool {
    declared.contains(name) || routines[name] != nil || ArcadeFunction.byName[name] != nil
      || ArcadeFunction.evaluatedLate.contains(name) || ArcadeFunction.constants[name] != nil
      || name == "textformatting"
  }
}
