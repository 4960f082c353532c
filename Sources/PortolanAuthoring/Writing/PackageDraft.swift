internal import Foundation
internal import PortolanConversion
internal import PortolanFeatures
internal import PortolanFiles
internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanMap
internal import PortolanPackages

/// Writes the parts of a package: its features, its maps, their pictures.
struct PackageDraft {
  let specification: PackageSpecification
  let environment: ConversionEnvironment
  let drawing: (any MapDrawing)?
  let folders: PackageFolders
  let checksBackdrops: Bool

  /// What a package is put together from.
  struct Outcome {
    var description: MobileMapPackageDescription
    var maps: [NewMobileMap]
    var files: [URL]
    var features: ConversionResult
    var notes: [String]
  }

  /// The size of the pictures of maps, as portals show them, in pixels.
  private static let pictureSize = (width: 200.0, height: 133.0)

  func write(_ report: @escaping @Sendable (AuthoringProgress) -> Void) async throws -> Outcome {
    report(.opening)
    var notes = specification.unusedData.map {
      "No layer and no backdrop shows \"\($0.name)\": it is not in the package."
    }
    var losses = ConversionResult()
    let problems = SpecificationProblems(specification.text, specification.faults)
    let opener = DataOpener(specification: specification, folder: folders.texts)
    let sources = try await opener.sources(problems, losses: &losses)
    let shown = Set(specification.maps.flatMap(\.layers).map(\.data))
    let tables = sources.tables(named: shown, in: specification.spatialReference, problems)
    let made = try await writeBackdrops(sources, problems)
    let linked = try linkBackdrops(problems)
    if !problems.all.isEmpty { try await noteFaults(ofMapsWith: tables, problems) }
    try check(problems)
    let name = geodatabaseName
    let numbers = GatheredNumbers(for: specification.maps)
    var (features, store) = try await writeFeatures(tables, name, gathering: numbers, report)
    // Where rows were left out, or read twice around damaged ones, the table is read again.
    let isExact = features.failureCount == 0
    for note in features.notes + losses.notes where !notes.contains(note) { notes.append(note) }
    for failure in losses.failures { features.add(failure) }
    features.addUnlisted(losses.failureCount - losses.failures.count)
    for file in linked where checksBackdrops {
      try await BackdropCheck(file: file).note(in: &features)
    }
    checkNames(of: features, problems)
    report(.maps)
    let schemas = try await store?.schemas() ?? []
    checkFields(of: tables, as: schemas, problems)
    var composer = composer(store ?? InMemoryFeatureStore([]), schemas)
    composer.numbers = isExact ? numbers : nil
    var maps = try await composer.maps(problems)
    try check(problems)
    notes += try await notesOnConditions(of: features, in: store) + expirationNotes
    var description = description(of: maps)
    try writeDocuments(description, maps)
    maps = try await drawn(maps, &notes)
    description.thumbnail = maps.first?.thumbnail
    let files = (store == nil ? [] : [folders.data.appending(path: name)]) + made + linked
    return Outcome(
      description: description, maps: maps, files: files, features: features, notes: notes)
  }

  /// That the package has expired before it is made, in a sentence.
  private var expirationNotes: [String] {
    guard let expiration = specification.expiration, expiration.isExpired(at: environment.now())
    else { return [] }
    let outcome = expiration.policy == .preventAccess ? "does not open" : "opens with a warning"
    return ["The \"date\" of \"expiration\" has passed already: the package \(outcome)."]
  }

  /// The name of the file with the features.
  private var geodatabaseName: String { "\(specification.name).geodatabase" }

  private func composer(
    _ store: any FeatureStore, _ schemas: [FeatureTableSchema]
  ) -> MapComposer {
    MapComposer(
      specification: specification, store: store, schemas: schemas, geodatabase: geodatabaseName,
      folder: folders.data, makeID: environment.makeID)
  }

  /// Adds what is wrong with the maps as well, as far as their data are known, where no package can be
  /// made anyway, so that all of it can be corrected at once.
  private func noteFaults(
    ofMapsWith tables: [PackageTable], _ problems: SpecificationProblems
  ) async throws(AuthoringError) {
    let found = SpecificationProblems(specification.text)
    var composer = composer(
      PackageFeatures(tables), tables.map(\.schema.namingFieldsAsGeodatabase))
    composer.isTrial = true
    // Unreadable data are reported when everything else is right.
    _ = try? await composer.maps(found)
    guard !Task.isCancelled else { throw .cancelled }
    problems.add(found)
  }

  private func check(_ problems: SpecificationProblems) throws(AuthoringError) {
    guard problems.all.isEmpty else {
      throw .invalidSpecification(
        file: specification.url.lastPathComponent,
        problems: PackageSpecification.ordered(problems.all))
    }
  }

  /// Refuses names that a geodatabase cannot have, and data that became several tables: layers would not find
  /// their tables.
  private func checkNames(of features: ConversionResult, _ problems: SpecificationProblems) {
    var known: Set<String> = []
    for table in features.tables
    where table.source != table.name && known.insert(table.source).inserted {
      let data = specification.data.first { $0.name == table.source }
      let partCount = features.tables.count { $0.source == table.source }
      let message =
        partCount == 1
        ? "\"\(table.source)\" is not a name that a table can have."
        : Self.mixture(in: data?.file ?? table.source)
      problems.add(message, at: data?.path ?? .root)
    }
  }

  private static func mixture(in file: String) -> String {
    "\"\(file)\" has shapes of several types in one table, and a layer shows those of one. Convert the file "
      + "to another .gpkg, which has a table for each type, and name one with \"table\"."
  }

  // MARK: Features

  /// Writes all tables into one geodatabase; there is none where there are no tables.
  private func writeFeatures(
    _ tables: [PackageTable], _ name: String, gathering numbers: GatheredNumbers,
    _ report: @escaping @Sendable (AuthoringProgress) -> Void
  ) async throws -> (ConversionResult, Geodatabase?) {
    guard !tables.isEmpty else { return (ConversionResult(), nil) }
    let features = PackageFeatures(tables, gathering: numbers)
    let url = folders.data.appending(path: name)
    // The archive, into which the geodatabase is copied, is synced.
    var environment = environment
    environment.durability = .scratch
    let conversion = try Conversion(
      of: .features(features), at: specification.url, to: url, environment: environment)
    var result = try await conversion.run { report(.features($0)) }
    for table in tables {
      for row in features.misplacedRows(in: table.schema.name) {
        result.add(
          ConversionResult.Failure(
            part: table.schema.name, item: "row \(row)",
            reason:
              "its shape lies outside of what the package's spatial reference covers, and it is "
              + "kept without one"))
      }
    }
    return (result, try Geodatabase.open(at: url))
  }

  // MARK: Backdrops

  /// Draws the backdrops that are made of tables.
  private func writeBackdrops(
    _ sources: [DataSource], _ problems: SpecificationProblems
  ) async throws -> [URL] {
    var files: [URL] = []
    for backdrop in specification.backdrops {
      let names = Set(backdrop.layers.map(\.data))
      let tables = sources.tables(named: names, in: .webMercator, problems)
      let url = folders.data.appending(path: backdrop.fileName)
      do throws(DataFault) {
        try await BackdropTiles(backdrop, tables, title: specification.title).write(to: url)
        files.append(url)
      } catch {
        try error.refuseOthers()
        problems.add(error.message, at: error.path)
      }
    }
    return files
  }

  /// Puts the tile packages beside the maps, each once.
  private func linkBackdrops(
    _ problems: SpecificationProblems
  ) throws(AuthoringError) -> [URL] {
    var files: [String: URL] = [:]
    let drawn = Set(specification.backdrops.map(\.name))
    let taken = Set(
      (specification.backdrops.map(\.fileName) + [geodatabaseName]).map { $0.lowercased() })
    for backdrop in specification.maps.compactMap(\.backdrop)
    where !drawn.contains(backdrop.file) && !backdrop.file.isEmpty {
      let url = specification.file(backdrop.file).standardizedFileURL
      // Packages are also unpacked where case does not count.
      let (name, key) = (url.lastPathComponent, url.lastPathComponent.lowercased())
      if let known = files[key] {
        if known != url {
          problems.add("Two backdrops are called \"\(name)\".", at: backdrop.path)
        }
        continue
      }
      if let fault = fault(of: url, backdrop, taken) {
        problems.add(fault, at: backdrop.path)
        continue
      }
      files[key] = url
      do { try link(url, to: folders.data.appending(path: name)) } catch {
        if let error = AuthoringError(writing: error) { throw error }
        problems.add("\"\(backdrop.file)\" cannot be copied.", at: backdrop.path)
      }
    }
    return files.values.map(\.lastPathComponent).sorted().map { folders.data.appending(path: $0) }
  }

  /// Why a file cannot lie beside the maps, as a sentence; `nil` if it can.
  private func fault(
    of url: URL, _ backdrop: MapSpecification.Backdrop, _ taken: Set<String>
  ) -> String? {
    guard FileSystem.live.exists(url) else { return "There is no file \"\(backdrop.file)\"." }
    guard !OtherTiles.areIn(url) else {
      return "\"\(backdrop.file)\" \(OtherTiles.fault) \(OtherTiles.advice)"
    }
    // A folder would be copied with all that is in it, this package among it, and a pipe be waited for. What
    // cannot be looked at cannot be copied either.
    if let kind = (try? FileStatus(at: url, links: .followed))?.kind, kind != .file {
      return
        "\"\(backdrop.file)\" is \(kind). A backdrop is a .tpk, .tpkx or .vtpk file."
    }
    guard taken.contains(url.lastPathComponent.lowercased()) else { return nil }
    return "Another file of the package is called \"\(url.lastPathComponent)\"."
  }

  private func link(_ source: URL, to target: URL) throws {
    let source = source.resolvingSymlinksInPath()
    // Where no links can be made, as between two disks, the file is copied.
    if (try? FileManager.default.linkItem(at: source, to: target)) != nil { return }
    try FileManager.default.copyItem(at: source, to: target)
  }

  // MARK: Maps

  private func description(of maps: [NewMobileMap]) -> MobileMapPackageDescription {
    MobileMapPackageDescription(
      name: specification.name, title: specification.title, summary: specification.summary,
      details: specification.details, accessInformation: specification.credits,
      licenseInfo: specification.license, tags: specification.tags,
      guid: specification.id ?? environment.makeID(),
      created: specification.created ?? environment.now(),
      extent: maps.compactMap(\.extent).reduce(nil) { $0?.union($1) ?? $1 },
      spatialReference: specification.spatialReference, expiration: specification.expiration)
  }

  /// Writes the documents of the maps beside their data, so that they can be opened and drawn.
  private func writeDocuments(
    _ description: MobileMapPackageDescription, _ maps: [NewMobileMap]
  ) throws {
    var description = description
    // What has expired already is drawn all the same.
    description.expiration = nil
    try MobileMapPackageWriter(description, maps: maps).writeDocuments(into: folders.package)
  }

  /// The maps with thumbnails.
  private func drawn(
    _ maps: [NewMobileMap], _ notes: inout [String]
  ) async throws -> [NewMobileMap] {
    guard let drawing else {
      notes.append("The maps have no pictures, since there is nothing here that draws them.")
      return maps
    }
    let package = try await MobileMapPackage.open(
      at: folders.package, unpackingInto: folders.texts, now: environment.now())
    var drawn = maps
    for (index, map) in package.maps.enumerated() where drawn.indices.contains(index) {
      try Task.checkCancellation()
      do {
        let picture = try await drawing.thumbnail(
          of: map, width: Self.pictureSize.width, height: Self.pictureSize.height)
        drawn[index].thumbnail = picture.data
        notes += picture.omissions.map { "\"\(map.title)\": \($0.sentence)" }
      } catch {
        guard !Task.isCancelled else { throw AuthoringError.cancelled }
        notes.append("The map \"\(map.title)\" cannot be drawn. \(error.localizedDescription)")
      }
    }
    return drawn
  }
}
