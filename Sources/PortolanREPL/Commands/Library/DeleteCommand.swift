internal import PortolanApp

/// Deletes a stored map, which "undo" restores.
struct DeleteCommand: LibraryCommand {
  static let map = Parameter.argument(
    "MAP", "The id of a stored map, or its title.", completion: .word(.storedMap))
  static let discardEdits = Parameter.flag(
    "discard-edits", "Delete it even if edits were not sent to their service yet.")

  static let declaration = CommandDeclaration(
    "delete", summary: "Delete a map from this device.", topic: .library,
    parameters: [map, discardEdits],
    discussion: [
      "Asks first, and says what that frees; --yes answers, and then MAP has to be the id or the "
        + "whole title. A map that is open, here or in another window, stays, and so does one with "
        + "edits that were not sent. \"undo\" restores the last one as long as the trash is not emptied."
    ], examples: [.init("delete \"Casco Bay\" --yes", "without a question")])

  private let name: String
  private let discardsEdits: Bool

  init(parsing arguments: Arguments) throws(UsageError) {
    name = try arguments.required(Self.map, as: .text)
    discardsEdits = arguments.isSet(Self.discardEdits)
  }

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let maps = try await library.loadedMaps()
    let item = try maps.storedItem(named: name, exactly: session.options.assumesYes)
    let deletion = try await maps.deletion(of: item.id, discardingEdits: discardsEdits)
    let size = ByteCount.text(deletion.byteCount)
    try await session.confirm(
      "Delete \"\(deletion.title)\" from this device"
        + "\(UnsentEditsText.suffix(deletion.unsentEdits))? That frees \(size).",
      otherwise: "\"\(deletion.title)\" was not deleted.")
    try await maps.delete(item.id, discardingEdits: discardsEdits)
    return CommandResult(
      text: TextDocument("\"\(deletion.title)\" is deleted, \(size); \"undo\" restores it."),
      json: deletion.json)
  }
}

extension Session {
  /// Whether a map that is to be changed has to be named in full: nobody sees which one a shorter name finds.
  var takesWholeNames: Bool { options.assumesYes || !console.canAsk }

  /// Asks whether something is to be done, unless the line says yes.
  ///
  /// - Throws: A failure if the answer is no, or there is no terminal to answer at.
  func confirm(_ question: String, otherwise outcome: String) async throws {
    guard !options.assumesYes else { return }
    let answer = await console.confirm(question)
    try Task.checkCancellation()
    switch answer {
    case true?: return
    case false?: throw Failure(.declined, outcome)
    case nil:
      throw Failure(
        .notConfirmed, outcome, reason: "There is no terminal to confirm on: \(question)",
        suggestion: "Give --yes to do it without confirmation.", status: .wrongUsage)
    }
  }
}
