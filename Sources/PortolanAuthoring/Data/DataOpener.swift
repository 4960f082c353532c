internal import Foundation
internal import PortolanArchives
internal import PortolanConversion
internal import PortolanFeatures
internal import PortolanFiles
internal import PortolanGeoPackage
internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanPackages

/// A table of a file that was opened.
struct DataSource: Sendable {
  let specification: DataSpecification
  let store: any FeatureStore
  let schema: FeatureTableSchema
}

/// Opens the sources of a package's tables, and says what is wrong with them.
struct DataOpener {
  let specification: PackageSpecification
  /// The folder for files that are made of others.
  let folder: URL

  /// The endings of the files that features are read from, for people.
  static let known = ".geojson, .json, .gpkg, .geodatabase, .shp, .fgb, .csv and .tsv"

  /// Whether the ending of a file is that of one that features are read from.
  static func reads(_ url: URL) -> Bool {
    [
      "geojson", "json", "geojsonl", "ndjson", "gpkg", "geodatabase", "shp", "fgb", "csv", "tsv",
      "txt",
    ].contains(url.pathExtension.lowercased())
  }

  /// Opens all tables that layers or backdrops show; what is wrong is added to `problems`, and rows that
  /// cannot be taken over to `losses`.
  func sources(
    _ problems: SpecificationProblems, losses: inout ConversionResult
  ) async throws(AuthoringError) -> [DataSource] {
    var sources: [DataSource] = []
    for data in specification.unusedData where !data.file.isEmpty {
      guard !FileSystem.live.exists(specification.file(data.file)) else { continue }
      problems.add(Self.noFile(data), at: data.filePath)
    }
    let unused = Set(specification.unusedData.map(\.name))
    for (index, data) in specification.data.enumerated()
    where !unused.contains(data.name) && !data.file.isEmpty {
      guard !Task.isCancelled else { throw .cancelled }
      do throws(DataFault) {
        let (store, reference) = try await store(of: data, index, &losses)
        var schema = try await table(of: data, in: store)
        losses.notes += try await Self.gaps(of: schema.name, in: store, data)
        let checked = check(data, schema, problems)
        try place(&schema, in: reference, data)
        sources.append(DataSource(specification: checked, store: store, schema: schema))
      } catch {
        try error.refuseOthers()
        problems.add(error.message, at: error.path)
      }
    }
    return sources
  }

  /// What the coordinates of a file mean.
  enum Reference {
    /// What the tables of the file say; or why that is not understood.
    case own(UnknownReference?)
    /// What is known beside them, `nil` if nothing is; or why that is not understood.
    case found(SpatialReference?, UnknownReference?)

    /// The definition that is not understood.
    var unknown: UnknownReference? {
      switch self {
      case .own(let unknown), .found(_, let unknown): unknown
      }
    }
  }

  /// Says of a table what its coordinates mean; they are never taken for degrees unseen.
  private func place(
    _ schema: inout FeatureTableSchema, in reference: Reference, _ data: DataSpecification
  ) throws(DataFault) {
    guard schema.geometryType != nil else { return }
    if case .found(let reference, _) = reference { schema.spatialReference = reference }
    if schema.spatialReference == nil { schema.spatialReference = data.spatialReference }
    guard schema.spatialReference == nil else { return }
    let problem = "Nothing says what the coordinates of \"\(data.file)\" mean"
    throw DataFault(
      reference.unknown.map {
        "\(problem): \($0.fact). Say it with \"spatialReference\", or put another .prj beside the file."
      } ?? "\(problem). Say it with \"spatialReference\", or put a .prj beside the file.",
      at: data.filePath)
  }

  private static func noFile(_ data: DataSpecification) -> String {
    "There is no file \"\(data.file)\"."
  }

  /// The file of a table, and what its coordinates mean.
  func store(
    of data: DataSpecification, _ index: Int, _ losses: inout ConversionResult
  ) async throws(DataFault) -> (store: any FeatureStore, reference: Reference) {
    let url = specification.file(data.file)
    guard FileSystem.live.exists(url) else {
      throw DataFault(Self.noFile(data), at: data.filePath)
    }
    do {
      switch url.pathExtension.lowercased() {
      case "geojson" where Self.holdsFeatureSet(url), "json" where Self.holdsFeatureSet(url):
        let file = try await TableFile.featureSet(at: url)
        return (file, Self.report(file, data, &losses))
      case "geojson", "json", "geojsonl", "ndjson":
        let file = try await GeoJSONFile.open(at: url)
        return (file, Self.report(file, data, &losses))
      case "gpkg": return (try GeoPackage.open(at: url), .own(nil))
      case "geodatabase": return (try Geodatabase.open(at: url), .own(nil))
      case "shp":
        let file = try await TableFile.shapefile(at: url)
        return (file, Self.report(file, data, &losses))
      case "fgb":
        let file = try await TableFile.flatGeobuf(at: url)
        return (file, Self.report(file, data, &losses))
      case "csv", "tsv", "txt":
        return try await text(of: data, url, index, &losses)
      default:
        throw DataFault(
          "Features are read from \(Self.known) files; convert \"\(data.file)\" to one of them.",
          at: data.filePath)
      }
    } catch let fault as DataFault {
      throw fault
    } catch {
      throw DataFault(error, file: data)
    }
  }

  /// Whether a file begins as the answer of a feature service to a query.
  private static func holdsFeatureSet(_ url: URL) -> Bool {
    // What cannot be read is reported by who reads its features.
    guard let source = try? FileByteSource(at: url),
      // Likewise.
      let head = try? source.read(0..<min(source.count, FileSignature.length)),
      FileSignature(head) == .object
    else { return false }
    return String(decoding: head, as: UTF8.self)
      .contains(/"(objectIdFieldName|displayFieldName|fieldAliases|geometryType)"\s*:/)
  }

  /// Adds what a file says of itself, and what of it cannot be read.
  ///
  /// - Returns: What its coordinates mean.
  private static func report(
    _ file: any FeatureStore, _ data: DataSpecification, _ losses: inout ConversionResult
  ) -> Reference {
    guard let surveyed = file as? any SurveyedStore else { return .own(nil) }
    losses.notes += data.spatialReference == nil ? surveyed.notes : surveyed.notesOnRows
    for failure in surveyed.failures { losses.add(failure) }
    losses.addUnlisted(surveyed.damagedCount - surveyed.failures.count)
    return .own(surveyed.unknownReference)
  }

  /// What a table does not show, in sentences.
  private static func gaps(
    of table: String, in store: any FeatureStore, _ data: DataSpecification
  ) async throws(DataFault) -> [String] {
    do throws(FeatureStoreError) {
      let gaps = try await (store as? any GapListingStore)?.gaps() ?? []
      return gaps.filter { $0.table == table }.map(\.summary)
    } catch {
      throw DataFault(error, file: data)
    }
  }

  /// A text file, by way of a GeoJSON file beside the package.
  private func text(
    of data: DataSpecification, _ url: URL, _ index: Int, _ losses: inout ConversionResult
  ) async throws -> (any FeatureStore, Reference) {
    let copy = folder.appending(path: "\(index).geojson")
    let transcript = CSVTranscript(
      source: url, x: data.xColumn, y: data.yColumn, reference: data.spatialReference)
    let reference = try transcript.write(to: copy, losses: &losses)
    let unknown = reference == nil ? ProjectionFile(besideText: url).unknown : nil
    let file = try await GeoJSONFile.open(at: copy)
    losses.notes += file.notes
    return (file, .found(reference, unknown))
  }

  /// The table of a file that is meant.
  private func table(
    of data: DataSpecification, in store: any FeatureStore
  ) async throws(DataFault) -> FeatureTableSchema {
    let schemas: [FeatureTableSchema]
    do throws(FeatureStoreError) { schemas = try await store.schemas() } catch {
      throw DataFault(error, file: data)
    }
    let names = schemas.map(\.name).joined(separator: ", ")
    guard let wanted = data.table else {
      guard let only = schemas.first else {
        throw DataFault("\"\(data.file)\" holds no features.", at: data.filePath)
      }
      guard schemas.count == 1 else {
        throw DataFault(
          "\"\(data.file)\" has several tables: \(names). Say which one with \"table\".",
          at: data.filePath)
      }
      return only
    }
    guard let found = schemas.first(where: { $0.name.lowercased() == wanted.lowercased() }) else {
      throw DataFault(
        "\"\(data.file)\" has no table \"\(wanted)\". It has: \(names).", at: data.tablePath)
    }
    return found
  }

  /// Looks whether the fields that the specification names are there.
  ///
  /// - Returns: What it says about the table, without a condition that is wrong.
  private func check(
    _ data: DataSpecification, _ source: FeatureTableSchema, _ problems: SpecificationProblems
  ) -> DataSpecification {
    var data = data
    if let field = data.displayField, source.field(named: field) == nil {
      problems.add(source.absence(of: field), at: data.displayFieldPath)
    }
    for alias in data.aliases where source.field(named: alias.field) == nil {
      problems.add(source.absence(of: alias.field), at: alias.path)
    }
    do throws(DataFault) { try source.check(data.whereClause, at: data.wherePath) } catch {
      problems.add(error.message, at: error.path)
      data.whereClause = nil
    }
    return data
  }
}

extension [DataSource] {
  /// Those with certain names, as tables in a spatial reference; what is wrong is added to
  /// `problems`.
  func tables(
    named names: Set<String>, in reference: SpatialReference, _ problems: SpecificationProblems
  ) -> [PackageTable] {
    var tables: [PackageTable] = []
    for source in self where names.contains(source.specification.name) {
      do throws(GeometryError) {
        tables.append(
          try PackageTable(
            source.specification, in: source.store, source: source.schema, reference: reference,
            id: tables.count))
      } catch {
        problems.add(error.localizedDescription, at: source.specification.filePath)
      }
    }
    return tables
  }
}

extension FeatureTableSchema {
  /// Refuses a condition that is none, or that names fields that are not there.
  func check(_ clause: String?, at path: SpecificationPath) throws(DataFault) {
    guard let clause else { return }
    do throws(FeatureStoreError) {
      _ = try WhereClause(clause).bound(to: self, now: Date(timeIntervalSince1970: 0))
    } catch .noSuchField(let name, _) {
      throw DataFault(absence(of: name), at: path)
    } catch {
      throw DataFault(error.localizedDescription, at: path)
    }
  }

  /// That there is no such field, and which there are.
  func absence(of field: String) -> String {
    "There is no field \"\(field)\". There are: \(fields.map(\.name).joined(separator: ", "))."
  }
}

extension PackageSpecification {
  /// A file that the specification names, which lies beside it unless its path says otherwise.
  func file(_ path: String) -> URL {
    URL(filePath: path, relativeTo: url.deletingLastPathComponent()).absoluteURL
  }
}

extension SpecificationProblems {
  /// What `body` makes; `nil` if the data do not fit the specification, which is added.
  func collecting<Value>(_ body: () async throws -> Value) async throws -> Value? {
    do { return try await body() } catch let fault as DataFault {
      add(fault.message, at: fault.path)
      return nil
    }
  }

  /// Adds why data do not fit the specification, if `body` finds that.
  func noting(_ body: () throws(DataFault) -> Void) {
    do throws(DataFault) { try body() } catch { add(error.message, at: error.path) }
  }
}

/// Why data that a specification names cannot be used, and where it names them.
struct DataFault: Error {
  let message: String
  let path: SpecificationPath
  var isCancellation = false
  /// Why a part of the package cannot be written, which the specification cannot help.
  private(set) var writing: AuthoringError?

  init(_ message: String, at path: SpecificationPath) {
    self.message = message
    self.path = path
  }

  /// What a failure to read a file means.
  init(_ error: any Error, file data: DataSpecification) { self.init(error, at: data.filePath) }

  /// What a failure to make a part of a package means, which the specification names at a place.
  init(_ error: any Error, at path: SpecificationPath) {
    self.init((error as? CSVFault)?.reason ?? error.localizedDescription, at: path)
    isCancellation = error is CancellationError || (error as? FeatureStoreError) == .cancelled
    writing = AuthoringError(writing: error)
  }

  /// Throws what is the fault of neither the specification nor its data.
  func refuseOthers() throws(AuthoringError) {
    guard !isCancellation else { throw .cancelled }
    if let writing { throw writing }
  }
}
