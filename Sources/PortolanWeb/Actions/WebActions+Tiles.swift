internal import Foundation
internal import PortolanApp
internal import PortolanGeometry
internal import PortolanJSON

// The tile cache: sources, and regions that are taken along.
extension WebActions {
  func tiles(_ name: String, _ body: ActionParameters) async throws(Problem) -> JSONValue {
    guard let tiles = app.tiles else {
      throw Problem(message: "This app keeps no tiles.", kind: .absence)
    }
    switch name {
    case "load": try await tiles.load()
    case "add-source":
      return try await tiles.addSource(at: try body.text("address"), Self.options(body)).json
    case "draw":
      try await tiles.draw(try Self.request(body), Self.options(body), by: Self.drawer(body))
    case "discard": tiles.discardDraft(of: Self.drawer(body))
    case "download":
      let region = try await tiles.create(
        try Self.request(body), Self.options(body), by: Self.drawer(body))
      tiles.start(region.name)
    case "pause": try await tiles.pause(try body.text("name"))
    case "resume": tiles.start(try body.text("name"))
    case "retry": tiles.start(try body.text("name"), .failed)
    case "update": tiles.start(try body.text("name"), .update)
    case "update-all":
      return ["regions": .array(try await tiles.startUpdates().map(JSONValue.string))]
    case "delete": return try await tiles.delete(try body.text("name")).json
    case "delete-set-aside": return try await tiles.deleteSetAside().json
    case "import": return try await importRegion(body, into: tiles)
    case "export": return try await exportRegion(body, of: tiles)
    case "details": return try await tiles.details(of: try body.text("name")).json
    case "coverage":
      let level = body.object["level"]?.integer.map { Int(clamping: $0) }
      return try await tiles.coverage(of: try body.text("name"), level: level).json
    case "explain": return try await Self.explain(body, with: tiles)
    case "serve": try await tiles.startServing()
    case "stop-serving": await tiles.stopServing()
    default: throw Self.unknown("tiles/\(name)")
    }
    return [:]
  }

  /// Explains why the tiles at a place that a page shows are here or not.
  private static func explain(
    _ body: ActionParameters, with tiles: TileRegionsModel
  ) async throws(Problem) -> JSONValue {
    let known = try await tiles.explain(
      longitude: try body.number("longitude"), latitude: try body.number("latitude"),
      level: Int(clamping: try body.integer("level")))
    return ["tiles": .array(known.map(\.json))]
  }

  /// The region that a page draws: a polygon, or a line with a distance.
  private static func request(_ body: ActionParameters) throws(Problem) -> TileRegionRequest {
    guard let extent = body.object["extent"].flatMap({ TileRegionExtent(json: $0) }) else {
      throw Problem(message: "The request has no extent.", suggestion: "Draw the region again.")
    }
    let (first, last) = (
      body.object["from"]?.integer.map { Int(clamping: $0) },
      body.object["to"]?.integer.map { Int(clamping: $0) }
    )
    var request = TileRegionRequest(
      name: try body.text("name"), source: try body.text("source"), extent: extent)
    if let first, let last {
      guard (0...25).contains(first), (0...25).contains(last), first <= last else {
        throw Problem(
          .outOfRange, message: "Levels go from 0 to 25, the first not above the last.")
      }
      request.levels = first...last
    }
    request.skipsBlank = body.object["skipsBlank"]?.bool ?? false
    return request
  }

  /// The page that draws, as it names itself.
  private static func drawer(_ body: ActionParameters) -> String {
    String((body.object["drawer"]?.string ?? "").prefix(40))
  }

  private static func options(_ body: ActionParameters) -> TileSourceOptions {
    var options = TileSourceOptions()
    if body.object["allowsBulk"]?.bool == true { options.allowsBulk = true }
    return options
  }
}
