internal import PortolanApp
internal import PortolanJSON

/// Removes tiles, or a region.
struct TilesClearCommand: TileCacheCommand {
  static let all = Parameter.flag("all", "All tiles that no region keeps.")
  static let days = Parameter.option(
    "older-than", "DAYS", "Tiles that were fetched longer ago than that.")
  static let region = Parameter.option(
    "region", "NAME", "A region, with the tiles that no other region keeps.",
    completion: .word(.tileRegion))
  static let size = Parameter.option(
    "to", "MEGABYTES",
    "The tiles that were used least recently, until no more than that is left.")

  static let forget = Parameter.flag(
    "forget", "With --source: the source too, with its address and whatever key is in it.")

  static let setAside = Parameter.flag(
    "set-aside", "The damaged files of the cache that were set aside.")

  static let declaration = CommandDeclaration(
    "tiles clear", summary: "Remove tiles from the cache, or a region.", topic: .tiles,
    parameters: [
      all, days, TileArguments.sourceOption, forget, region, size, TileArguments.box,
      TileArguments.levels, setAside,
    ],
    discussion: [
      "Tiles of a region are only removed with the region; with --region, those that another region "
        + "keeps stay. A source that regions use is not removed. Asks first, and says what was freed; "
        + "--yes answers."
    ],
    examples: [
      .init("tiles clear --older-than 30", "what was not fetched in the last month"),
      .init("tiles clear --source Backdrop --forget", "a source with its address"),
      .init("tiles clear --region \"Area 1\"", "a region"),
      .init(
        "tiles clear --source Backdrop --bbox -69,43.5,-68,44.5 --levels 10-14",
        "a part of a source"),
    ])

  enum Target: Hashable {
    case tiles(TileClearingRequest)
    case region(String)
    case source(String)
    case setAside
  }

  let target: Target

  init(parsing arguments: Arguments) throws(UsageError) {
    let isAll = arguments.isSet(Self.all)
    let days = try arguments.value(of: Self.days, as: .positiveNumber)
    let source = try arguments.value(of: TileArguments.sourceOption, as: .text)
    let region = try arguments.value(of: Self.region, as: .text)
    let size = try arguments.value(of: Self.size, as: .integer(in: 0...10_000_000))
    let boxes = try arguments.tileBoxes()
    let box: TileRegionExtent? = boxes.count > 1 ? .several(boxes) : boxes.first
    let levels = try arguments.value(of: TileArguments.levels, as: .cacheLevels)
    let isSetAside = arguments.isSet(Self.setAside)
    try Self.checkForgetting(arguments)
    let given = [isAll, days != nil, source != nil, region != nil, size != nil, isSetAside]
      .filter { $0 }
    guard given.count == 1 else {
      throw UsageError(
        given.isEmpty ? "What is to be removed?" : "Only one of these at a time.",
        suggestion: "Give --all, --older-than, --source, --region, --to or --set-aside.")
    }
    guard box == nil || source != nil, levels == nil || box != nil else {
      throw UsageError("--bbox needs --source, and --levels needs --bbox.")
    }
    if isSetAside {
      target = .setAside
    } else if let region {
      target = .region(region)
    } else if let source, arguments.isSet(Self.forget) {
      target = .source(source)
    } else if let source, let box {
      target = .tiles(.extent(box, levels: levels ?? 0...25, source: source))
    } else if let source {
      target = .tiles(.source(source))
    } else if let days {
      target = .tiles(.olderThan(seconds: days * 86_400))
    } else if let size {
      target = .tiles(.capacity(bytes: size * 1_000_000))
    } else {
      target = .tiles(.everything)
    }
  }

  /// Refuses to forget what is no whole source.
  private static func checkForgetting(_ arguments: Arguments) throws(UsageError) {
    let isPart =
      !arguments.isGiven(TileArguments.sourceOption) || arguments.isGiven(TileArguments.box)
    guard arguments.isSet(forget), isPart else { return }
    throw UsageError(
      "--forget needs --source, and no --bbox.",
      suggestion:
        "\"tiles clear --source NAME --forget\" removes a source; \"tiles status\" lists them.")
  }

  @MainActor func run(
    with tiles: TileRegionsModel, in session: Session
  ) async throws -> CommandResult {
    try await tiles.load()
    let freed: FreedTiles
    switch target {
    case .tiles(let request):
      if let source = request.source { _ = try await tiles.sourceName(of: source) }
      try await session.confirm(
        "Remove these tiles from the cache?", otherwise: "Nothing was removed.")
      freed = try await tiles.clear(request)
    case .region(let name):
      let size = ByteCount.text(try await tiles.details(of: name).region.byteCount)
      try await session.confirm(
        "Delete the region \"\(name)\", \(size)?", otherwise: "\"\(name)\" was not deleted.")
      freed = try await tiles.delete(name)
    case .source(let text):
      let name = try await tiles.sourceName(of: text)
      try await session.confirm(
        "Remove the source \"\(name)\" with its tiles?", otherwise: "Nothing was removed.")
      freed = try await tiles.removeSource(name)
    case .setAside: return try await clearSetAside(tiles, in: session)
    }
    return CommandResult(
      text: TextDocument(sentence(freed, after: tiles.state)), json: freed.json)
  }

  @MainActor private func clearSetAside(
    _ tiles: TileRegionsModel, in session: Session
  ) async throws -> CommandResult {
    let files = tiles.state.setAside
    guard !files.isEmpty else {
      return CommandResult(
        text: TextDocument("Nothing was set aside."), json: FreedTiles.nothing.json)
    }
    if session.options.format == .text {
      try session.presenter.present(
        CommandResult(text: TextDocument(files.map { .line($0.file) }), json: .null))
    }
    try await session.confirm(
      "Delete what was set aside permanently?", otherwise: "Nothing was deleted.")
    let freed = try await tiles.deleteSetAside()
    return CommandResult(
      text: TextDocument("Deleted \(ByteCount.text(freed.fileByteCount)) that were set aside."),
      json: freed.json)
  }

  /// The number of tiles that were to be removed whatever their age and their number, and are left:
  /// regions keep them.
  private func keptCount(_ state: TileRegionsModel.State) -> Int {
    switch target {
    case .tiles(.everything): state.usage?.tileCount ?? 0
    case .tiles(.source(let name)): state.sources.first { $0.name == name }?.tileCount ?? 0
    default: 0
    }
  }

  private func sentence(_ freed: FreedTiles, after state: TileRegionsModel.State) -> String {
    guard freed.tileCount > 0 || freed.sharedByteCount > 0 else {
      switch target {
      case .tiles:
        let kept = keptCount(state)
        guard kept > 0 else { return "Nothing was removed." }
        return "Nothing was removed, since regions keep \(TileText.count(kept))."
      case .setAside: return "Nothing was removed."
      case .region(let name): return "The region \"\(name)\" was deleted, which had no tiles."
      case .source(let name): return "The source \"\(name)\" was removed, which had no tiles."
      }
    }
    let shared =
      freed.sharedByteCount > 0
      ? "; other regions keep \(ByteCount.text(freed.sharedByteCount))" : ""
    let size = ByteCount.text(freed.byteCount)
    return "Removed \(TileText.count(freed.tileCount)), \(size)\(shared)."
  }
}
