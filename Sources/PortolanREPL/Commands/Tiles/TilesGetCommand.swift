internal import Foundation
internal import PortolanApp
internal import PortolanFiles
internal import PortolanTiles

/// Gets one tile through the cache.
struct TilesGetCommand: TileCacheCommand {
  static let mode = Parameter.option(
    "mode", "MODE",
    "Where to look, and in which order: cacheThenServer, which it is unless given, serverThenCache, "
      + "cacheOnly, serverOnly, or staleWhileRevalidate.",
    completion: .choice(TileReadingMode.allCases.map(\.rawValue)))
  static let output = Parameter.option(
    "to", "FILE", "Write the tile there; - is standard output.", completion: .file)

  static let declaration = CommandDeclaration(
    "tiles get", summary: "Get one tile of an online map, through the cache.", topic: .tiles,
    parameters: [TileArguments.source, TileArguments.tile, mode, output]
      + TileSourceArguments.all,
    discussion: [
      "Says where the tile comes from: the server, the cache, the cache after the server has confirmed "
        + "that it is unchanged, or the cache because the server cannot be reached.",
      "Cached tiles are there without a network. When the tiles that no region keeps exceed the "
        + "setting \"tile-cache-size\", the least recently used ones are removed.",
      "Beyond the last level of the source a picture is cut out of its ancestor on that level and "
        + "enlarged; a vector tile is the whole ancestor, which the renderer enlarges.",
    ],
    examples: [
      .init("tiles get https://tiles.example.org/{z}/{x}/{y}.png 12/1234/1500", "a tile"),
      .init("tiles get tiles.example.org 12/1234/1500 --mode cacheOnly", "only if it is here"),
    ])

  private let source: String
  private let tile: TileID
  private let mode: TileReadingMode
  private let output: URL?
  private let options: TileSourceOptions

  init(parsing arguments: Arguments) throws(UsageError) {
    source = try arguments.required(TileArguments.source, as: .text)
    tile = try arguments.required(TileArguments.tile, as: .tile)
    let words = TileReadingMode.allCases.map(\.rawValue)
    mode =
      try arguments.value(of: Self.mode, as: .choice(words)).flatMap(TileReadingMode.init)
      ?? .cacheThenServer
    output = try arguments.value(of: Self.output, as: .file)
    options = try TileSourceArguments.options(arguments)
  }

  @MainActor func run(
    with tiles: TileRegionsModel, in session: Session
  ) async throws -> CommandResult {
    try checkStandardOutput(of: session)
    let reading = try await tiles.tile(tile, of: source, mode: mode, options)
    if let output, output.isStandardStream { return try write(reading, in: session) }
    if let output, let data = reading.data {
      let replaces = await session.mayReplace(output)
      do throws(FileError) {
        try FileSystem.live.write(data, to: output, replacing: replaces)
      } catch .alreadyExists {
        var problem = Problem(
          .targetExists, message: "\(output.relativePath) exists already.",
          suggestion: "Choose another name, or replace it.",
          actions: [.init(.chooseAnotherName), .init(.replace)])
        problem.file = output.relativePath
        throw problem
      }
    }
    return CommandResult(
      text: TextDocument(TileText.sentence(reading)), json: reading.json,
      status: reading.data == nil ? .notFound : .done)
  }

  /// Refuses what standard output cannot hold beside the bytes of a tile.
  @MainActor private func checkStandardOutput(of session: Session) throws(UsageError) {
    guard output?.isStandardStream == true else { return }
    guard session.options.format != .json else {
      throw UsageError("Standard output has the tile; --json needs a file.")
    }
    guard !session.console.isTerminal else {
      throw UsageError("A tile is not written to a terminal; send the output to a file.")
    }
  }

  /// Writes the bytes of a tile to standard output, and nothing else.
  @MainActor func write(
    _ reading: TileReading, in session: Session
  ) throws -> CommandResult {
    guard let data = reading.data else { throw Failure(.notFound, TileText.sentence(reading)) }
    try session.console.write(data)
    return CommandResult()
  }
}

/// Tiles, as people read of them.
enum TileText {
  /// The source of a tile, in a sentence.
  static func sentence(_ reading: TileReading) -> String {
    let name = "Tile \(reading.tile.address) of \"\(reading.source)\""
    guard let data = reading.data else { return "\(name): there is none, \(way(reading))." }
    let kind = [ByteCount.text(data.count), reading.format.map { "of \($0.uppercased())" }]
      .compactMap(\.self).joined(separator: " ")
    let part = reading.ancestor.map { ancestor in
      reading.isEnlarged
        ? " (enlarged, a part of \(ancestor.address))"
        : " (the whole tile \(ancestor.address), of which it is a part)"
    }
    let why = reading.problem.map { " \($0.message)" } ?? ""
    return "\(name): \(kind)\(part ?? ""), \(way(reading)).\(why)"
  }

  private static func way(_ reading: TileReading) -> String {
    switch reading.path {
    case .network: "from the server"
    case .cache: "from the cache, \(age(reading.age))"
    case .stale: "from the cache, \(age(reading.age)), which is too old"
    case .unchanged: "from the cache, which the server says is unchanged"
    case .fallback: "from the cache, \(age(reading.age)), since the server did not give it"
    }
  }

  /// The age of something, in words.
  static func age(_ seconds: Double) -> String {
    switch seconds {
    case ..<60: "less than a minute old"
    case ..<7_200: "\(Int(seconds / 60)) min old"
    case ..<172_800: "\(Int(seconds / 3_600)) h old"
    default: "\(Int(seconds / 86_400)) days old"
    }
  }

  /// So many tiles.
  static func count(_ count: Int) -> String { count == 1 ? "1 tile" : "\(count) tiles" }
}
