internal import Foundation
internal import PortolanApp
internal import PortolanJSON

/// Makes a mobile map package from a file that describes it.
struct CreatePackageCommand: Command {
  static let specification = Parameter.argument(
    "SPEC", "The JSON file that describes the package.", count: .atMostOne, completion: .file)
  static let output = Parameter.argument(
    "OUT.mmpk", "The package to make.", count: .atMostOne, completion: .file)
  static let example = Parameter.option(
    "example", "FOLDER", "Write a worked example into a new folder: SPEC and its data.",
    completion: .file)
  static let source = Parameter.option(
    "from", "FILE",
    "Write SPEC instead: one map of all that is in FILE, to begin with; several may be given.",
    count: .any, completion: .file)

  static let declaration = CommandDeclaration(
    "create-package", summary: "Make a mobile map package from a file that describes it.",
    topic: .files, parameters: [specification, output, source, example],
    discussion: [
      "SPEC names the data (.geojson, .gpkg, .geodatabase, .shp, .fgb, .csv), the backdrops, and the maps "
        + "with their layers, symbols, labels, popups, bookmarks and what is searched in them. "
        + "Docs/AUTHORING.md lists all members; --example FOLDER writes a file with most of them, three "
        + "maps of a made-up water network.",
      "With --from SPEC is written for data of yours, with a layer, a symbol and a popup for each table, "
        + "and a tile package as the backdrop, to be edited.",
      "Everything that is wrong with SPEC is listed with its line. OUT appears when it is complete; "
        + "Ctrl-C or a failure leaves nothing behind. An existing file is replaced only with "
        + "--yes or when you say so. Rows, and tiles of backdrops, that cannot be taken over are "
        + "listed, and the exit status is 3.",
    ],
    examples: [
      .init("create-package waterworks.json waterworks.mmpk", "maps, layers, search and pictures"),
      .init(
        "create-package town.json --from streets.gpkg --from trees.csv", "a specification to edit"),
      .init("create-package --example waterworks", "a specification to try, with its data"),
    ])

  /// The work to do.
  private enum Work {
    case package(AuthoringModel.Request)
    case draft(URL, files: [URL])
    case example(URL)
  }

  private let work: Work

  init(parsing arguments: Arguments) throws(UsageError) {
    let files = try arguments.values(of: Self.source, as: .file)
    guard files.isEmpty else {
      guard !arguments.isGiven(Self.output), !arguments.isGiven(Self.example) else {
        throw UsageError("--from writes SPEC, and makes no package.")
      }
      work = .draft(
        try arguments.required(Self.specification, as: .target, of: Self.declaration), files: files)
      return
    }
    if let folder = try arguments.value(of: Self.example, as: .target) {
      guard try arguments.value(of: Self.specification, as: .file) == nil else {
        throw UsageError("--example writes SPEC; it takes none.")
      }
      work = .example(folder)
      return
    }
    work = .package(
      AuthoringModel.Request(
        try arguments.required(Self.specification, as: .file, of: Self.declaration),
        to: try arguments.required(Self.output, as: .target, of: Self.declaration)))
  }

  @MainActor func run(in session: Session) async throws -> CommandResult {
    switch work {
    case .package(let request): try await create(request, in: session)
    case .draft(let url, let files): try await writeDraft(url, files, in: session)
    case .example(let folder): try await writeExample(to: folder, in: session)
    }
  }

  @MainActor private func writeExample(
    to folder: URL, in session: Session
  ) async throws -> CommandResult {
    guard let sample = session.sample else {
      throw Failure(.notIncluded, "This build comes without the sample.")
    }
    let specification = try await sample.writeExample(to: folder)
    return Self.result(specification, package: folder.lastPathComponent, in: session)
  }

  @MainActor private func writeDraft(
    _ specification: URL, _ files: [URL], in session: Session
  ) async throws -> CommandResult {
    let replaces = await session.mayReplace(specification)
    try await session.app.authoring.draft(
      specification, showing: files, replacesTarget: replaces)
    return Self.result(
      specification, package: specification.deletingPathExtension().lastPathComponent, in: session)
  }

  @MainActor private static func result(
    _ specification: URL, package: String, in session: Session
  ) -> CommandResult {
    let path = specification.relativePath
    return CommandResult(
      text: TextDocument([
        .heading(path),
        .paragraph("Make the package, or look at it while you edit the file:", indent: 0),
        .line(session.line("create-package", path, package + ".mmpk")),
        .line(session.line("preview", path)),
      ]), json: ["specification": .string(specification.path(percentEncoded: false))])
  }

  @MainActor private func create(
    _ request: AuthoringModel.Request, in session: Session
  ) async throws -> CommandResult {
    var request = request
    request.replacesTarget = session.options.assumesYes
    do {
      return try await write(request, in: session)
    } catch let problem as Problem where problem.actions.contains(where: { $0.kind == .replace }) {
      let isAllowed = await session.console.confirm("\(problem.message) Replace it?")
      guard isAllowed == true else { throw problem }
      request.replacesTarget = true
      return try await write(request, in: session)
    }
  }

  @MainActor private func write(
    _ request: AuthoringModel.Request, in session: Session
  ) async throws -> CommandResult {
    let result = try await session.showing(AuthoringStep.shown) {
      try await session.app.authoring.create(request, progress: $0)
    }
    return CommandResult(
      text: result.text(of: request.output), json: result.json(of: request.output),
      status: result.isComplete ? .done : .partlyDone)
  }
}
