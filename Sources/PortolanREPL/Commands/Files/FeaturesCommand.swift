internal import Foundation
internal import PortolanApp
internal import PortolanFeatures
internal import PortolanGeometry

/// Writes the features of a layer as GeoJSON.
struct FeaturesCommand: Command {
  static let file = Parameter.argument(
    "FILE", "A geodatabase, package or folder.", completion: .file)
  static let layer = Parameter.option(
    "layer", "NAME", "The layer, by title or by table name, without case.", count: .exactlyOne,
    completion: .word(.layer))
  static let condition = Parameter.option(
    "where", "SQL", "A condition on the fields, as feature services take it.")
  static let box = Parameter.option(
    "bbox", "X0,Y0,X1,Y1",
    "Only features whose box meets this one; in degrees unless --crs is native.")
  static let limit = Parameter.option("limit", "N", "The most features.")
  static let crs = Parameter.option(
    "crs", "native|4326", "What coordinates mean: the layer's own reference, or degrees (4326).",
    completion: .choice(["native", "4326"]))

  static let declaration = CommandDeclaration(
    "features", summary: "Write the features of a layer as GeoJSON.", topic: .files,
    parameters: [file, layer, condition, box, limit, crs],
    discussion: [
      "Features are written as they are read, so that memory stays small however many there are. "
        + "A row that cannot be read is left out and reported, and the exit status is 3. If the "
        + "table cannot be read on, the document ends there without its closing brackets. With "
        + "--json nothing is written before all of it is read.",
      "In a package a layer is found by its title and shows what the map shows of it, or by the "
        + "name of its table, of which all rows are shown. Dates are ISO 8601 in UTC. With "
        + "--crs native every number is the one in the file, and «crs» names the reference.",
    ],
    examples: [
      .init("features trails.geodatabase --layer Trails", "all of it, in degrees"),
      .init(
        "features maine.mmpk --layer Lighthouses --where \"height > 20\" --limit 5",
        "five tall lighthouses"),
      .init(
        "features maine.mmpk --layer Lighthouses --bbox -69,43.5,-68,44.5",
        "those between two meridians and two parallels"),
    ])

  private let file: URL
  private let layer: String
  private let parameters: FeatureExport.Parameters

  init(parsing arguments: Arguments) throws(UsageError) {
    file = try arguments.required(Self.file, as: .file)
    layer = try arguments.required(Self.layer, as: .text)
    let crs = try arguments.value(of: Self.crs, as: .choice(["native", "4326"]))
    parameters = FeatureExport.Parameters(
      whereClause: try arguments.value(of: Self.condition, as: .text),
      box: try arguments.value(of: Self.box, as: .envelope),
      limit: try arguments.value(of: Self.limit, as: .integer(in: 0...Int.max)),
      coordinates: crs == "native" ? .native : .wgs84)
  }

  @MainActor func run(in session: Session) async throws -> CommandResult {
    let export = try FeatureExport(
      try await session.app.files.layer(named: layer, in: file), parameters)
    let sink = try session.presenter.makeDocumentSink()
    let unreadable = try await Self.write(export, to: sink)
    for row in unreadable.listed {
      session.presenter.note("error: \(FeatureStoreError.unreadableRow(row).localizedDescription)")
    }
    if unreadable.count > unreadable.listed.count {
      session.presenter.note("error: \(unreadable.count) rows cannot be read.")
    }
    return CommandResult(.streamed(sink), status: unreadable.count > 0 ? .partlyDone : .done)
  }

  /// The rows that were left out: how many there are, and the first of them.
  private struct UnreadableRows {
    private static let mostListed = 20

    private(set) var count = 0
    private(set) var listed: [UnreadableRow] = []

    mutating func add(_ row: UnreadableRow) {
      count += 1
      if listed.count < Self.mostListed { listed.append(row) }
    }
  }

  /// Off the main actor: there may be millions of features to put into text.
  @concurrent private static func write(
    _ export: FeatureExport, to sink: DocumentSink
  ) async throws -> UnreadableRows {
    var unreadable = UnreadableRows()
    var writer = GeoJSONFeatureCollectionWriter(
      name: export.schema.alias, spatialReference: export.spatialReference)
    try sink.write(writer.opening)
    try await export.pass {
      try sink.write(writer.text(of: $0))
    } leavingOut: {
      unreadable.add($0)
    }
    try sink.write(writer.closing)
    return unreadable
  }
}
