internal import Foundation
internal import Observation
internal import PortolanApp
internal import PortolanJSON

/// Brings mobile map packages of this device into the library.
struct ImportCommand: LibraryCommand {
  static let files = Parameter.argument(
    "FILE", "A mobile map package (.mmpk), or the folder of an unpacked one.", count: .any,
    completion: .file)
  static let folder = Parameter.option(
    "watch", "FOLDER", "Offer the packages in a folder, and new ones as they appear.",
    completion: .file)
  static let conflict = Parameter.option(
    "on-conflict", "POLICY", "What to do if the package is there already; skip unless given.",
    completion: .choice(ImportConflictPolicy.allCases.map(\.rawValue)))

  static let declaration = CommandDeclaration(
    "import", summary: "Copy mobile map packages of this device into the list of maps.",
    topic: .library, parameters: [files, folder, conflict],
    discussion: [
      "The file is copied, never moved, and checked before the map appears on the list. Policies: "
        + "skip leaves the one that is there, replace makes a new version of it (\"rollback\" restores "
        + "the old one), rename keeps both. A package is there already if an imported one has "
        + "its id; or its title, if one of them has no id or their files have the same name; where "
        + "there is neither, names of files count.",
      "A package of which no layer can be read is refused. If a part cannot be read, it is named and "
        + "the exit status is 3. An archive with edits that were not sent is stored unpacked, where "
        + "they are counted and kept; so is one in which there may be some.",
      "With --watch each package is offered once it is whole: answer whether to import it, or give "
        + "--yes. Without a terminal to ask on, and without --yes, the packages that are there are "
        + "listed and the exit status is 2. Nothing in the folder is changed. Ctrl-C ends it. One that "
        + "you do not want is offered again only when it changes; \"import FILE\" takes it at any time.",
    ],
    examples: [
      .init("import naperville.mmpk", "a package"),
      .init("import naperville.mmpk --on-conflict replace", "a newer version of it"),
      .init("import --watch ~/Downloads", "asks for each package that appears there"),
    ])

  private let urls: [URL]
  private let watched: URL?
  private let policy: ImportConflictPolicy

  init(parsing arguments: Arguments) throws(UsageError) {
    urls = try arguments.values(of: Self.files, as: .file)
    watched = try arguments.value(of: Self.folder, as: .file)
    guard urls.isEmpty != (watched == nil) else {
      throw UsageError("Give FILE or --watch FOLDER.")
    }
    let name = try arguments.value(
      of: Self.conflict, as: .choice(ImportConflictPolicy.allCases.map(\.rawValue)))
    policy = name.flatMap(ImportConflictPolicy.init) ?? .skip
  }

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let maps = try await library.loadedMaps()
    if let watched {
      return try await offer(WatchedFolderModel(folder: watched, maps: maps), session)
    }
    var imports: [PackageImport] = []
    var problems: [Problem] = []
    for url in urls {
      do throws(Problem) {
        imports.append(try await maps.importPackage(url, onConflict: policy))
      } catch {
        guard urls.count > 1, error.kind != .cancellation else { throw error }
        problems.append(error)
      }
    }
    try session.presenter.settle(problems, isAll: imports.isEmpty)
    return CommandResult(
      text: TextDocument(imports.flatMap(Self.blocks)),
      json: ["imports": .array(imports.map(\.json))],
      status: problems.isEmpty && imports.allSatisfy(\.isComplete) ? .done : .partlyDone)
  }

  /// Offers what appears in a folder, until it is interrupted.
  @MainActor private func offer(
    _ folder: WatchedFolderModel, _ session: Session
  ) async throws -> CommandResult {
    await folder.look()
    if let problem = folder.state.problem { throw problem }
    guard session.options.assumesYes || session.console.canAsk else {
      // A file that has not changed since the first look is whole.
      await folder.look()
      throw Self.cannotAsk(about: folder.state.offers)
    }
    session.presenter.note("Watching \(folder.folder.path(percentEncoded: false)). Ctrl-C ends it.")
    let watching = Task { await folder.watch(clock: ContinuousClock()) }
    defer { watching.cancel() }
    for await state in Observations({ folder.state }) {
      for offer in state.offers { try await self.offer(offer, of: folder, session) }
      if Task.isCancelled { break }
    }
    throw CancellationError()
  }

  @MainActor private func offer(
    _ offer: WatchedFolderModel.Offer, of folder: WatchedFolderModel, _ session: Session
  ) async throws {
    let question = "\"\(offer.name)\", \(ByteCount.text(offer.byteCount)). Import it?"
    let answer: Bool? =
      session.options.assumesYes ? true : await session.console.confirm(question)
    // Ctrl-C at the question, or a terminal that is gone, declines nothing.
    try Task.checkCancellation()
    guard let answer else { throw Self.cannotAsk(about: folder.state.offers) }
    guard answer else {
      session.presenter.note("\"\(offer.name)\" stays where it is.")
      return await folder.decline(offer)
    }
    let imported: PackageImport
    do throws(Problem) {
      imported = try await folder.take(offer, onConflict: policy)
    } catch {
      return session.presenter.note("error: \(error.message)")
    }
    try session.presenter.present(
      CommandResult(text: TextDocument(Self.blocks(imported)), json: imported.json))
  }

  /// Without a terminal to ask at, none of these packages is imported, and none declined.
  private static func cannotAsk(about offers: [WatchedFolderModel.Offer]) -> Failure {
    let packages = offers.map { "\"\($0.name)\", \(ByteCount.text($0.byteCount))" }
    return Failure(
      .notConfirmed,
      packages.isEmpty
        ? "There is no package to import."
        : (["These packages were not imported:"] + packages).joined(separator: "\n"),
      reason: "There is no terminal to ask on which packages are wanted.",
      suggestion: "Give --yes to import all that are in the folder or appear there, or import one "
        + "with \"import FILE\".", status: .wrongUsage)
  }

  private static func blocks(_ imported: PackageImport) -> [TextDocument.Block] {
    let (title, size) = (imported.title, ByteCount.text(imported.byteCount))
    let line =
      switch imported.outcome {
      case .stored: "\"\(title)\" is on this device now, \(size)."
      case .replaced: "\"\(title)\" is updated, \(size); \"rollback\" restores the old version."
      case .skipped:
        "\"\(title)\" is there already and stays; --on-conflict replace or rename does otherwise."
      case .same: "The same package is there already, as \"\(title)\"; nothing was changed."
      }
    return [.line(line)] + imported.warnings.map { .paragraph($0, indent: 2) }
  }
}
