internal import PortolanApp
internal import PortolanJSON

/// Tells what takes space.
struct StorageCommand: LibraryCommand {
  static let emptyTrash = Parameter.flag(
    "empty-trash",
    "Permanently remove deleted maps and the versions before updates, after confirmation.")

  static let dropMessages = Parameter.option(
    "drop-messages", "HOST",
    "Drop the pending messages to a server that is gone, after confirmation.")

  static let declaration = CommandDeclaration(
    "storage", summary: "Show the storage used on this device.", topic: .library,
    parameters: [emptyTrash, dropMessages],
    discussion: [
      "For each map the bytes in its files, those that they take on the disk, and those that are "
        + "free when it is deleted: less where files are shared. Deleted maps take space until the "
        + "trash is emptied, by itself after a month or with --empty-trash.",
      "Messages to servers, such as that a replica is not needed any more, are repeated for a "
        + "while; --drop-messages gives up those to a server that will never answer.",
    ])

  private let emptiesTrash: Bool
  private let droppedHost: String?

  init(parsing arguments: Arguments) throws(UsageError) {
    emptiesTrash = arguments.isSet(Self.emptyTrash)
    droppedHost = try arguments.value(of: Self.dropMessages, as: .text)
  }

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let storage = try await library.storage()
    try await storage.measure()
    let usage = storage.usage ?? StorageUsage()
    let deleted = usage.maps.filter { $0.deleted != nil }
    if emptiesTrash, !deleted.isEmpty || !usage.earlierVersions.isEmpty {
      let size = ByteCount.text(
        (deleted + usage.earlierVersions).reduce(0) { $0 + $1.reclaimableByteCount })
      let maps = deleted.map { "\"\($0.title)\"\(UnsentEditsText.suffix($0.unsentEdits))" }
      let versions = usage.earlierVersions.map {
        "the version before the last update of \"\($0.title)\""
      }
      try await session.confirm(
        "Remove \((maps + versions).joined(separator: ", ")) permanently? That frees \(size).",
        otherwise: "The trash was not emptied.")
      _ = try await storage.emptyTrash()
      try await storage.measure()
    } else if emptiesTrash {
      session.presenter.note("The trash is empty already.")
    }
    if let droppedHost { try await drop(messagesTo: droppedHost, from: storage, in: session) }
    let page = StoragePage(
      usage: storage.usage ?? StorageUsage(),
      tileCaches: await session.app.tiles?.filesSetAside() ?? [])
    return CommandResult(text: page.text, json: page.json)
  }

  @MainActor private func drop(
    messagesTo host: String, from storage: StorageModel, in session: Session
  ) async throws {
    let count = (storage.usage?.messages ?? []).count { $0.host == host }
    guard count > 0 else { return session.presenter.note("No message to \(host) is pending.") }
    let messages = count == 1 ? "the message" : "the \(count) messages"
    try await session.confirm(
      "Drop \(messages) to \(host)? What they are about stays at the server until it forgets it.",
      otherwise: "No message was dropped.")
    _ = try await storage.dropMessages(to: host)
  }
}
