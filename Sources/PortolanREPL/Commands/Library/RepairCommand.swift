internal import PortolanApp
internal import PortolanJSON

/// Puts right what is not as it should be.
struct RepairCommand: LibraryCommand {
  static let plan = Parameter.flag("plan", "Only show what would be done.")
  static let deep = Parameter.flag("deep", "Read every file to its end, as \"audit --deep\" does.")

  static let declaration = CommandDeclaration(
    "repair", summary: "Repair what the audit finds.", topic: .library, parameters: [plan, deep],
    discussion: [
      "Lists first what it is going to do, and asks; --yes answers. Each finding is checked again "
        + "before anything is done. A damaged map goes to the trash, from which \"undo\" restores it, "
        + "or, if it may hold edits, to the folder \"kept\". Nothing outside of Portolan's own "
        + "folders is touched."
    ])

  private let onlyPlans: Bool
  private let depth: StorageModel.Depth

  init(parsing arguments: Arguments) throws(UsageError) {
    onlyPlans = arguments.isSet(Self.plan)
    depth = arguments.isSet(Self.deep) ? .deep : .quick
  }

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let plan = try await AuditCommand.findings(library, depth, reportingIn: session)
    guard !plan.isEmpty, !onlyPlans else {
      let page = FindingsPage(findings: plan)
      return CommandResult(text: page.text, json: page.json)
    }
    guard plan.contains(where: { $0.repair != nil }) else {
      return Self.result(StorageModel.Repair(findings: plan, left: plan))
    }
    if session.options.format == .text {
      try session.presenter.present(
        CommandResult(text: FindingsPage(findings: plan).text, json: .null))
    }
    try await session.confirm(
      "Repair what was found, as listed?", otherwise: "Nothing was changed.")
    guard await library.catalogueDamage() == nil else {
      try await library.rebuildCatalogue()
      return Self.result(
        StorageModel.Repair(findings: plan, left: try await AuditCommand.findings(library, depth)))
    }
    return Self.result(try await library.storage().repair())
  }

  private static func result(_ repair: StorageModel.Repair) -> CommandResult {
    var blocks = repair.failures.map { failure in
      TextDocument.Block.paragraph(
        "\(failure.finding.sentence) It could not be repaired: \(failure.reason)", indent: 0)
    }
    if repair.left.isEmpty {
      blocks.append(.line("Everything is in order now."))
    } else if repair.left == repair.findings, repair.left.allSatisfy({ $0.repair == nil }) {
      let page = FindingsPage(findings: repair.left)
      blocks += [.line("Nothing of this can be repaired here:")] + page.text.blocks
    } else {
      blocks += [.line("What is left:")] + FindingsPage(findings: repair.left).text.blocks
    }
    return CommandResult(
      text: TextDocument(blocks), json: repair.json,
      status: repair.left.isEmpty ? .done : .partlyDone)
  }
}
