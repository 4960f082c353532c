public import Foundation
internal import PortolanFiles
internal import PortolanGeometry
internal import PortolanPackages

/// The specification of a mobile map package: a JSON file that describes it.
///
/// ```swift
/// let specification = try PackageSpecification(at: url)
/// let result = try await PackageAuthor(specification).write(to: target)
/// ```
///
/// - SeeAlso: Docs/AUTHORING.md
public struct PackageSpecification: Sendable {
  /// The file, beside which the files that it names lie.
  public let url: URL
  /// The title of the package, for people.
  public let title: String
  let text: SpecificationText
  let name: String
  let summary: String
  let details: String
  let credits: String
  let license: String
  let tags: [String]
  let id: UUID?
  let created: Date?
  let expiration: PackageExpiration?
  let spatialReference: SpatialReference
  let data: [DataSpecification]
  let backdrops: [BackdropSpecification]
  let maps: [MapSpecification]
  /// What is wrong with the text, by itself.
  let faults: [SpecificationProblem]

  /// The specification and the files that it names: when one of them changes, so does the package.
  public var files: [URL] {
    let packages = maps.compactMap(\.backdrop).compactMap(\.file)
    let named = (data.map(\.file) + packages).filter { !$0.isEmpty }
    return [url] + named.map(file).flatMap(Self.withCompanions)
  }

  /// The tables that neither a layer nor a backdrop shows; they do not come into the package.
  var unusedData: [DataSpecification] {
    let used = Set(
      maps.flatMap(\.layers).map(\.data) + backdrops.flatMap(\.layers).map(\.data))
    return data.filter { !used.contains($0.name) }
  }

  /// A file, with the other files of a shapefile, or the `.prj` of a text file.
  private static func withCompanions(_ url: URL) -> [URL] {
    let base = url.deletingPathExtension()
    let endings =
      switch url.pathExtension.lowercased() {
      case "shp": ["dbf", "shx", "prj", "cpg"]
      case "csv", "tsv", "txt": ["prj"]
      default: [String]()
      }
    return [url] + endings.map { base.appendingPathExtension($0) }
  }

  /// No specification is longer, in bytes.
  private static let maximumLength = 16 << 20

  /// Reads a file.
  ///
  /// - Throws: ``AuthoringError``: `unreadable`, or `invalidSpecification` with all that is wrong.
  public init(at url: URL) throws(AuthoringError) {
    try self.init(unchecked: url)
    try refuseFaults()
  }

  /// Reads the text of a file, which need not be on the disk.
  public init(_ data: Data, at url: URL) throws(AuthoringError) {
    try self.init(unchecked: data, at: url)
    try refuseFaults()
  }

  /// Reads a file, also one in which something is wrong.
  ///
  /// ``PackageAuthor`` refuses such a specification, and reports the faults in the data that it
  /// names together with those in the specification, so that all can be corrected at once.
  ///
  /// - Throws: ``AuthoringError``: `unreadable`, or `invalidSpecification` if it is no JSON.
  public init(unchecked url: URL) throws(AuthoringError) {
    let data: Data
    do { data = try FileSystem.live.read(url, limit: Self.maximumLength) } catch {
      if case .absent = error { throw .noSuchFile(file: url.lastPathComponent) }
      throw .unreadable(file: url.lastPathComponent, reason: error.reason)
    }
    try self.init(unchecked: data, at: url)
  }

  private init(unchecked data: Data, at url: URL) throws(AuthoringError) {
    self.url = url
    do throws(SpecificationProblem) { text = try SpecificationText(data) } catch {
      throw .invalidSpecification(file: url.lastPathComponent, problems: [error])
    }
    let problems = SpecificationProblems(text)
    let node = SpecificationNode(text.json, at: .root, problems)
    for path in text.repeated { problems.add("This member is there twice.", at: path) }
    node.allow(Self.members)
    name = node.text("name") ?? url.deletingPathExtension().lastPathComponent
    title = node.required("title")
    summary = node.text("summary") ?? ""
    details = node.text("description") ?? ""
    credits = node.text("credits") ?? ""
    license = node.text("license") ?? ""
    tags = node.texts("tags")
    id = Self.id(node)
    created = node.date("created")
    expiration = node.node("expiration").flatMap(Self.expiration)
    spatialReference = node.reference("spatialReference") ?? .webMercator
    self.data = node.namedNodes("data").map(DataSpecification.init)
    backdrops = node.namedNodes("backdrops").map(BackdropSpecification.init)
    let styles = LayerStyles(node)
    maps = node.nodes("maps").map { MapSpecification($0, styles: styles) }
    if maps.isEmpty { node.add("A package has at least one map: \"maps\" is missing or empty.") }
    if !name.isFileName { node.add(Self.noFileName(name), at: "name") }
    Self.checkNames(of: maps, problems)
    Self.checkNames(self.data.map { ($0.name, $0.path) }, "tables", problems)
    Self.checkNames(backdrops.map { ($0.name, $0.path) }, "backdrops", problems)
    Self.checkData(self.data, backdrops, maps, problems)
    faults = problems.all
  }

  private func refuseFaults() throws(AuthoringError) {
    guard !faults.isEmpty else { return }
    throw .invalidSpecification(file: url.lastPathComponent, problems: Self.ordered(faults))
  }

  private static let members = [
    "$schema", "name", "title", "summary", "description", "credits", "license", "tags", "id",
    "created", "expiration", "spatialReference", "data", "backdrops", "styles",
    "maps",
  ]

  /// What is wrong, by line, each once: styles are read with every layer that has them.
  static func ordered(_ problems: [SpecificationProblem]) -> [SpecificationProblem] {
    var known: Set<SpecificationProblem> = []
    return problems.filter { known.insert($0).inserted }
      .sorted { ($0.line ?? 0, $0.path) < ($1.line ?? 0, $1.path) }
  }

  private static func id(_ node: SpecificationNode) -> UUID? {
    guard let text = node.text("id") else { return nil }
    let id = UUID(uuidString: text)
    if id == nil { node.add("A UUID is due here.", at: "id") }
    return id
  }

  /// The characters of a date without a time.
  private static let dayLength = 10

  private static func expiration(_ node: SpecificationNode) -> PackageExpiration? {
    node.allow(["date", "message", "policy"])
    guard node.value("date") != nil else {
      node.add("\"date\" is missing.")
      return nil
    }
    let policy = node.text("policy")
    if let policy, PackageExpiration.Policy(rawValue: policy) == nil {
      node.add("\"allowAccess\" or \"preventAccess\" is due here.", at: "policy")
    }
    return node.date("date").map { date in
      let isDay = node.text("date")?.count == dayLength
      return PackageExpiration(
        date: isDay ? PackageExpiration.lastSecond(ofDayStartingAt: date) : date,
        message: node.text("message"),
        policy: policy.flatMap(PackageExpiration.Policy.init) ?? .allowAccess)
    }
  }

  private static func checkNames(of maps: [MapSpecification], _ problems: SpecificationProblems) {
    let named = maps.filter { !$0.name.isEmpty }.map { ($0.name, $0.path.member("name")) }
    checkNames(named, "maps", problems)
    for (name, path) in named where !name.isFileName {
      problems.add(noFileName(name), at: path)
    }
  }

  /// Refuses names that differ in the case of letters only: they are those of files and tables.
  private static func checkNames(
    _ names: [(name: String, path: SpecificationPath)], _ things: String,
    _ problems: SpecificationProblems
  ) {
    var known: [String: String] = [:]
    for (name, path) in names {
      guard let other = known.updateValue(name, forKey: name.lowercased()) else { continue }
      let hint = other == name ? "" : " The case of letters does not tell them apart."
      problems.add("Two \(things) are called \"\(name)\".\(hint)", at: path)
    }
  }

  /// That a file cannot be called so.
  static func noFileName(_ name: String) -> String {
    "\"\(name.prefix(60))\" is not a name that a file can have. Use \"title\" for what people read."
  }

  /// Whether all layers have data, and all places to search are layers of their maps.
  private static func checkData(
    _ data: [DataSpecification], _ backdrops: [BackdropSpecification],
    _ maps: [MapSpecification], _ problems: SpecificationProblems
  ) {
    let names = data.map(\.name)
    let uses =
      maps.flatMap(\.layers).map { ($0.data, $0.dataPath) }
      + backdrops.flatMap(\.layers).map { ($0.data, $0.dataPath) }
    for (name, path) in uses where !name.isEmpty && !names.contains(name) {
      problems.add(
        "There is no \"\(name)\" in \"data\". There are: \(names.joined(separator: ", ")).",
        at: path)
    }
    for map in maps {
      for entry in map.search where !map.layers.contains(where: { $0.answers(to: entry.layer) }) {
        problems.add("The map has no layer \"\(entry.layer)\".", at: entry.path.member("layer"))
      }
    }
  }
}

extension LayerSpecification {
  /// Whether the layer is called so: by its title, or by its data.
  func answers(to name: String) -> Bool { title == name || data == name }
}
