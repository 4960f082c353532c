public import PortolanJSON

extension Problem {
  /// The problem as JSON output holds it.
  public var json: JSONValue {
    var members: JSONObject = ["code": .string(code.rawValue), "message": .string(message)]
    members["reason"] = reason.map(JSONValue.string)
    members["suggestion"] = suggestion.map(JSONValue.string) ?? .null
    members["kind"] = .string(kind.rawValue)
    members["actions"] = .array(actions.map(\.json))
    members["file"] = file.map(JSONValue.string)
    return .object(members)
  }
}

extension NextAction {
  /// The action as JSON output holds it.
  public var json: JSONValue {
    ["kind": .string(kind.rawValue), "subject": subject.map(JSONValue.string) ?? .null]
  }
}
