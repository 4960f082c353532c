internal import Foundation
internal import PortolanApp

/// Unpacks a mobile map package into a folder, to edit it there.
struct UnpackCommand: Command {
  static let file = Parameter.argument("FILE", "The mobile map package.", completion: .file)
  static let folder = Parameter.argument(
    "FOLDER", "The folder to make, which must not exist or be empty.", completion: .file)

  static let declaration = CommandDeclaration(
    "unpack", summary: "Unpack a mobile map package into a folder, to edit it there.",
    topic: .files, parameters: [file, folder],
    discussion: [
      "The map in one file can only be read; in a folder, its features can be edited, with --map FOLDER "
        + "or after \"open FOLDER\". \"import FOLDER\" copies it into the maps on this device, where it "
        + "can be edited as well, and \"export\" makes one file of it again. The folder appears when it "
        + "is complete; Ctrl-C or a failure leaves nothing behind. \"convert\" makes files of open "
        + "formats instead."
    ],
    examples: [.init("unpack waterworks.mmpk waterworks-map", "a map to be edited")])

  private let file: URL
  private let folder: URL

  init(parsing arguments: Arguments) throws(UsageError) {
    file = try arguments.required(Self.file, as: .file)
    folder = try arguments.required(Self.folder, as: .target)
  }

  @MainActor func run(in session: Session) async throws -> CommandResult {
    let unpacked = try await session.showingProgress {
      try await session.app.unpack(file, to: folder, progress: $0)
    }
    let files = unpacked.fileCount == 1 ? "1 file" : "\(unpacked.fileCount) files"
    return CommandResult(
      text: TextDocument(
        "\"\(unpacked.title)\" is in \(unpacked.folder), "
          + "\(files), \(ByteCount.text(unpacked.byteCount))."),
      json: unpacked.json)
  }
}
