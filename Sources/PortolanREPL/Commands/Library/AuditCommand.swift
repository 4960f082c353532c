internal import PortolanApp
internal import PortolanJSON

/// Looks whether everything that is stored is sound.
struct AuditCommand: LibraryCommand {
  static let deep = Parameter.flag("deep", "Read every file to its end.")

  static let declaration = CommandDeclaration(
    "audit", summary: "Check that everything stored is complete and undamaged.", topic: .library,
    parameters: [deep],
    discussion: [
      "Compares what is recorded with what is on the disk, and opens each map. With --deep every "
        + "file is read and compared with what was installed, which takes a while. Nothing is "
        + "changed; \"repair\" repairs what is found, with --deep too. The exit status is 3 if something is."
    ])

  private let isDeep: Bool

  init(parsing arguments: Arguments) throws(UsageError) {
    isDeep = arguments.isSet(Self.deep)
  }

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let findings = try await Self.findings(
      library, isDeep ? .deep : .quick, reportingIn: session)
    let page = FindingsPage(findings: findings)
    return CommandResult(
      text: page.document(pointingTo: isDeep ? "repair --deep" : "repair"), json: page.json,
      status: findings.isEmpty ? .done : .partlyDone)
  }
}

extension AuditCommand {
  /// The findings; while the catalogue is damaged, that damage alone.
  @MainActor static func findings(
    _ library: LibraryScreens, _ depth: StorageModel.Depth = .quick,
    reportingIn session: Session? = nil
  ) async throws -> [StorageModel.Finding] {
    if let damage = await library.catalogueDamage() { return [damage] }
    let storage = try await library.storage()
    let presenter = session?.presenter
    try await storage.audit(depth) { progress in
      let done = ByteCount.text(progress.byteCount)
      presenter?.progress(
        "\(progress.title): \(done) of \(ByteCount.text(progress.totalByteCount))",
        json: progress.json)
    }
    return storage.findings ?? []
  }
}

/// The findings of an audit, as text and as JSON.
struct FindingsPage {
  let findings: [StorageModel.Finding]

  var text: TextDocument {
    guard !findings.isEmpty else { return TextDocument("Everything is in order.") }
    return TextDocument(
      findings.enumerated().flatMap { index, finding in
        [
          TextDocument.Block.paragraph("\(index + 1)  \(finding.sentence)", indent: 0),
          .paragraph(finding.repair ?? finding.advice ?? "It cannot be repaired here.", indent: 3),
        ]
      })
  }

  /// The text, and which command repairs what can be repaired.
  func document(pointingTo command: String) -> TextDocument {
    guard findings.contains(where: { $0.repair != nil }) else { return text }
    return TextDocument(text.blocks + [.line("\"\(command)\" repairs it.")])
  }

  var json: JSONValue { ["findings": .array(findings.map(\.json))] }
}
