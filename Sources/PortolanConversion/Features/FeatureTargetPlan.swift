internal import Foundation
internal import PortolanFeatures
internal import PortolanGeoPackage
internal import PortolanGeodatabase
internal import PortolanGeometry

/// The contents of a feature file to be written, and their sources.
struct FeatureTargetPlan {
  /// The tables, in order.
  let tables: [TableTransfer]
  /// What the format has no place for.
  let omissions: [Omission]
  /// What else people should know.
  let notes: [String]
  /// Begins the file.
  let make: @Sendable () throws -> any FeatureStoreWriter

  /// Plans a file.
  ///
  /// - Throws: ``ConversionError`` if the format cannot hold the tables, else the error of the
  ///   source.
  init(
    _ source: FeatureSource, _ format: ConversionFormat, _ url: URL,
    coordinates: Conversion.Coordinates, _ environment: ConversionEnvironment
  ) async throws {
    switch format {
    case .geodatabase:
      try await self.init(database: source, .geodatabase, coordinates) {
        try DatabaseTarget<GeodatabaseWriter>(at: url, $0, environment)
      }
    case .geoPackage:
      try await self.init(database: source, .geoPackage, coordinates) {
        try DatabaseTarget<GeoPackageWriter>(at: url, $0, environment)
      }
    case .geoJSON: try self.init(geoJSON: source, url, coordinates)
    case .shapefile: try self.init(shapefile: source, url, coordinates)
    case .csv: try self.init(csv: source, url, coordinates)
    case .flatGeobuf: try self.init(flatGeobuf: source, url, coordinates)
    default:
      throw ConversionError.wrongTarget(file: url.lastPathComponent, source: .features)
    }
  }

  private init(
    tables: [TableTransfer], omissions: [Omission], notes: [String] = [],
    make: @escaping @Sendable () throws -> any FeatureStoreWriter
  ) {
    self.tables = tables
    self.omissions = omissions
    self.notes = notes
    self.make = make
  }

  // MARK: Databases

  private init(
    database source: FeatureSource, _ rules: TableNames.Rules,
    _ coordinates: Conversion.Coordinates,
    _ make:
      @escaping @Sendable (
        [GeodatabaseDefinition.Table]
      ) throws -> any FeatureStoreWriter
  ) async throws {
    var names = TableNames(rules)
    let (source, parts, lost) = try await source.parts()
    let schemas = names.adapt(parts.map(\.schema)).map(Self.independent)
    let transfers = try zip(parts, schemas).map { part, schema in
      var transfer = try TableTransfer(part.source, as: schema, in: coordinates)
      transfer.selection = part.selection
      return transfer
    }
    let joins = try await source.joinTables().map { TableTransfer($0, isJoin: true) }
    var definitions: [GeodatabaseDefinition.Table] = []
    for transfer in transfers {
      let drawing = try await source.drawing(of: transfer.source.name)
      definitions.append(
        GeodatabaseDefinition.Table(
          transfer.target, drawingInfo: drawing.info, advancedDrawingInfo: drawing.advancedInfo,
          shapeField: rules.shapeField))
    }
    self.init(
      tables: transfers + joins,
      omissions: lost
        + source.schemas.filter(\.isChangeTracked).map { Omission(table: $0.name, .history) },
      notes: Self.renamingNotes(transfers)
    ) { [definitions] in try make(definitions) }
  }

  /// The table as one that no service knows.
  private static func independent(_ schema: FeatureTableSchema) -> FeatureTableSchema {
    var schema = schema
    schema.isChangeTracked = false
    if schema.geometryType == .envelope { schema.geometryType = .polygon }
    return schema
  }

  /// What was renamed, in sentences.
  private static func renamingNotes(_ tables: [TableTransfer]) -> [String] {
    tables.flatMap { table in
      let fields = zip(table.source.fields, table.target.fields).filter { $0.name != $1.name }
        .map { "The field \"\($0.name)\" of \"\(table.source.name)\" is called \"\($1.name)\"." }
      guard table.source.name != table.target.name else { return fields }
      if let family = table.selection?.family {
        return ["The \(family.noun) of \"\(table.source.name)\" are in \"\(table.target.name)\"."]
          + (table.selection?.isFirst == true ? fields : [])
      }
      return ["The table \"\(table.source.name)\" is called \"\(table.target.name)\"."] + fields
    }
  }

  // MARK: Files of one table

  /// The only table of a source, as a file of one table will have it.
  ///
  /// - Throws: ``ConversionError/severalLayers(file:available:)``, ``GeometryError``.
  private static func only(
    _ source: FeatureSource, _ url: URL, _ coordinates: Conversion.Coordinates
  ) throws -> TableTransfer {
    guard source.schemas.count == 1, let schema = source.schemas.first else {
      throw ConversionError.severalLayers(
        file: url.lastPathComponent, available: source.schemas.map(\.name))
    }
    return try TableTransfer(schema, in: coordinates)
  }

  private init(
    shapefile source: FeatureSource, _ url: URL, _ coordinates: Conversion.Coordinates
  ) throws {
    let table = try Self.only(source, url, coordinates)
    let schema = table.target
    let omissions = Omission.fromGeoJSON(of: schema)
    let isSaid =
      schema.geometryType == nil
      || schema.spatialReference.map { $0.projectionFileText != nil } != false
    self.init(
      tables: [table], omissions: omissions.filter { $0.content != .heightsOrMeasures },
      notes: DBaseWriter(schema).renamed + (isSaid ? [] : [Self.silenceNote(table)])
    ) { try ShapefileTarget(at: url, schema) }
  }

  private init(
    csv source: FeatureSource, _ url: URL, _ coordinates: Conversion.Coordinates
  ) throws {
    let table = try Self.only(source, url, coordinates).asText()
    let schema = table.target
    let isSaid = schema.geometryType == nil || schema.spatialReference?.isWGS84 != false
    // Only well-known text has a place for measures.
    let omissions = Omission.fromGeoJSON(of: schema).filter {
      $0.content != .heightsOrMeasures || CSVTarget.hasPoints(schema)
    }
    self.init(
      tables: [table], omissions: omissions,
      notes: isSaid ? [] : [Self.silenceNote(table)]
    ) { try CSVTarget(at: url, schema) }
  }

  private init(
    flatGeobuf source: FeatureSource, _ url: URL, _ coordinates: Conversion.Coordinates
  ) throws {
    let table = try Self.only(source, url, coordinates)
    let schema = table.target
    let omissions = Omission.fromGeoJSON(of: schema)
    self.init(
      tables: [table], omissions: omissions.filter { $0.content != .heightsOrMeasures }
    ) { try FlatGeobufTarget(at: url, schema) }
  }

  private init(
    geoJSON source: FeatureSource, _ url: URL, _ coordinates: Conversion.Coordinates
  ) throws {
    let table = try Self.only(source, url, coordinates).asText()
    let schema = table.target
    // A reference without an id has no name that a file could say.
    let isSaid =
      schema.geometryType == nil || schema.spatialReference.map { $0.currentWKID != nil } != false
    self.init(
      tables: [table],
      omissions: Omission.fromGeoJSON(of: schema),
      notes: ["GeoJSON keeps the names and values of fields, not their types and aliases."]
        + (isSaid ? [] : [Self.silenceNote(table)])
    ) { try GeoJSONTarget(at: url, schema) }
  }

  /// That a file does not say what its coordinates mean.
  private static func silenceNote(_ table: TableTransfer) -> String {
    let reference =
      if table.projection != nil, let id = table.target.spatialReference?.currentWKID {
        "the spatial reference \(id)"
      } else {
        "its own spatial reference"
      }
    return "The coordinates of \"\(table.target.name)\" are those of \(reference), "
      + "which the file cannot say."
  }
}
