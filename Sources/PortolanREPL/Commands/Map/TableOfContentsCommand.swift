internal import PortolanApp
internal import PortolanJSON

/// Lists the layers of the open map.
struct TableOfContentsCommand: MapCommand {
  static let declaration = CommandDeclaration(
    "toc", aliases: ["layers"], summary: "List the layers of the map, and which are on.",
    topic: .map, parameters: [MapChoice.map, MapChoice.number],
    discussion: [
      "[x] is a layer that is drawn, [-] one that is on but not drawn at this scale or in a group "
        + "that is off, [ ] one that is off, and [!] one that cannot be used.",
      "Of a map that was taken offline it lists what was left out, and why.",
    ])

  let choice: MapChoice

  init(parsing arguments: Arguments) throws(UsageError) { choice = try MapChoice(arguments) }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    let page = TableOfContentsPage(state: map.tableOfContents.state)
    return CommandResult(text: page.text, json: page.json)
  }
}

/// The list of layers as text and as JSON.
struct TableOfContentsPage {
  let state: TableOfContentsModel.State

  var text: TextDocument {
    var blocks = state.layers.flatMap { lines($0, depth: 0) }
    if !state.tables.isEmpty {
      blocks.append(.line("Tables"))
      blocks += state.tables.flatMap { lines($0, depth: 1) }
    }
    if blocks.isEmpty { blocks = [.line("The map has no layers.")] }
    if !state.omissions.isEmpty {
      blocks.append(.line("Left out when the map was taken offline"))
      blocks += state.omissions.map { .paragraph("- \($0)", indent: 2) }
    }
    return TextDocument(blocks)
  }

  private func lines(
    _ entry: TableOfContentsModel.Entry, depth: Int
  ) -> [TextDocument.Block] {
    let indent = String(repeating: "  ", count: depth)
    let choice = entry.isExclusive ? " (one of)" : ""
    let line = "\(indent)\(mark(of: entry)) \(entry.title)\(choice)\(range(of: entry))"
    let problem = entry.problem.map {
      [
        TextDocument.Block.paragraph(
          NextAction.Kind.retryLayer.naming(commandIn: $0), indent: 4 + 2 * depth)
      ]
    }
    return [.line(line)] + (problem ?? []) + entry.children.flatMap { lines($0, depth: depth + 1) }
  }

  private func mark(of entry: TableOfContentsModel.Entry) -> String {
    if entry.problem != nil { return "[!]" }
    return entry.isVisible ? "[x]" : entry.isOn ? "[-]" : "[ ]"
  }

  private func range(of entry: TableOfContentsModel.Entry) -> String {
    let ends = [("from", entry.minScale), ("to", entry.maxScale)].filter { $0.1 > 0 }
    guard !ends.isEmpty else { return "" }
    return ", "
      + ends.map { "\($0.0) 1:\(Int(exactly: $0.1.rounded()) ?? .max)" }
      .joined(separator: " ")
  }

  var json: JSONValue { state.json }
}
