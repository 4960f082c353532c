internal import Foundation
internal import PortolanApp
internal import PortolanJSON

/// Makes a file of one format from a file of another.
struct ConvertCommand: Command {
  static let input = Parameter.argument("IN", "The file or folder to convert.", completion: .file)
  static let output = Parameter.argument(
    "OUT", "The file or folder to write; its extension is the format.", completion: .file)
  static let layer = Parameter.option(
    "layer", "NAME", "Only this layer, by table name or title, without case.",
    completion: .word(.layer))
  static let crs = Parameter.option(
    "crs", "native|ID",
    "The spatial reference of the result: the layer's own, or one by its id, such as 25832. Unless given, "
      + "degrees (4326) in .geojson, .csv and folders, the layer's own in other files.",
    completion: .choice(["native", "4326", "3857"]))

  static let condition = Parameter.option(
    "where", "SQL", "Only rows of features that meet this condition, as \"NAME LIKE 'M%'\".")
  static let extent = Parameter.option(
    "bbox", "W,S,E,N",
    "Only features or tiles that reach into this box, in degrees; with --crs native also from 0 to 360, "
      + "as data may count them.")
  static let levels = Parameter.option(
    "levels", "FROM-TO", "Only tiles of these levels, such as 8-13 or 10.")
  static let sourceReference = Parameter.option(
    "from-crs", "ID",
    "The spatial reference of IN, by its id: for a file that does not say it, "
      + "or says it wrongly.",
    completion: .choice(["4326", "3857"]))

  static let declaration = CommandDeclaration(
    "convert", summary: "Convert a file to another format.", topic: .files,
    parameters: [input, output, layer, crs, condition, extent, levels, sourceReference],
    discussion: [
      "Features: .geodatabase, .gpkg, .geojson, .shp, .fgb and .csv, each to each; to a folder, a .geojson of each "
        + "layer. Tiles: .tpk, .tpkx, .mbtiles, .pmtiles, .vtpk, folders of a tile cache, with a conf.xml or "
        + "root.json, and folders of Z/X/Y, to .tpk, .tpkx, .mbtiles and .pmtiles, without decoding them; also "
        + "to a folder of Z/X/Y, for web servers. A mobile map package: to a folder of open files. The format "
        + "of IN is found by its content, that of OUT by its name.",
      "Text files have shapes in a column of well-known text (wkt, geometry, ...), else points in columns of "
        + "longitude and latitude or of x and y, with heights in z, elevation or altitude. The "
        + "spatial reference is that of SRID=3857; before a shape, or of a .prj beside the file.",
      "OUT appears when it is complete; Ctrl-C or a failure leaves nothing behind. An "
        + "existing target is replaced only with --yes or when you say so. What the format has no "
        + "place for is listed. Rows, tiles and files that cannot be read are listed too, all "
        + "others are converted, and the exit status is 3.",
    ],
    examples: [
      .init("convert trails.geodatabase trails.gpkg", "all tables, for QGIS and others"),
      .init("convert trails.gpkg trails.geodatabase", "and back"),
      .init("convert trails.geodatabase trails.geojson --layer Trails", "one table, in degrees"),
      .init("convert maine.mmpk maine/", "everything in a package as open files"),
      .init("convert basemap.tpkx basemap.pmtiles", "tiles as they are"),
      .init("convert basemap.mbtiles part.pmtiles --levels 8-12 --bbox -70,43,-68,45", "a part"),
      .init("convert trails.gpkg long.shp --where \"LENGTH > 10\"", "some rows"),
      .init("convert trails.gpkg utm.shp --crs 26912", "in the coordinates of UTM zone 12"),
      .init(
        "convert survey.shp survey.gpkg --from-crs 25832", "a shapefile that came without its .prj"),
    ])

  private let request: ConversionModel.Request

  init(parsing arguments: Arguments) throws(UsageError) {
    var request = ConversionModel.Request(
      try arguments.required(Self.input, as: .file),
      to: try arguments.required(Self.output, as: .file),
      layer: try arguments.value(of: Self.layer, as: .text),
      coordinates: try arguments.value(of: Self.crs, as: .coordinates))
    for url in [request.input, request.output] where url.isStandardStream {
      throw UsageError(
        "\"convert\" needs files: it reads parts of IN at a time, and the extension of OUT is the format.",
        suggestion: "\"features FILE --layer NAME\" writes features to standard output.")
    }
    request.sourceReference = try arguments.value(of: Self.sourceReference, as: .reference)
    request.whereClause = try arguments.value(of: Self.condition, as: .text)
    request.extent = try arguments.box(
      of: Self.extent, in: request.coordinates == .native ? .degreesUpTo360 : .degrees)
    request.levels = try arguments.value(of: Self.levels, as: .tileLevels)
    self.request = request
  }

  @MainActor func run(in session: Session) async throws -> CommandResult {
    var request = request
    request.replacesTarget = session.options.assumesYes
    do {
      return try await convert(request, in: session)
    } catch let problem as Problem where problem.actions.contains(where: { $0.kind == .replace }) {
      let isAllowed = await session.console.confirm("\(problem.message) Replace it?")
      guard isAllowed == true else { throw problem }
      request.replacesTarget = true
      return try await convert(request, in: session)
    }
  }

  @MainActor private func convert(
    _ request: ConversionModel.Request, in session: Session
  ) async throws -> CommandResult {
    let result: ConversionReport
    do {
      result = try await session.showingProgress {
        try await session.app.conversion.convert(request, progress: $0)
      }
    } catch let problem as Problem
      where problem.code == .badWhereClause && request.whereClause != nil
    {
      throw Failure(aboutConditionOfLine: problem)
    } catch let problem as Problem
      where problem.code == .unknownSpatialReference && request.sourceReference == nil
    {
      var problem = problem
      problem.suggestion =
        "Say which spatial reference IN has with --from-crs, or put a .prj with it beside the file."
      throw problem
    }
    return CommandResult(
      text: result.text(of: request.output), json: .object(result.json(of: request.output)),
      status: result.isComplete ? .done : .partlyDone)
  }
}
