internal import PortolanApp
internal import PortolanJSON

extension SettingsModel {
  /// The settings as a page reads them: also what each may be, and whether a change holds at once.
  var pageJSON: JSONValue {
    var members = state.json(place: place).object ?? [:]
    let settings = members["settings"]?.array ?? []
    members["settings"] = .array(
      zip(SettingKey.allCases, settings).map { key, setting in
        var members = setting.object ?? [:]
        members["text"] = .string(state[key].text)
        members["defaultText"] = .string(key.defaultValue.text)
        members["holdsAtOnce"] = .bool(key.holdsAtOnce)
        for member in key.kind.pageMembers.members { members[member.name] = member.value }
        return .object(members)
      })
    return .object(members)
  }
}

extension SettingKind {
  /// The members from which a page draws its control.
  fileprivate var pageMembers: JSONObject {
    switch self {
    case .text(let mayBeEmpty): ["kind": "text", "required": .bool(!mayBeEmpty)]
    case .number(let range):
      [
        "kind": "number", "least": JSONValue(range.lowerBound),
        "most": JSONValue(range.upperBound),
      ]
    case .list: ["kind": "list"]
    case .choice(let words): ["kind": "choice", "choices": .array(words.map { .string($0) })]
    }
  }
}
