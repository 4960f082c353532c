internal import Foundation
internal import PortolanApp
internal import PortolanFeatures

/// Attaches a file to a feature.
struct EditAttachCommand: MapCommand {
  static let file = Parameter.argument("FILE", "The file.", completion: .file)

  static let replace = Parameter.option(
    "replace", "ATTACHMENT", "The id of the attachment to replace.")

  static let declaration = CommandDeclaration(
    "edit attach", summary: "Attach a file to a feature.", topic: .editing,
    parameters: [
      LayerChoice.layer, EditParameters.objectID, file, EditParameters.contentType, replace,
      MapChoice.map, MapChoice.number,
    ],
    examples: [
      .init("edit attach Lighthouses 4 tower.jpg", "a picture"),
      .init("edit attach Lighthouses 4 tower.jpg --replace 2", "another picture in its place"),
    ])

  /// The largest file, in bytes, which is what services accept at most.
  private static let greatestSize = 256 << 20

  let choice: MapChoice
  private let layer: LayerChoice
  private let objectID: Int64
  private let url: URL
  private let contentType: String?
  private let replaced: Int64?

  init(parsing arguments: Arguments) throws(UsageError) {
    choice = try MapChoice(arguments)
    layer = try LayerChoice(arguments)
    objectID = try arguments.required(EditParameters.objectID, as: .objectID)
    url = try arguments.required(Self.file, as: .file)
    contentType = try arguments.value(of: EditParameters.contentType, as: .text)
    replaced = try arguments.value(of: Self.replace, as: .objectID)
  }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    let layer = try layer.editableEntry(in: map)
    let attachment = NewAttachment(
      name: url.lastPathComponent,
      contentType: contentType ?? AttachmentFormat.mediaType(ofFileNamed: url.lastPathComponent),
      data: try contents())
    guard let replaced else {
      try await map.editing.attach(attachment, to: objectID, in: layer.id)
      return EditPage(map.editing.state, .attached, layerTitle: layer.title).result
    }
    try await map.editing.replaceAttachment(replaced, with: attachment, of: objectID, in: layer.id)
    return EditPage(map.editing.state, .replaced, layerTitle: layer.title).result
  }

  private func contents() throws -> Data {
    let path = url.relativePath
    guard FileManager.default.fileExists(atPath: url.path(percentEncoded: false)) else {
      throw Failure(
        .noSuchFile, "There is no file \(path).", suggestion: "Check the path.", file: path,
        status: .notFound)
    }
    let values = try url.resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey])
    guard values.isRegularFile == true, values.fileSize ?? 0 <= Self.greatestSize else {
      throw Failure(
        .unreadable, "\(path) is no plain file, or larger than 256 MB.", file: path)
    }
    return try Data(contentsOf: url)
  }
}
