public import Foundation
internal import PortolanConversion
internal import PortolanFeatures
internal import PortolanFiles
internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanSearch

/// A specification to begin with: one map that shows all tables of some files.
///
/// It has what people want to change first: titles, symbols, the fields of popups, and what is
/// searched, unless there are addresses in several fields.
public struct SpecificationDraft: Sendable {
  private struct Table: Sendable {
    let name: String
    let file: String
    /// Which table of the file it is; `nil` for the only one.
    let table: String?
    /// The table with the names that its fields have in the package.
    let schema: FeatureTableSchema
  }

  private let url: URL
  private var tables: [Table] = []
  private var backdrop: String?

  /// Writes a specification for files, which are looked at, not copied.
  ///
  /// - Parameters:
  ///   - files: Files of features, and at most one tile package, which becomes the backdrop.
  ///   - url: The specification.
  ///   - replaces: Whether an existing file may be replaced.
  /// - Throws: ``AuthoringError``, `FeatureStoreError`; nothing is written then.
  @concurrent public static func write(
    for files: [URL], to url: URL, replacing replaces: Bool = false
  ) async throws {
    try check(url, replaces: replaces)
    var draft = SpecificationDraft(url: url)
    try await draft.read(files)
    let text = draft.json.text(.indented) + "\n"
    do { try FileSystem.live.write(Data(text.utf8), to: url, replacing: replaces) } catch {
      // A file that has appeared meanwhile stays, and is what is wrong.
      try check(url, replaces: replaces)
      throw AuthoringError.unwritable(file: url.relativePath, reason: error.reason)
    }
  }

  private init(url: URL) { self.url = url }

  private static func check(_ url: URL, replaces: Bool) throws(AuthoringError) {
    guard FileSystem.live.exists(url.deletingLastPathComponent()) else {
      throw .noSuchFolder(file: url.relativePath)
    }
    guard replaces || !FileSystem.live.exists(url) else {
      throw .targetExists(file: url.relativePath)
    }
  }

  // MARK: - Files

  private static let tilePackages: Set = ["tpk", "tpkx", "vtpk"]

  private mutating func read(_ files: [URL]) async throws {
    for file in files where !FileSystem.live.exists(file) {
      throw AuthoringError.noSuchFile(file: file.relativePath)
    }
    let isTilePackage = { (file: URL) in
      Self.tilePackages.contains(file.pathExtension.lowercased())
    }
    for file in files where isTilePackage(file) {
      guard backdrop == nil else {
        throw AuthoringError.severalBackdrops(file: file.relativePath)
      }
      backdrop = path(of: file)
    }
    let others = files.filter { !isTilePackage($0) }
    for file in others { try Self.checkKind(of: file) }
    try await readTables(of: others)
  }

  /// Refuses a file that features are not read from.
  private static func checkKind(of file: URL) throws(AuthoringError) {
    guard !DataOpener.reads(file) else { return }
    throw OtherTiles.areIn(file)
      ? AuthoringError.unusableTiles(file: file.relativePath)
      : AuthoringError.noFeatures(file: file.relativePath)
  }

  private mutating func readTables(of files: [URL]) async throws {
    guard !files.isEmpty else { return }
    // Text files are looked at by way of copies.
    var workspace = try StagedFolder(url)
    let opener = DataOpener(
      specification: try Self.preliminary(files, at: url),
      folder: try PackageFolders(&workspace).texts)
    var losses = ConversionResult()
    for (index, data) in opener.specification.data.enumerated() {
      let store: any FeatureStore
      do throws(DataFault) {
        store = try await opener.store(of: data, index, &losses).store
      } catch {
        throw Self.error(error, files[index])
      }
      let schemas = try await store.schemas()
      guard !schemas.isEmpty else {
        throw AuthoringError.noFeatures(file: files[index].relativePath)
      }
      for schema in schemas { add(schema, of: files[index], isOnly: schemas.count == 1) }
    }
  }

  /// What opens the files: a specification of as many tables, whose names are not used.
  private static func preliminary(
    _ files: [URL], at url: URL
  ) throws(AuthoringError) -> PackageSpecification {
    let names = files.indices.map { "\($0)" }
    let data = zip(names, files).map { name, file in
      JSONObject.Member(
        name: name, value: ["file": .string(file.absoluteURL.path(percentEncoded: false))])
    }
    let layers = names.map { ["data": .string($0)] as JSONValue }
    let document: JSONValue = [
      "title": "draft", "data": .object(JSONObject(data)),
      "maps": [["name": "map", "layers": .array(layers)]],
    ]
    return try PackageSpecification(document.encoded(), at: url)
  }

  private static func error(_ fault: DataFault, _ file: URL) -> AuthoringError {
    guard !fault.isCancellation else { return .cancelled }
    if let writing = fault.writing { return writing }
    let reason = fault.message.hasSuffix(".") ? String(fault.message.dropLast()) : fault.message
    return .unreadable(file: file.relativePath, reason: reason)
  }

  private mutating func add(_ schema: FeatureTableSchema, of file: URL, isOnly: Bool) {
    let wanted = isOnly ? file.deletingPathExtension().lastPathComponent : schema.name
    // A table of a geodatabase has no point in its name.
    tables.append(
      Table(
        name: freeName(wanted.replacing(".", with: "_")), file: path(of: file),
        table: isOnly ? nil : schema.name,
        schema: schema.namingFieldsAsGeodatabase))
  }

  private func freeName(_ wanted: String) -> String {
    let taken = Set(tables.map { $0.name.lowercased() })
    return FreeName.like(wanted) { taken.contains($0.lowercased()) }
  }

  /// The path of a file as the specification names it: beside it, if the file lies there.
  private func path(of file: URL) -> String {
    let folder = url.absoluteURL.standardizedFileURL.deletingLastPathComponent().plainPath + "/"
    let path = file.absoluteURL.standardizedFileURL.plainPath
    return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
  }

  // MARK: - The document

  private var json: JSONValue {
    let data = tables.map { table in
      var entry: JSONObject = ["file": .string(table.file)]
      entry["table"] = table.table.map(JSONValue.string)
      return JSONObject.Member(name: table.name, value: .object(entry))
    }
    let title = url.deletingPathExtension().lastPathComponent
    return [
      "title": .string(title), "data": .object(JSONObject(data)), "maps": [.object(map(title))],
    ]
  }

  private func map(_ title: String) -> JSONObject {
    // Areas below lines below points, so that nothing is hidden; tables without shapes come last.
    let layers = tables.enumerated()
      .sorted { (Self.rank($0.element), $0.offset) < (Self.rank($1.element), $1.offset) }
      .map { layer($0.element, Self.colors[$0.offset % Self.colors.count]) }
    var map: JSONObject = ["name": "map", "title": .string(title)]
    map["backdrop"] = backdrop.map(JSONValue.string)
    map["layers"] = layers.isEmpty ? nil : .array(layers)
    map["search"] = search
    return map
  }

  /// What is searched; nothing where the parts of an address are in several fields of a table: an entry
  /// names one field, and whole addresses are found where there is none.
  private var search: JSONValue? {
    let hasParts = tables.contains { table in
      let label = PackageTable.displayField(of: table.schema)
      return SearchFields.names(in: table.schema, displayField: label).count > 1
    }
    guard !hasParts else { return nil }
    let searched = tables.compactMap { table in
      Self.searchField(of: table.schema).map { field -> JSONValue in
        ["layer": .string(table.name), "field": .string(field)]
      }
    }
    return searched.isEmpty ? nil : ["layers": .array(searched)]
  }

  private func layer(_ table: Table, _ color: String) -> JSONValue {
    var layer: JSONObject = ["data": .string(table.name), "title": .string(table.name)]
    if let symbol = Self.symbol(table.schema.geometryType, .string(color)) {
      layer["renderer"] = ["type": "simple", "symbol": symbol]
    }
    var popup = JSONObject()
    popup["title"] = Self.displayField(of: table.schema).map { .string("{\($0.name)}") }
    let fields = table.schema.fields.filter { !Self.hiddenTypes.contains($0.type) }
    popup["fields"] = fields.isEmpty ? nil : .array(fields.map { .string($0.name) })
    layer["popup"] = popup.isEmpty ? nil : .object(popup)
    return .object(layer)
  }

  private static let colors = ["#2a7ab0", "#c8553d", "#4f9d69", "#8a5fa8", "#d9a441", "#5b6770"]
  /// The fields that popups do not show by default.
  private static let hiddenTypes: Set<FieldType> = [
    .objectID, .globalID, .guid, .geometry, .blob, .raster, .xml,
  ]

  private static func rank(_ table: Table) -> Int {
    switch table.schema.geometryType {
    case .polygon, .envelope: 0
    case .polyline: 1
    case .point, .multipoint: 2
    case nil: 3
    }
  }

  private static func symbol(_ type: GeometryType?, _ color: JSONValue) -> JSONValue? {
    switch type {
    case .point, .multipoint: ["style": "circle", "color": color, "size": 7]
    case .polyline: ["style": "solid", "color": color, "width": 1.5]
    case .polygon, .envelope: ["style": "solid", "color": color, "outline": "#606060"]
    case nil: nil
    }
  }

  /// The field by which people look for features: the one that labels them, if it is text.
  private static func searchField(of schema: FeatureTableSchema) -> String? {
    let field = displayField(of: schema)
    return field?.type == .string ? field?.name : nil
  }

  private static func displayField(of schema: FeatureTableSchema) -> Field? {
    PackageTable.displayField(of: schema).flatMap(schema.field(named:))
  }
}
