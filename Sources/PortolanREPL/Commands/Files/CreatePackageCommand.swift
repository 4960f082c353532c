internal import Foundation
internal import PortolanApp
internal import PortolanAuthoring
internal import PortolanJSON

/// Makes a mobile map package from a file that describes it.
struct CreatePackageCommand: Command {
  static let specification = Parameter.argument(
    "SPEC", "The JSON file that describes the package.", completion: .file)
  static let output = Parameter.argument(
    "OUT.mmpk", "The package to make.", completion: .file)

  static let declaration = CommandDeclaration(
    "create-package", summary: "Make a mobile map package from a file that describes it.",
    topic: .files, parameters: [specification, output],
    discussion: [
      "SPEC names the data (.geojson, .gpkg, .geodatabase, .shp, .csv), the backdrops, and the maps "
        + "with their layers, symbols, labels, popups, bookmarks and what is searched in them. "
        + "Docs/AUTHORING.md lists all members, with an example.",
      "Everything that is wrong with SPEC is listed with its line. OUT appears when it is complete; "
        + "Ctrl-C or a failure leaves nothing behind. What stands there already is replaced only "
        + "with --yes or when you say so. Rows that cannot be taken over are listed, and the exit "
        + "status is 3.",
    ],
    examples: [
      .init("create-package waterworks.json waterworks.mmpk", "maps, layers, search and pictures")
    ])

  private let request: AuthoringModel.Request

  init(parsing arguments: Arguments) throws(UsageError) {
    request = AuthoringModel.Request(
      try arguments.required(Self.specification, as: .file),
      to: try arguments.required(Self.output, as: .file))
  }

  @MainActor func run(in session: Session) async throws -> CommandResult {
    var request = request
    request.replacesTarget = session.options.assumesYes
    do {
      return try await create(request, in: session)
    } catch AuthoringError.targetExists(let file) {
      let isAllowed = await session.console.confirm("\(file) exists already. Replace it?")
      guard isAllowed == true else { throw AuthoringError.targetExists(file: file) }
      request.replacesTarget = true
      return try await create(request, in: session)
    }
  }

  @MainActor private func create(
    _ request: AuthoringModel.Request, in session: Session
  ) async throws -> CommandResult {
    let result = try await session.showing(AuthoringProgress.shown) {
      try await session.app.authoring.create(request, progress: $0)
    }
    return CommandResult(
      text: result.text(of: request.output), json: result.json(of: request.output),
      status: result.isComplete ? .done : .partlyDone)
  }
}
