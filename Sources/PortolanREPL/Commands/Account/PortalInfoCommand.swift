internal import Foundation
internal import PortolanApp
internal import PortolanJSON
internal import PortolanPortal

/// Tells what the portal is.
struct PortalInfoCommand: AccountCommand {
  static let declaration = CommandDeclaration(
    "portal", summary: "Tell what the portal is.", topic: .portal,
    discussion: ["Asks the portal that --portal names, or the one in use."],
    examples: [.init("portal --portal gis.example.org", "finds the portal on that host")])

  init(parsing arguments: Arguments) throws(UsageError) {}

  @MainActor func run(
    with account: AccountScreens, in session: Session
  ) async throws -> CommandResult {
    let portal: Portal
    let info: PortalInfo
    do {
      portal = try await account.portals.portal(at: nil)
      info = try await portal.info()
    } catch {
      throw Problem(error)
    }
    let address = portal.url.absoluteString
    return CommandResult(text: info.text(at: address), json: info.json(at: address))
  }
}

extension PortalInfo {
  private var kindPhrase: String { isPortal ? "ArcGIS Enterprise" : "ArcGIS Online" }

  private func facts(at address: String) -> [(name: String, key: String, value: String?)] {
    [
      ("Portal", "portal", address), ("Name", "name", portalName),
      ("Organization", "organization", name), ("Kind", "kind", kindPhrase),
      ("Version", "version", currentVersion), ("User", "user", user?.username),
    ]
  }

  fileprivate func text(at address: String) -> TextDocument {
    let fields = facts(at: address).compactMap { fact in
      fact.value.map { TextDocument.Field(fact.name, $0) }
    }
    let signIn = supportsOAuth ? "by OAuth or password" : "by password"
    return TextDocument([.fields(fields + [TextDocument.Field("Sign-in", signIn)])])
  }

  fileprivate func json(at address: String) -> JSONValue {
    var object = JSONObject()
    for fact in facts(at: address) { object[fact.key] = fact.value.map(JSONValue.string) ?? .null }
    object["supportsOAuth"] = .bool(supportsOAuth)
    return .object(object)
  }
}
