internal import Foundation
internal import PortolanApp

/// Shows what a file holds.
struct InspectCommand: Command {
  static let file = Parameter.argument(
    "FILE",
    "A package, geodatabase, map or tile package, or a folder of such; several are listed.",
    count: .atLeastOne, completion: .file)

  static let declaration = CommandDeclaration(
    "inspect", summary: "Show what a file holds.", topic: .files, parameters: [file],
    discussion: [
      "Reads .geodatabase, .gpkg, .geojson, .shp, .fgb, .csv, .mmpk and its unpacked folder, .mmap, "
        + ".tpk, .tpkx, folders of a tile cache, with a conf.xml or root.json, folders of Z/X/Y, .vtpk, "
        + ".mbtiles and .pmtiles. The kind is found by content, "
        + "not by name. Features and tiles are counted; extents are in each layer's own spatial "
        + "reference. Maps and layers of a package, and features, that cannot be read are listed, and "
        + "the exit status is 3. A locator (.loc) is recognised but cannot be read.",
      "Of a folder of packages, and of several files, each is listed with its title, its maps, "
        + "layers or levels and its extent as its metadata declare them; nothing is counted. What "
        + "was listed is remembered, so that unchanged files are not opened again. If some "
        + "cannot be read, the exit status is 3.",
    ],
    examples: [
      .init("inspect maine.mmpk", "its maps, their layers, its tables and tiles"),
      .init("inspect trails.geodatabase --json", "the same for programs"),
      .init("inspect ~/maps", "every package in a folder"),
    ])

  private let files: [URL]

  init(parsing arguments: Arguments) throws(UsageError) {
    files = try arguments.values(of: Self.file, as: .file)
  }

  @MainActor func run(in session: Session) async throws -> CommandResult {
    let inspector = session.app.files
    if let file = files.first, files.count == 1,
      await !FileInspector.isFolderOfPackages(file)
    {
      let inspection: Inspection
      do { inspection = try await inspector.inspect(file) } catch {
        throw Problem(error).withoutInspecting
      }
      return CommandResult(
        text: inspection.text, json: inspection.json,
        status: inspection.unreadableParts.isEmpty ? .done : .partlyDone)
    }
    let page = PackageListPage(
      folders: files, listings: try await inspector.list(files, now: Date()))
    return CommandResult(text: page.text, json: page.json, status: page.status)
  }
}

extension Problem {
  /// The problem without the advice to do what has just failed.
  fileprivate var withoutInspecting: Problem {
    guard actions.contains(where: { $0.kind == .inspect }) else { return self }
    var problem = self
    problem.actions.removeAll { $0.kind == .inspect }
    problem.suggestion = "Check that it is the right file, or get it again."
    return problem
  }
}
