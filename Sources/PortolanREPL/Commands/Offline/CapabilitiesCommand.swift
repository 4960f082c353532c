internal import PortolanApp

/// Tells what of a web map can be taken offline.
struct CapabilitiesCommand: LibraryCommand {
  static let declaration = CommandDeclaration(
    "capabilities", summary: "Show which layers of a web map can be taken offline.",
    topic: .library,
    parameters: [OfflineMapArguments.map] + OfflineMapArguments.optionsOfLayers,
    discussion: [
      "Reasons are those of Esri's own check of maps. A layer whose service does not sync is taken "
        + "as a copy that cannot be synchronized.",
      "The options are those of \"take-offline\" on which the answer depends; the area and the others "
        + "do not affect it. Layers that they leave out are not listed.",
    ],
    examples: [
      .init("capabilities 41281c51f9de45edaf1c8ed44bb10e30", "layer by layer"),
      .init(
        "capabilities 41281c51f9de45edaf1c8ed44bb10e30 --keep-online", "and what would stay online"),
    ])

  private let webMap: String
  private let options: OfflineMapOptions

  init(parsing arguments: Arguments) throws(UsageError) {
    webMap = try arguments.required(OfflineMapArguments.map, as: .text)
    options = try OfflineMapArguments.options(parsing: arguments)
  }

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let model = try await library.offlineQuestions()
    // The capabilities do not depend on the area.
    let portal = session.app.portal
    let known = try await session.app.knownWebMap(named: webMap)
    let capabilities = try await model.loadCapabilities(
      of: OfflineMapModel.Request(
        webMap: known?.id ?? portal?.itemID(named: webMap) ?? webMap,
        portal: session.options.portal ?? known?.portal, area: .world,
        options: options))
    return CapabilitiesPage(capabilities: capabilities).result
  }
}

/// The parts of a map that can be taken offline, as text and as JSON.
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
