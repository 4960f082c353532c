internal import Foundation
internal import PortolanApp

/// Writes a stored map into a file.
struct ExportCommand: LibraryCommand {
  static let map = Parameter.argument(
    "MAP", "The id of a stored map, or its title.", completion: .word(.storedMap))
  static let file = Parameter.argument("FILE", "The file to make.", completion: .file)

  static let declaration = CommandDeclaration(
    "export", summary: "Write a stored map into a mobile map package.", topic: .library,
    parameters: [map, file],
    discussion: [
      "Edits that were made on this device are in the file. The map stays as it is. An existing file "
        + "is replaced only with --yes or when you say so."
    ],
    examples: [.init("export \"Casco Bay\" casco-bay.mmpk", "an area that was taken offline")])

  private let name: String
  private let url: URL

  init(parsing arguments: Arguments) throws(UsageError) {
    name = try arguments.required(Self.map, as: .text)
    url = try arguments.required(Self.file, as: .file)
  }

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let maps = try await library.loadedMaps()
    let item = try maps.storedItem(named: name)
    let replaces = await session.mayReplace(url)
    let export = try await maps.export(item.id, to: url, replacing: replaces)
    let size = ByteCount.text(export.byteCount)
    return CommandResult(
      text: TextDocument("\"\(export.title)\" is in \(export.file), \(size)."), json: export.json)
  }
}
