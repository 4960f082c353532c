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

  static let declaration = CommandDeclaration(
    "create-package", summary: "Make a mobile map package from a file that describes it.",
    topic: .files, parameters: [specification, output, example],
    discussion: [
      "SPEC names the data (.geojson, .gpkg, .geodatabase, .shp, .fgb, .csv), the backdrops, and the maps "
        + "with their layers, symbols, labels, popups, bookmarks and what is searched in them. "
        + "Docs/AUTHORING.md lists all members; --example FOLDER writes a file with most of them, three "
        + "maps of a made-up water network, to begin with.",
      "Everything that is wrong with SPEC is listed with its line. OUT appears when it is complete; "
        + "Ctrl-C or a failure leaves nothing behind. What stands there already is replaced only "
        + "with --yes or when you say so. Rows that cannot be taken over are listed, and the exit "
        + "status is 3.",
    ],
    examples: [
      .init("create-package waterworks.json waterworks.mmpk", "maps, layers, search and pictures"),
      .init("create-package --example waterworks", "a specification to try, with its data"),
    ])

  /// What is made.
  private enum Work {
    case package(AuthoringModel.Request)
    case example(URL)
  }

  private let work: Work

  init(parsing arguments: Arguments) throws(UsageError) {
    if let folder = try arguments.value(of: Self.example, as: .file) {
      guard try arguments.value(of: Self.specification, as: .file) == nil else {
        throw UsageError("--example writes SPEC; it takes none.")
      }
      work = .example(folder)
      return
    }
    work = .package(
      AuthoringModel.Request(
        try arguments.required(Self.specification, as: .file),
        to: try arguments.required(Self.output, as: .file)))
  }

  @MainActor func run(in session: Session) async throws -> CommandResult {
    switch work {
    case .package(let request): try await create(request, in: session)
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
    let path = specification.relativePath
    return CommandResult(
      text: TextDocument([
        .heading(path),
        .paragraph("Make the package, or look at it while you edit the file:", indent: 0),
        .line("create-package \"\(path)\" \"\(folder.lastPathComponent).mmpk\""),
        .line("preview \"\(path)\""),
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
