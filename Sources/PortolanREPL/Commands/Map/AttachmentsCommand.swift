internal import Foundation
internal import PortolanApp
internal import PortolanFeatures
internal import PortolanFiles
internal import PortolanJSON

/// Lists the files of a feature, saves them or opens them.
struct AttachmentsCommand: MapCommand {
  static let names = Parameter.argument(
    "NAME", "A file of the feature, by its name or its id; all of them unless given.", count: .any)
  static let output = Parameter.option(
    "output", "PATH",
    "Where to save: a folder, or the name of a file for one; - writes it to standard output.",
    completion: .file)

  static let open = Parameter.flag(
    "open", "Open them in the desktop's programs for pictures, documents, sounds and films.")

  static let declaration = CommandDeclaration(
    "attachments", summary: "List, save or open the attachments of a feature.", topic: .map,
    parameters: [names, output, open, PopupPlace.place, MapChoice.map, MapChoice.number],
    discussion: [
      "The feature is the one whose popup is shown, or else the first that was found. A folder is "
        + "made if it does not exist. A file that exists is replaced only with --yes or when you "
        + "say so.",
      "With --open copies are opened, in a temporary folder that only you can read. Programs and "
        + "files of unknown types are not opened.",
    ],
    examples: [
      .init("attachments", "the files of the feature"),
      .init("attachments --output photos/", "all of them into a folder"),
      .init("attachments tower.jpg --open", "one of them in the desktop's picture viewer"),
      .init("attachments tower.jpg --output - > tower.jpg", "one of them, outside of the shell"),
    ])

  let choice: MapChoice
  private let names: [String]
  private let output: String?
  private let opens: Bool
  private let place: PopupPlace

  init(parsing arguments: Arguments) throws(UsageError) {
    choice = try MapChoice(arguments)
    names = try arguments.values(of: Self.names, as: .text)
    output = try arguments.value(of: Self.output, as: .text)
    // Checked as any other path.
    if output != nil { _ = try arguments.value(of: Self.output, as: .file) }
    opens = arguments.isSet(Self.open)
    guard !opens || output == nil else {
      throw UsageError("--open and --output exclude each other.", suggestion: "Leave one out.")
    }
    place = try PopupPlace(arguments)
  }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    try await place.select(on: map, in: session)
    let attachments = try chosen(from: try await map.popups.attachments())
    if attachments.isEmpty, output != "-" {
      return AttachmentList.none(of: map.popups.state.selectedPage)
    }
    if opens { return try await open(attachments, of: map, in: session) }
    guard let output else { return AttachmentList(attachments).result }
    guard output != "-" else { return try await write(attachments, of: map, in: session) }
    let target = AttachmentTarget(output, isSingle: names.count == 1)
    let files = target.files(for: attachments)
    try target.prepare()
    for (attachment, file) in zip(attachments, files) {
      let data = try await map.popups.data(of: attachment.id)
      try await target.write(data, to: file, replaces: await session.mayReplace(file))
    }
    return AttachmentList(attachments, files: files).result
  }

  private func chosen(from attachments: [Attachment]) throws -> [Attachment] {
    try names.isEmpty
      ? attachments
      : names.map { name in
        let found =
          attachments.first { $0.name == name } ?? attachments.first { "\($0.id)" == name }
          ?? attachments.first { $0.name.lowercased() == name.lowercased() }
        guard let found else {
          throw Failure(
            .noSuchAttachment, "The feature has no attachment \"\(name)\".",
            suggestion: Suggestion.sentence(for: name, orListing: attachments.map(\.name)),
            status: .notFound)
        }
        return found
      }
  }

  @MainActor private func write(
    _ attachments: [Attachment], of map: MapModel, in session: Session
  ) async throws -> CommandResult {
    guard let attachment = attachments.first, attachments.count == 1 else {
      throw UsageError(
        "Standard output takes one file, but the feature has \(attachments.count).",
        suggestion: "Name one of them, or save them in a folder.")
    }
    guard session.options.format != .json else {
      throw UsageError("--output - and --json exclude each other.", suggestion: "Leave one out.")
    }
    let sink = try session.presenter.makeDocumentSink()
    try sink.write(try await map.popups.data(of: attachment.id))
    return CommandResult(.streamed(sink))
  }
}

extension AttachmentsCommand {
  /// Opens copies of the files; what reads them continues after this command.
  @MainActor private func open(
    _ attachments: [Attachment], of map: MapModel, in session: Session
  ) async throws -> CommandResult {
    if let refused = attachments.first(where: { !AttachmentFormat.canBeOpened(fileNamed: $0.name) })
    {
      throw Failure(
        .notPossible, "\"\(refused.name)\" is not opened, since its type may run programs.",
        suggestion: "Save it with --output and look at it yourself.")
    }
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "portolan-\(UUID().uuidString)/", directoryHint: .isDirectory)
    let target = AttachmentTarget(folder.path(percentEncoded: false), isSingle: false)
    let files = target.files(for: attachments)
    try target.prepare(isPrivate: true)
    for (attachment, file) in zip(attachments, files) {
      try await target.write(try await map.popups.data(of: attachment.id), to: file, replaces: true)
      guard session.openFile(file) else {
        throw Failure(
          .notPossible, "There is no desktop to open \"\(attachment.name)\" on.",
          suggestion: "Save it with --output.")
      }
    }
    return AttachmentList(attachments, files: files, deed: "Opened").result
  }
}

extension PopupsModel.State {
  /// The page whose popup is shown.
  fileprivate var selectedPage: PopupsModel.Page? {
    selection.flatMap { pages.indices.contains($0.index) ? pages[$0.index] : nil }
  }
}

/// The files of a feature as text and as JSON.
struct AttachmentList {
  private let attachments: [Attachment]
  private let files: [URL]
  private let deed: String

  init(_ attachments: [Attachment], files: [URL] = [], deed: String = "Saved") {
    self.attachments = attachments
    self.files = files
    self.deed = deed
  }

  /// The result for a feature without attachments, for which no file is made.
  static func none(of page: PopupsModel.Page?) -> CommandResult {
    let feature =
      page.map { page in
        "Feature \(page.objectID) of \"\(page.layerTitle)\""
          + (page.title.isEmpty ? "" : ", \"\(page.title)\",")
      } ?? "The feature"
    return CommandResult(
      text: TextDocument("\(feature) has no attachments."), json: ["attachments": []])
  }

  var result: CommandResult {
    CommandResult(
      text: TextDocument(files.isEmpty ? [.table(table)] : attachments.indices.map(saved)),
      json: ["attachments": .array(attachments.indices.map(value))])
  }

  private var table: TextTable {
    TextTable(
      [.init("id", .right), .init("name"), .init("type"), .init("size", .right, mayBeCut: false)],
      rows: attachments.map {
        ["\($0.id)", $0.name, $0.contentType, ByteCount.text($0.size)]
      })
  }

  private func saved(_ index: Int) -> TextDocument.Block {
    .line("\(deed) \(files[index].relativePath), \(ByteCount.text(attachments[index].size)).")
  }

  private func value(_ index: Int) -> JSONValue {
    var members = attachments[index].members
    if !files.isEmpty { members["file"] = .string(files[index].path(percentEncoded: false)) }
    return .object(members)
  }
}
