internal import PortolanApp
internal import PortolanTiles

/// Takes a region of tiles along.
struct TilesDownloadCommand: TileCacheCommand {
  static let plan = Parameter.flag(
    "plan", "Estimate its size, and download only a few tiles as samples.")
  static let allowBulk = Parameter.flag(
    "allow-bulk", "The operator of the source allows regions; most public servers do not.")
  static let highestLevel = Parameter.option(
    "max-region-level", "N",
    "The highest level for which the operator of the source allows regions; that of the source "
      + "unless given.")
  static let tileLimit = Parameter.option(
    "max-region-tiles", "N",
    "How many tiles the operator of the source allows a region; 10 million unless given.")
  static let skipBlank = Parameter.flag(
    "skip-blank", "Leave out tiles that equal the source's blank one, such as open sea.")
  static let blankTile = Parameter.option(
    "blank-tile", "Z/X/Y", "The blank tile of the source; that of the Arctic Ocean unless given.")
  static let rate = Parameter.option("rate", "N", "The most requests in a second.")
  static let parallel = Parameter.option(
    "parallel", "N", "The most requests at a time.")
  static let retry = Parameter.flag("retry", "Retry the tiles that failed, and no others.")
  static let update = Parameter.flag("update", "Check all tiles for changes.")

  static let declaration = CommandDeclaration(
    "tiles download", summary: "Download a region of an online map, or resume it.",
    topic: .tiles,
    parameters: [
      TileArguments.region, TileArguments.sourceOption, TileArguments.levels,
    ] + TileArguments.extent + [
      plan, skipBlank, blankTile, allowBulk, highestLevel, tileLimit, rate, parallel, retry, update,
    ] + TileSourceArguments.all,
    discussion: [
      "A new region needs --source and an area: one box, polygon, circle or line, or several "
        + "together. Every tile that the area touches is downloaded once. Tiles that are in the cache "
        + "already are not fetched again.",
      "A region keeps its extent, its levels and whether it leaves out blank tiles.",
      "Ctrl-C pauses. The name alone, or the same line, resumes the download, also after a crash; only "
        + "what was under way is fetched again. Tiles that failed are listed, and --retry retries "
        + "them. Where some failed the exit status is 3. With --retry and --update, --source gives the "
        + "address of the same source with a new key.",
      "Only sources whose operator allows it are downloaded: a tiled service says so itself, of "
        + "others you say it with --allow-bulk, once.",
    ],
    examples: [
      .init(
        "tiles download \"Area 1\" --source https://tiles.example.org/{z}/{x}/{y}.png "
          + "--bbox -69,43.5,-68,44.5 --levels 8-13 --plan", "what a box would take"),
      .init(
        "tiles download Coast --source Backdrop --line coast.geojson --padding 2000",
        "two kilometres to either side of a line"),
      .init("tiles download \"Area 1\"", "resumes a region"),
      .init("tiles download \"Area 1\" --retry", "retries the tiles that failed"),
    ])

  private let name: String
  private let source: String?
  private let levels: ClosedRange<Int>?
  let extent: RegionExtentArguments
  private let isPlan: Bool
  private let skipsBlank: Bool
  private let blankTile: TileID?
  private let sourceOptions: TileSourceOptions
  private let options: TileRegionsModel.DownloadOptions
  private let pass: TileRegionsModel.Pass

  init(parsing arguments: Arguments) throws(UsageError) {
    name = try arguments.required(TileArguments.region, as: .text)
    source = try arguments.value(of: TileArguments.sourceOption, as: .text)
    levels = try arguments.value(of: TileArguments.levels, as: .cacheLevels)
    extent = try RegionExtentArguments(arguments)
    isPlan = arguments.isSet(Self.plan)
    blankTile = try arguments.value(of: Self.blankTile, as: .tile)
    skipsBlank = arguments.isSet(Self.skipBlank) || blankTile != nil
    sourceOptions = try Self.sourceOptions(arguments)
    var options = TileRegionsModel.DownloadOptions()
    options.concurrentRequests = try arguments.value(
      of: Self.parallel, as: .integer(in: 1...1_024))
    options.requestsPerSecond = try arguments.value(of: Self.rate, as: .positiveNumber)
    options.source = sourceOptions
    self.options = options
    guard !(arguments.isSet(Self.retry) && arguments.isSet(Self.update)) else {
      throw UsageError("Give --retry or --update, not both.")
    }
    pass =
      arguments.isSet(Self.retry) ? .failed : arguments.isSet(Self.update) ? .update : .missing
    try checkTogether()
  }

  private static func sourceOptions(
    _ arguments: Arguments
  ) throws(UsageError) -> TileSourceOptions {
    var options = try TileSourceArguments.options(arguments)
    if arguments.isSet(allowBulk) { options.allowsBulk = true }
    options.highestBulkLevel = try arguments.value(of: highestLevel, as: .integer(in: 0...25))
    options.tileLimit = try arguments.value(
      of: tileLimit, as: .integer(in: 1...1_000_000_000_000))
    return options
  }

  /// A new region has a source and an extent; another one may have a new key in the address of its source.
  private func checkTogether() throws(UsageError) {
    guard source == nil || !extent.isEmpty || pass != .missing else {
      throw UsageError(
        "A new region needs an extent.",
        suggestion: "Give --bbox, --polygon, --circle or --line. A region that is here continues "
          + "without --source, or with all that it was requested with.")
    }
    guard source == nil || extent.isEmpty || pass == .missing else {
      throw UsageError(
        "--retry and --update work on a region that is here, and take no extent.",
        suggestion: "Leave the extent out; --source may give the address with a new key.")
    }
    guard !isPlan || source != nil && !extent.isEmpty else {
      throw UsageError("--plan needs --source and where the region lies.")
    }
  }

  @MainActor func run(
    with tiles: TileRegionsModel, in session: Session
  ) async throws -> CommandResult {
    try await tiles.load()
    if let source, let extent = try extent.extent() {
      var request = TileRegionRequest(name: name, source: source, extent: extent, levels: levels)
      request.skipsBlank = skipsBlank
      request.blankTile = blankTile
      if isPlan {
        let plan = try await tiles.plan(request, sourceOptions)
        return TilePlanPage(plan: plan).result
      }
      // Repeating an interrupted command resumes its region.
      if try await tiles.region(like: request, sourceOptions) == nil {
        try await tiles.create(request, sourceOptions)
      }
    } else if let source {
      try await tiles.useKeys(in: source, for: name, sourceOptions)
    }
    if source == nil || pass != .missing {
      try refuseChanges(of: tiles.state.regions.first { $0.name == name })
    }
    let region = try await follow(tiles, in: session)
    return TileRegionPage(region: region).ending(after: pass)
  }

  /// Refuses what would make another region of the one that is there.
  private func refuseChanges(of region: TileRegionSummary?) throws {
    guard !extent.isEmpty || levels != nil || skipsBlank else { return }
    guard let region else {
      throw UsageError("There is no region \"\(name)\"; a new one needs --source and an extent.")
    }
    let blank = region.skipsBlank ? "without blank tiles" : "with blank tiles"
    throw Problem(
      .alreadyExists,
      message:
        "The region \"\(name)\" exists, with levels \(TileRegionText.levels(region.levels)) of "
        + "\"\(region.source)\", \(blank); its extent, levels and blank tiles cannot be changed.",
      suggestion:
        "\(TileRegionText.command(name, pass)) continues it as it is. Give another name "
        + "for another region, or delete this one first, with "
        + "\(TileRegionText.command("tiles clear --region", name)).")
  }

  /// Whether all was there when Ctrl-C came, so that it has stopped nothing.
  static func isDone(
    _ status: TileRegionSummary.Status, _ pass: TileRegionsModel.Pass, despite kind: Problem.Kind
  ) -> Bool {
    // Whether all were asked for changes is not known.
    kind == .cancellation && pass != .update && status == .complete
  }

  @MainActor private func follow(
    _ tiles: TileRegionsModel, in session: Session
  ) async throws -> TileRegionSummary {
    do throws(Problem) {
      return try await tiles.download(name, pass, options) { region in
        session.presenter.progress(TileRegionText.line(region), json: region.progressJSON)
      }
    } catch {
      let region = tiles.state.regions.first { $0.name == name }
      if let region, Self.isDone(region.status, pass, despite: error.kind) { return region }
      // A region that has no server can only be looked at, whatever is done again.
      if let region, ![.bulkForbidden, .inUse, .notPossible].contains(error.code) {
        let command = TileRegionText.command(name, pass)
        session.presenter.note(
          region.counts.stored > 0
            ? "What was downloaded is kept; \(command) continues it."
            : "Nothing was downloaded yet; \(command) tries again.")
      }
      var problem = error
      if problem.code == .signInNeeded {
        problem.suggestion = TileRegionText.renewingKey(of: name, pass)
      }
      throw problem.suggesting(name, among: tiles.state.regions.map(\.name))
    }
  }
}

extension String {
  /// The text as it has to be typed to be one word.
  var quotedIfNeeded: String {
    let word = ShellWord.quoted(self)
    // Within double quotes, as in the examples, where nothing in the text means more there.
    return word == self || contains { "\"\\$`!".contains($0) } ? word : "\"\(self)\""
  }
}
