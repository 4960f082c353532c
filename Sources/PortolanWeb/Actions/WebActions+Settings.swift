internal import PortolanApp
internal import PortolanJSON

// The settings.
extension WebActions {
  func settings(
    _ name: String, _ body: ActionParameters
  ) async throws(Problem) -> JSONValue {
    let settings = account.settings
    switch name {
    case "set":
      try await settings.set(try settings.key(named: body.text("key")), to: body.text("value"))
    case "unset": try await settings.unset(try settings.key(named: body.text("key")))
    default: throw Self.unknown("settings/\(name)")
    }
    return settings.pageJSON
  }
}
