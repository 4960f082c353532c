internal import PortolanJSON

/// Values that get names.
struct BindingNode: ExpressionNode {
  let bindings: [(slot: Int, node: any ExpressionNode)]
  let result: any ExpressionNode

  var type: ExpressionType { result.type }
  var children: [any ExpressionNode] { bindings.map(\.node) + [result] }

  static func parse(_ list: [JSONValue], _ context: ParsingContext) -> (any ExpressionNode)? {
    guard context.hasArguments(list, 3...Int.max) else { return nil }
    var variables = context.variables
    var bindings: [(slot: Int, node: any ExpressionNode)] = []
    for index in stride(from: 1, to: list.count - 1, by: 2) {
      guard let name = list[index].string else {
        return context.fail("The name that \"let\" binds is a text.", at: index)
      }
      guard name.utf8.allSatisfy(Self.isNameByte) else {
        return context.fail("A name has letters, digits and _ only.", at: index)
      }
      guard let node = context.parse(list[index + 1], at: index + 1) else { return nil }
      let slot = context.state.budget.nextSlot
      context.state.budget.nextSlot += 1
      variables[name] = BoundVariable(slot: slot, node: node)
      bindings.append((slot, node))
    }
    let last = list.count - 1
    guard
      let result = context.parse(list[last], at: last, as: context.expected, binding: variables)
    else { return nil }
    return BindingNode(bindings: bindings, result: result)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 95
  }

  func value(_ context: EvaluationContext) throws(EvaluationFault) -> StyleValue {
    // Each is evaluated once, however often its name occurs; what has no value may go unused.
    var inner = context
    for (slot, node) in bindings {
      do throws(EvaluationFault) {
        inner.variables[slot] = .success(try node.value(context))
      } catch {
        inner.variables[slot] = .failure(error)
      }
    }
    return try result.value(inner)
  }
}

/// A value by its name.
struct VariableNode: ExpressionNode {
  let slot: Int
  let bound: any ExpressionNode

  var type: ExpressionType { bound.type }

  static func parse(_ list: [JSONValue], _ context: ParsingContext) -> (any ExpressionNode)? {
    guard list.count == 2, let name = list[1].string else {
      return context.fail("\"var\" takes the name that \"let\" has bound.")
    }
    guard let variable = context.variables[name] else {
      return context.fail("Nothing is called \"\(name.prefix(60))\" here.", at: 1)
    }
    return VariableNode(slot: variable.slot, bound: variable.node)
  }

  func value(_ context: EvaluationContext) throws(EvaluationFault) -> StyleValue {
    guard let known = context.variables[slot] else { return try bound.value(context) }
    return try known.get()
  }
}
