public import PortolanJSON
public import PortolanTransport

extension NetworkStatus {
  /// The status as a sentence.
  public var sentence: String {
    switch self {
    case .online(isMetered: true): "There is a network, which is metered."
    case .online: "There is a network."
    case .offline(.asked): "There is no network, because offline mode is on."
    case .offline(.notConnected): "There is no network."
    }
  }

  /// The status as JSON output holds it.
  public var json: JSONValue {
    switch self {
    case .online(let isMetered):
      ["online": true, "metered": isMetered.map(JSONValue.bool) ?? .null, "reason": .null]
    case .offline(let reason):
      ["online": false, "metered": .null, "reason": .string(reason.rawValue)]
    }
  }
}
