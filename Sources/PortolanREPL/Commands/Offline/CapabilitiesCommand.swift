internal import PortolanApp

/// Tells what of a web map can be taken offline.
struct CapabilitiesCommand: LibraryCommand {
  static let declaration = CommandDeclaration(
    "capabilities", summary: "Show which layers of a web map can be taken offline.",
    topic: .library, parameters: [OfflineMapArguments.map],
    discussion: [
      "Reasons are those of Esri's own check of maps. A layer whose service does not sync is taken "
        + "as a copy that cannot be synchronized."
    ],
    examples: [.init("capabilities 41281c51f9de45edaf1c8ed44bb10e30", "layer by layer")])

  private let webMap: String

  init(parsing arguments: Arguments) throws(UsageError) {
    webMap = try arguments.required(OfflineMapArguments.map, as: .text)
  }

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let model = try await library.offlineMaps()
    // What can be taken does not depend on the area.
    let webMap = session.app.portal?.itemID(named: webMap) ?? webMap
    let capabilities = try await model.loadCapabilities(
      of: OfflineMapModel.Request(webMap: webMap, portal: session.options.portal, area: .world))
    return CapabilitiesPage(capabilities: capabilities).result
  }
}

/// What of a map can be taken offline, as text and as JSON.
struct CapabilitiesPage {
  let capabilities: OfflineMapModel.Capabilities

  var result: CommandResult {
    let all = capabilities.layers + capabilities.tables
    let table = TextTable(
      [.init("offline"), .init("layer"), .init("reason")],
      rows: all.map { [Self.word($0), $0.title, $0.issue ?? ""] })
    return CommandResult(
      text: TextDocument([.table(table)]),
      json: capabilities.json)
  }

  private static func word(_ capability: OfflineMapModel.Capability) -> String {
    if capability.isCopyOnly { return "copy" }
    if capability.remainsOnline { return "online" }
    return capability.supportsOffline ? "yes" : "no"
  }
}
