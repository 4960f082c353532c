internal import Foundation
internal import PortolanApp

/// Tells what a file holds.
struct InspectCommand: Command {
  static let file = Parameter.argument(
    "FILE", "A package, folder, geodatabase, map or tile package.", completion: .file)

  static let declaration = CommandDeclaration(
    "inspect", summary: "Tell what a file holds.", topic: .files, parameters: [file],
    discussion: [
      "Reads .geodatabase, .gpkg, .geojson, .mmpk and its unpacked folder, .mmap, .tpk, .tpkx, "
        + "folders of tiles, .vtpk, .mbtiles and .pmtiles. The kind is found by content, not by name. "
        + "Features and tiles are counted; extents are in each layer's own reference. A locator "
        + "(.loc) is recognised but cannot be read."
    ],
    examples: [
      .init("inspect maine.mmpk", "its maps, their layers, its tables and tiles"),
      .init("inspect trails.geodatabase --json", "the same for programs"),
    ])

  private let file: URL

  init(parsing arguments: Arguments) throws(UsageError) {
    file = try arguments.required(Self.file, as: .file)
  }

  @MainActor func run(in session: Session) async throws -> CommandResult {
    let inspection = try await session.app.files.inspect(file)
    return CommandResult(text: inspection.text, json: inspection.json)
  }
}
