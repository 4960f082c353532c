internal import Foundation
internal import PortolanApp
internal import PortolanJSON

/// Shows an item of a portal.
struct ItemCommand: PortalCommand {
  static let id = Parameter.argument(
    "ID", "The id of the item, or the beginning of one that the last search has found.")

  static let declaration = CommandDeclaration(
    "item", summary: "Show an item of a portal in full.", topic: .portal, parameters: [id],
    examples: [.init("item 3e1a1a6bd6364b5a9a8e5f9a0a3f1c2b", "by its id, as \"search\" lists it")])

  private let id: String

  init(parsing arguments: Arguments) throws(UsageError) {
    id = try arguments.required(Self.id, as: .text)
  }

  @MainActor func run(
    with screens: PortalScreens, in session: Session
  ) async throws -> CommandResult {
    let item = screens.itemID(named: id) ?? id
    try PortalScreens.checkItemID(item)
    let model = try await screens.item(of: session.options.portal)
    await model.load(item)
    if case .failed(let problem) = model.state { throw problem }
    guard let details = model.state.details else { throw CancellationError() }
    let page = ItemPage(details: details)
    return CommandResult(text: page.text, json: page.json)
  }
}

/// An item as text and as JSON.
struct ItemPage {
  let details: PortalItemModel.Details

  var text: TextDocument {
    var blocks: [TextDocument.Block] = [.heading(details.title)]
    if let snippet = details.snippet { blocks.append(.paragraph(snippet, indent: 0)) }
    blocks.append(.fields(fields))
    for text in (details.description ?? "").split(separator: "\n") {
      blocks.append(.paragraph(String(text), indent: 0))
    }
    if let problem = details.thumbnailProblem {
      blocks.append(.paragraph("Its picture cannot be shown: \(problem.message)", indent: 0))
    }
    return TextDocument(blocks)
  }

  private var fields: [TextDocument.Field] {
    let values: [(String, String?)] = [
      ("Id", details.id), ("Type", details.kind), ("Owner", details.owner),
      ("Shared", details.access.map(Self.sharing)), ("Created", details.created.map(DayText.text)),
      ("Modified", details.modified.map(DayText.text)),
      ("Size", details.size.map { ByteCount.text(Int($0)) }),
      ("Tags", details.tags.isEmpty ? nil : details.tags.joined(separator: ", ")),
      ("Credits", details.credits), ("Terms of use", details.termsOfUse),
      ("Service", details.url?.absoluteString), ("Views", details.views.map { "\($0)" }),
    ]
    return values.compactMap { name, value in value.map { TextDocument.Field(name, $0) } }
  }

  private static func sharing(_ access: String) -> String {
    switch access {
    case "public": "with everyone"
    case "org": "with the organization"
    case "shared": "with groups"
    case "private": "with nobody"
    default: access
    }
  }

  var json: JSONValue { details.json }
}
