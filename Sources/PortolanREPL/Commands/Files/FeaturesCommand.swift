internal import Foundation
internal import PortolanApp
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON

/// Writes the features of a layer as GeoJSON or CSV, or counts them.
struct FeaturesCommand: Command {
  static let file = Parameter.argument(
    "FILE",
    "A file with features, a package or a folder; or a map of the list that is on this device.",
    completion: .mapOrFile)
  static let layer = Parameter.option(
    "layer", "NAME", "The layer, by title or by table name, without case.", count: .exactlyOne,
    completion: .word(.layer))
  static let condition = Parameter.option(
    "where", "SQL", "A condition on the fields, as feature services take it.")
  static let box = Parameter.option(
    "bbox", "X0,Y0,X1,Y1",
    "Only features whose box meets this one; in degrees unless --crs says otherwise.")
  static let limit = Parameter.option("limit", "N", "The most features.")
  static let crs = Parameter.option(
    "crs", "native|ID",
    "The spatial reference of the coordinates: the layer's own, or one by its id, such as 25832; degrees "
      + "(4326) unless given.",
    completion: .choice(["native", "4326", "3857"]))
  static let order = Parameter.option(
    "order", "FIELD[:desc]", "The order, ascending unless :desc follows; several with commas.",
    count: .any)
  static let fields = Parameter.option("fields", "A,B", "Only these fields, in this order.")
  static let countFlag = Parameter.flag("count", "Only count the features.")
  static let csv = Parameter.flag("csv", "Write comma-separated values instead of GeoJSON.")

  static let declaration = CommandDeclaration(
    "features", summary: "Write the features of a layer as GeoJSON or CSV.", topic: .files,
    parameters: [file, layer, condition, box, order, fields, limit, crs, countFlag, csv],
    discussion: [
      "Features are written as they are read, so that memory stays small however many there are. "
        + "A row that cannot be read is left out and reported, and the exit status is 3. If the "
        + "table cannot be read on, the document ends there without its closing brackets. With "
        + "--json nothing is written before all of it is read.",
      "In a package a layer is found by its title and shows what the map shows of it, or by the "
        + "name of its table, of which all rows are shown. Dates are ISO 8601 in UTC. "
        + "Projected coordinates have seven decimals of degrees, or four of lengths. With "
        + "--crs native every number is the one in the file, and \"crs\" names the reference.",
      "With --csv the first line names the columns. Points have their coordinates in the last "
        + "columns, other shapes are well-known text in a column wkt.",
    ],
    examples: [
      .init("features trails.geodatabase --layer Trails", "all of it, in degrees"),
      .init(
        "features maine.mmpk --layer Lighthouses --where \"height > 20\" --limit 5",
        "five tall lighthouses"),
      .init(
        "features maine.mmpk --layer Lighthouses --bbox -69,43.5,-68,44.5",
        "those between two meridians and two parallels"),
      .init(
        "features maine.mmpk --layer Lighthouses --order height:desc --fields name,height --csv",
        "names and heights for a spreadsheet, the tallest first"),
      .init("features maine.mmpk --layer Lighthouses --count", "how many there are"),
      .init("features \"Casco Bay\" --layer Lighthouses", "those of a map that was taken offline"),
    ])

  private let source: MapSource
  private let layer: String
  private let parameters: FeatureExport.Parameters
  /// What the line says that coordinates are to mean.
  private let namedCoordinates: FeatureExport.Coordinates?
  private let onlyCounts: Bool
  private let writesCSV: Bool

  init(parsing arguments: Arguments) throws(UsageError) {
    source = try arguments.required(Self.file, as: .mapSource)
    layer = try arguments.required(Self.layer, as: .text)
    let named: FeatureExport.Coordinates? = try arguments.value(of: Self.crs, as: .coordinates)
    let coordinates = named ?? .wgs84
    namedCoordinates = named
    parameters = FeatureExport.Parameters(
      whereClause: try arguments.value(of: Self.condition, as: .text),
      box: try arguments.box(of: Self.box, in: coordinates == .wgs84 ? .degrees : .any),
      limit: try arguments.value(of: Self.limit, as: .integer(in: 0...Int.max)),
      coordinates: coordinates,
      orderBy: try arguments.values(of: Self.order, as: .order).flatMap(\.self),
      fields: try arguments.value(of: Self.fields, as: .names))
    onlyCounts = arguments.isSet(Self.countFlag)
    writesCSV = arguments.isSet(Self.csv)
    if writesCSV, onlyCounts {
      throw UsageError("--count and --csv exclude each other.", suggestion: "Leave one out.")
    }
  }

  @MainActor func run(in session: Session) async throws -> CommandResult {
    let layer = try await source.layer(named: layer, in: session)
    for warning in layer.warnings { session.presenter.note(warning) }
    for part in layer.unreadableParts { session.presenter.note("error: \(part)") }
    let status: ExitCode = layer.unreadableParts.isEmpty ? .done : .partlyDone
    if parameters.box != nil, layer.schema.geometryType == nil {
      session.presenter.note(
        "\"\(layer.schema.alias)\" is a table without shapes, of which --bbox leaves nothing out.")
    }
    try check(layer)
    try checkReference(of: layer, session.presenter)
    let export = try FeatureExport(layer, parameters)
    if onlyCounts {
      let count = try await export.count()
      return CommandResult(
        text: TextDocument("\(count)"), json: ["count": .integer(Int64(count))], status: status)
    }
    if writesCSV, session.options.format == .json {
      throw UsageError("--csv and --json exclude each other.", suggestion: "Leave one out.")
    }
    let sink = try session.presenter.makeDocumentSink()
    let unreadable =
      writesCSV
      ? try await Self.writeCSV(export, to: sink) : try await Self.writeGeoJSON(export, to: sink)
    for row in unreadable.listed {
      session.presenter.note("error: \(FeatureStoreError.unreadableRow(row).localizedDescription)")
    }
    if unreadable.count > unreadable.listed.count {
      session.presenter.note("error: \(unreadable.count) rows cannot be read.")
    }
    return CommandResult(.streamed(sink), status: unreadable.count > 0 ? .partlyDone : status)
  }

  /// Checks the condition of the line, and the one that the map has for the layer, which is nothing that
  /// the line could say better.
  private func check(_ layer: InspectedLayer) throws {
    do throws(Problem) { try layer.check(parameters.whereClause) } catch {
      throw Failure(aboutConditionOfLine: error)
    }
    try layer.checkDefinition()
  }

  /// Refuses to leave coordinates as they are where the line names a reference for them, and says that they are
  /// left so where it names none.
  @MainActor private func checkReference(
    of layer: InspectedLayer, _ presenter: Presenter
  ) throws(Problem) {
    guard namedCoordinates != .native, !onlyCounts, let fact = layer.unknownReference else {
      return
    }
    guard namedCoordinates == nil else {
      throw Problem(
        .unknownSpatialReference, message: "\(fact), so that they cannot be projected.",
        suggestion: "Leave --crs out, or give --crs native, to have them as they are.")
    }
    presenter.note("\(fact). They are written as they are.")
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
  @concurrent private static func writeGeoJSON(
    _ export: FeatureExport, to sink: DocumentSink
  ) async throws -> UnreadableRows {
    var writer = GeoJSONFeatureCollectionWriter(
      name: export.schema.alias, spatialReference: export.spatialReference)
    try sink.write(writer.opening)
    let unreadable = try await write(export, to: sink) { writer.text(of: $0) }
    try sink.write(writer.closing)
    return unreadable
  }

  @concurrent private static func writeCSV(
    _ export: FeatureExport, to sink: DocumentSink
  ) async throws -> UnreadableRows {
    let writer = CSVFeatureWriter(export)
    try sink.write(writer.opening)
    return try await write(export, to: sink) { writer.text(of: $0) }
  }

  private static func write(
    _ export: FeatureExport, to sink: DocumentSink, _ text: (Feature) -> String
  ) async throws -> UnreadableRows {
    var unreadable = UnreadableRows()
    try await export.pass {
      try sink.write(text($0))
    } leavingOut: {
      unreadable.add($0)
    }
    return unreadable
  }
}

extension Failure {
  /// The failure that an error means where the line gives a condition: one that cannot be understood is a
  /// mistake in the line.
  init(aboutConditionOfLine problem: Problem) {
    self.init(problem as any Error)
    if code == .badWhereClause { status = .wrongUsage }
  }
}

extension ValueFormat<[QueryParameters.OrderBy]> {
  /// Fields with commas between them, each with its direction after a colon if it is not ascending.
  static let order = ValueFormat("fields such as name or height:desc") { text in
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let orders = parts.compactMap { part -> QueryParameters.OrderBy? in
      let words = part.trimmingCharacters(in: .whitespaces)
        .split(separator: ":", omittingEmptySubsequences: false)
      guard let field = words.first, !field.isEmpty, words.count <= 2 else { return nil }
      switch words.dropFirst().first?.lowercased() {
      case nil, "asc"?: return .init(String(field))
      case "desc"?: return .init(String(field), isDescending: true)
      default: return nil
      }
    }
    return orders.count == parts.count ? orders : nil
  }
}

extension ValueFormat<[String]> {
  /// Names with commas between them.
  static let names = ValueFormat("names with commas between them, each once") { text in
    let names = text.split(separator: ",", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
    // Fields differ by more than case, and an object has a member of each name once.
    let isRepeated = Set(names.map { $0.lowercased() }).count < names.count
    return names.contains("") || isRepeated ? nil : names
  }
}
