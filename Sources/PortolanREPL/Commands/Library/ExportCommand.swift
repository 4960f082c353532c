internal import Foundation
internal import PortolanApp

/// Writes a stored map into a file.
struct ExportCommand: LibraryCommand {
  static let map = Parameter.argument(
    "MAP", "The id of a stored map, or its title.", completion: .word(.storedMap))
  static let file = Parameter.argument("FILE", "The file to make.", completion: .file)
  static let damaged = Parameter.flag(
    "damaged", "Write a damaged map as it is, for the edits that it may hold.")

  static let declaration = CommandDeclaration(
    "export", summary: "Write a stored map into a mobile map package.", topic: .library,
    parameters: [map, file, damaged],
    discussion: [
      "Edits that were made on this device are in the file. The map stays as it is. An existing file "
        + "is replaced only with --yes or when you say so.",
      "A map with files that are missing, cut or altered is not exported. --damaged does so if it may "
        + "hold edits that were not sent; the result says what is missing, and the exit status is 3.",
    ],
    examples: [.init("export \"Casco Bay\" casco-bay.mmpk", "an area that was taken offline")])

  private let name: String
  private let url: URL
  private let savesDamaged: Bool

  init(parsing arguments: Arguments) throws(UsageError) {
    name = try arguments.required(Self.map, as: .text)
    url = try arguments.required(Self.file, as: .target)
    savesDamaged = arguments.isSet(Self.damaged)
  }

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let maps = try await library.loadedMaps()
    let item = try maps.storedItem(named: name)
    let replaces = await session.mayReplace(url)
    let export = try await maps.export(
      item.id, to: url, replacing: replaces, savingDamaged: savesDamaged)
    let size = ByteCount.text(export.byteCount)
    let edits = UnsentEditsText.suffix(export.unsentEdits)
    let sentence = "\"\(export.title)\" is in \(export.file), \(size)\(edits)."
    guard let damage = export.damage else {
      return CommandResult(text: TextDocument(sentence), json: export.json)
    }
    return CommandResult(
      text: TextDocument([.line(sentence), .paragraph("Damaged: \(damage)", indent: 2)]),
      json: export.json, status: .partlyDone)
  }
}
