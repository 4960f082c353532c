internal import PortolanJSON

/// An object whose members are expressions.
struct ObjectNode: ExpressionNode {
  let members: [(name: String, node: any ExpressionNode)]
  let type = ExpressionType.object

  var children: [any ExpressionNode] { members.map(\.node) }

  /// Reads the members at the place of the object.
  static func parse(_ object: JSONObject, _ context: ParsingContext) -> (any ExpressionNode)? {
    var inner = context
    inner.expected = .value
    var members: [(name: String, node: any ExpressionNode)] = []
    for member in object.members {
      guard let node = inner.parse(member.value) else { return nil }
      members.append((member.name, node))
    }
    return ObjectNode(members: members)
  }

  func value(_ context: EvaluationContext) throws(EvaluationFault) -> StyleValue {
    var values: [JSONObject.Member] = []
    for member in members {
      let value = try member.node.value(context)
      guard value.isPlain, let json = value.json else {
        throw EvaluationFault("An object cannot hold a \(value.type).")
      }
      values.append(JSONObject.Member(name: member.name, value: json))
    }
    return .object(JSONObject(values))
  }
}

extension StyleValue {
  /// Whether a document holds the value as it is; colors, for one, become texts.
  fileprivate var isPlain: Bool {
    switch self {
    case .null, .bool, .number, .text, .object: true
    case .list(let elements): elements.allSatisfy(\.isPlain)
    default: false
    }
  }
}
