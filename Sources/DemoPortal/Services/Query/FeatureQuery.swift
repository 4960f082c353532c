internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON

/// The parameters of a `query` request to a layer.
///
/// - SeeAlso: Docs/DEMO-PORTAL.md
struct FeatureQuery: Sendable {
  /// The format of the response.
  enum Format: Sendable {
    case json
    case geoJSON
    case buffer
  }

  /// The part of the features that is requested.
  enum Wanted: Sendable {
    case features
    case ids
    case count
    case extent(withCount: Bool)
    case distinctValues
    case statistics([QueryStatistic], groupedBy: [String])
  }

  var format: Format
  var wanted: Wanted
  var whereClause: WhereClause
  var objectIDs: Set<Int64>?
  var spatialFilter: SpatialFilter?
  /// The fields wanted, all if `*` was written; the object id alone if nothing was.
  var outFields: FieldList
  var returnsGeometry: Bool
  var returnsZ: Bool
  var returnsM: Bool
  var spatialReference: SpatialReference?
  var maxAllowableOffset: Double?
  var geometryPrecision: Int?
  var quantization: JSONValue?
  var orderBy: [QueryParameters.OrderBy]
  /// The time range of the features, and the field of their times.
  var time: (field: String, range: ClosedRange<Date>)?
  var offset: Int
  var limit: Int?
}

extension FeatureQuery {
  /// Reads a request.
  ///
  /// - Throws: The envelope that a service answers to parameters that it cannot use.
  init(
    _ parameters: DemoParameters, of table: HostedTable, in options: FeatureServiceOptions
  ) throws {
    let schema = table.schema
    format = try Self.format(parameters, options)
    objectIDs = try Self.objectIDs(parameters)
    spatialFilter = try SpatialFilter(parameters, schema.spatialReference)
    whereClause = try Self.clause(
      parameters, isOptional: objectIDs != nil || spatialFilter != nil)
    wanted = try Self.wanted(parameters)
    outFields = try Self.outFields(parameters, table)
    returnsGeometry =
      schema.geometryType != nil && parameters.bool("returnGeometry") ?? true
    returnsZ = schema.hasZ && parameters.bool("returnZ") ?? false
    returnsM = schema.hasM && parameters.bool("returnM") ?? false
    spatialReference = try Self.reference(parameters, "outSR")
    if spatialReference == nil, format == .geoJSON { spatialReference = .wgs84 }
    maxAllowableOffset = parameters.double("maxAllowableOffset").flatMap { $0 > 0 ? $0 : nil }
    geometryPrecision = parameters.int("geometryPrecision").flatMap {
      (0...15).contains($0) ? $0 : nil
    }
    quantization = try parameters.json("quantizationParameters")
    orderBy = try Self.order(parameters)
    time = try Self.time(parameters, options)
    (offset, limit) = try Self.page(parameters, options)
  }

  private static func format(
    _ parameters: DemoParameters, _ options: FeatureServiceOptions
  ) throws(DemoFailure) -> Format {
    switch parameters["f"]?.lowercased() {
    case "geojson" where options.formats.contains("geoJSON"): .geoJSON
    case "pbf" where options.formats.contains("PBF"): .buffer
    case "pbf", "geojson":
      throw DemoFailure(code: 400, "Output format not supported.")
    default: .json
    }
  }

  /// A moment or a period in milliseconds; `null` is open to that side.
  private static func time(
    _ parameters: DemoParameters, _ options: FeatureServiceOptions
  ) throws(DemoFailure) -> (field: String, range: ClosedRange<Date>)? {
    guard let field = options.timeField, parameters["time"] != nil else { return nil }
    let ends = parameters.list("time").map { text -> Date? in
      Double(text).map { Date(timeIntervalSince1970: $0 / 1000) }
    }
    guard (1...2).contains(ends.count) else { throw .badQuery("'time' parameter is invalid") }
    let first = ends[0] ?? .distantPast
    let last = ends.count == 1 ? first : ends[1] ?? .distantFuture
    guard first <= last else { throw .badQuery("'time' parameter is invalid") }
    return (field, first...last)
  }

  private static func objectIDs(_ parameters: DemoParameters) throws(DemoFailure) -> Set<Int64>? {
    guard parameters["objectIds"] != nil else { return nil }
    var ids: Set<Int64> = []
    for text in parameters.list("objectIds") {
      guard let id = Int64(text) else { throw .badQuery("'objectIds' parameter is invalid") }
      ids.insert(id)
    }
    return ids
  }

  private static func clause(
    _ parameters: DemoParameters, isOptional: Bool
  ) throws -> WhereClause {
    guard let text = parameters["where"] else {
      guard isOptional else { throw DemoFailure.badQuery("'where' clause must be specified") }
      return try WhereClause("")
    }
    do { return try WhereClause(text) } catch { throw DemoFailure(error) }
  }

  private static func wanted(_ parameters: DemoParameters) throws(DemoFailure) -> Wanted {
    if let list = try parameters.json("outStatistics")?.array, !list.isEmpty {
      return .statistics(
        try list.map(QueryStatistic.init(json:)),
        groupedBy: parameters.list("groupByFieldsForStatistics"))
    }
    let countsToo = parameters.bool("returnCountOnly") ?? false
    if parameters.bool("returnExtentOnly") ?? false { return .extent(withCount: true) }
    if countsToo { return .count }
    if parameters.bool("returnIdsOnly") ?? false { return .ids }
    if parameters.bool("returnDistinctValues") ?? false { return .distinctValues }
    return .features
  }

  private static func outFields(
    _ parameters: DemoParameters, _ table: HostedTable
  ) throws(DemoFailure) -> FieldList {
    let names = parameters.list("outFields")
    guard !names.contains("*") else { return table.fields }
    var fields: [Field] = []
    for name in names {
      guard let position = table.fields.position(of: name) else {
        throw .badQuery("'Invalid field: \(name)' parameter is invalid")
      }
      fields.append(table.fields.fields[position])
    }
    let objectID = table.schema.objectIDField
    let isDistinct = parameters.bool("returnDistinctValues") ?? false
    if !isDistinct, !fields.contains(where: { $0.name == objectID }),
      let position = table.fields.position(of: objectID)
    {
      fields.insert(table.fields.fields[position], at: 0)
    }
    return FieldList(fields)
  }

  /// A spatial reference, by its id or as JSON.
  static func reference(
    _ parameters: DemoParameters, _ name: String
  ) throws(DemoFailure) -> SpatialReference? {
    guard let text = parameters[name] else { return nil }
    guard let reference = SpatialReference(esriJSON: try parameters.json(name)) else {
      throw .badQuery("'\(name)' parameter is invalid: \(text)")
    }
    return reference
  }

  private static func order(
    _ parameters: DemoParameters
  ) throws(DemoFailure) -> [QueryParameters.OrderBy] {
    try parameters.list("orderByFields").map { (term) throws(DemoFailure) in
      let words = term.split(separator: " ")
      guard let field = words.first, words.count <= 2 else {
        throw .badQuery("'orderByFields' parameter is invalid")
      }
      return QueryParameters.OrderBy(
        String(field), isDescending: words.dropFirst().first?.lowercased() == "desc")
    }
  }

  private static func page(
    _ parameters: DemoParameters, _ options: FeatureServiceOptions
  ) throws(DemoFailure) -> (offset: Int, limit: Int?) {
    let offset = parameters.int("resultOffset")
    let limit = parameters.int("resultRecordCount")
    guard options.supportsPagination || (offset == nil && limit == nil) else {
      throw DemoFailure(
        code: 400, "Unable to complete operation.", details: ["Pagination is not supported."])
    }
    return (max(0, offset ?? 0), limit.flatMap { $0 > 0 ? $0 : nil })
  }
}

extension DemoFailure {
  /// A query that cannot be understood; `detail` says why.
  static func badQuery(_ detail: String) -> DemoFailure {
    DemoFailure(
      code: 400, "Cannot perform query. Invalid query parameters.", details: [detail])
  }

  /// The error of a store about a query, in the words of a service.
  init(_ error: FeatureStoreError) {
    switch error {
    case .noSuchField(let name, _):
      self = .badQuery("'Invalid field: \(name)' parameter is invalid")
    case .badWhereClause(let reason, _):
      self = .badQuery("'where' parameter is invalid: \(reason)")
    default: self = .badQuery(error.localizedDescription)
    }
  }
}
