internal import Foundation
internal import PortolanApp
internal import PortolanJSON

/// Opens a package and one of its maps.
struct OpenCommand: Command {
  static let file = Parameter.argument(
    "MAP",
    "A map of the list, by id or title; or a mobile map package, an unpacked one, a geodatabase, a "
      + "GeoPackage or a tile package.", count: .atMostOne, completion: .mapOrFile)
  static let map = Parameter.option(
    "map", "MAP", "The same as MAP; a number is the same as --number.", completion: .mapOrFile)

  static let declaration = CommandDeclaration(
    "open", summary: "Open a stored map, or a file with one.", topic: .map,
    parameters: [file, MapChoice.number, map, StyleChoice.style],
    discussion: [
      "Opening reads the metadata and the maps; the data of a layer are opened when they are first "
        + "used, in place, without unpacking the package.",
      "What is stored on this device opens with no network, and cannot be deleted while it is open. A "
        + "web map of the list is opened over the network, as \"web-map\" does, and one that \"web-map\" "
        + "has loaded, by its id, with the layers that were loaded. If data of a stored map cannot be read, "
        + "the rest of it is open, and the exit status is 3.",
      "A name that a stored map and a file both have means the map, here and wherever a command takes either, "
        + "unless it has a slash or ends as files with maps do; ./NAME is the file.",
      "Without MAP another map of the open package is opened.",
    ],
    examples: [
      .init("open \"Casco Bay\"", "a map that \"maps\" lists"),
      .init("open canyonlands.mmpk", "the first map of a package"),
      .init("open --number 2", "the second map of the open package"),
      .init("open town.pmtiles --style light.json", "vector tiles, drawn with a style of yours"),
    ])

  private let source: MapSource?
  private let index: Int?
  private let style: StyleChoice

  init(parsing arguments: Arguments) throws(UsageError) {
    let argument = try arguments.value(of: Self.file, as: .mapSource)
    let option = try arguments.value(of: Self.map, as: .mapSource)
    // A number says which map of the package it is.
    let isNumber = option?.isListNumber ?? false
    guard argument == nil || option == nil || isNumber else {
      throw UsageError("The map is named twice.", suggestion: "Leave --map out.")
    }
    guard !isNumber || !arguments.isGiven(MapChoice.number) else {
      throw UsageError("--map and --number mean the same.", suggestion: "Leave one out.")
    }
    source = isNumber ? argument : argument ?? option
    let number = isNumber ? Self.map : MapChoice.number
    index = try arguments.value(of: number, as: .integer(in: 1...10_000)).map { $0 - 1 }
    style = try StyleChoice(arguments)
  }

  @MainActor func run(in session: Session) async throws -> CommandResult {
    var webMap: CommandResult?
    if let source {
      webMap = try await openLoaded(source, in: session)
      if webMap == nil { webMap = try await source.open(map: index, in: session) }
    } else {
      guard session.app.package.contents != nil else {
        throw UsageError(
          "MAP is missing, and no package is open.",
          suggestion: Self.declaration.usageAdvice)
      }
      try await session.app.openMap(at: index ?? session.app.package.contents?.firstOpenable ?? 0)
    }
    if let map = session.app.map { try await style.apply(to: map) }
    session.offerWords()
    if !session.keepsMap {
      session.presenter.note(
        "The map is closed when this command ends. Start portolan without a command to keep it open, "
          + "or name it with --map.")
    }
    if let webMap { return webMap }
    guard let contents = session.app.package.state.contents, let map = session.app.map else {
      return CommandResult()
    }
    let page = PackagePage(
      contents: contents, openIndex: session.app.mapIndex, map: map.state,
      isStored: session.app.storedID != nil)
    return CommandResult(
      text: page.text, json: page.json, status: page.mayBeDamaged ? .partlyDone : .done)
  }

  /// Opens the web map that is loaded, which need not be on the list; `nil` if another map is named.
  @MainActor private func openLoaded(
    _ source: MapSource, in session: Session
  ) async throws -> CommandResult? {
    guard let model = session.app.portal?.webMap, let id = model.state.contents?.itemID,
      id == source.text, try await source.isUnlistedWebMap(in: session)
    else { return nil }
    try await session.app.open(model)
    return model.state.contents.map { WebMapPage(contents: $0).result }
  }
}

/// An open package as text and as JSON.
struct PackagePage {
  let contents: PackageModel.Contents
  let openIndex: Int?
  let map: MapModel.State
  /// Whether it is on the list of maps, so that an audit looks at it.
  let isStored: Bool

  /// Whether data that should be on this device cannot be read.
  var mayBeDamaged: Bool { isStored && !map.unreadableLayers.isEmpty }

  var text: TextDocument {
    var blocks: [TextDocument.Block] = [.heading(contents.title)]
    if let summary = contents.summary { blocks.append(.paragraph(summary, indent: 0)) }
    blocks += contents.warnings.map { .paragraph("Note: \($0)", indent: 0) }
    blocks.append(
      .table(
        TextTable(
          [
            .init(""), .init("#", .right), .init("map"), .init("layers", .right),
            .init("bookmarks", .right),
          ],
          rows: contents.maps.enumerated().map(row))))
    for entry in contents.maps {
      if let problem = entry.problem { blocks.append(.paragraph(problem.message, indent: 2)) }
    }
    blocks += MapPage(state: map).problemBlocks
    if mayBeDamaged {
      blocks.append(
        .paragraph(
          "Data of this map cannot be read: \"audit\" checks whether it is damaged, and \"repair\" "
            + "repairs it.", indent: 0))
    }
    return TextDocument(blocks)
  }

  private func row(_ index: Int, _ entry: PackageModel.MapEntry) -> [String] {
    [
      index == openIndex ? "open" : "", "\(index + 1)", entry.title, "\(entry.layerCount)",
      "\(entry.bookmarkCount)",
    ]
  }

  var json: JSONValue {
    var members = contents.json(open: openIndex)
    members["problems"] = map.problemsJSON
    return .object(members)
  }
}
