internal import PortolanApp
internal import PortolanJSON
internal import PortolanMap

/// Tells what the symbols of the open map mean.
struct LegendCommand: MapCommand {
  static let declaration = CommandDeclaration(
    "legend", summary: "Tell what the symbols of the layers mean that are drawn.", topic: .map,
    parameters: [MapChoice.map, MapChoice.number])

  let choice: MapChoice

  init(parsing arguments: Arguments) throws(UsageError) { choice = try MapChoice(arguments) }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    let page = LegendPage(state: map.legend.state)
    return CommandResult(text: page.text, json: page.json)
  }
}

/// The legend as text and as JSON.
struct LegendPage {
  let state: LegendModel.State

  var text: TextDocument {
    let blocks = state.sections.flatMap(blocks)
    return TextDocument(blocks.isEmpty ? [.line("No layer that is drawn has a legend.")] : blocks)
  }

  var json: JSONValue {
    [
      "layers": .array(
        state.sections.map { section in
          [
            "id": .string(section.id), "title": .string(section.title),
            "groups": .array(section.groups.map(JSONValue.string)),
            "entries": .array(section.entries.map(value)),
          ]
        })
    ]
  }

  private func blocks(_ section: LegendModel.Section) -> [TextDocument.Block] {
    var blocks: [TextDocument.Block] = [
      .heading((section.groups + [section.title]).joined(separator: " / "))
    ]
    var heading: String?
    for entry in section.entries {
      if let new = entry.heading, new != heading, !new.isEmpty { blocks.append(.line("  \(new)")) }
      heading = entry.heading
      let name = entry.name.isEmpty ? section.title : entry.name
      blocks.append(.line("  \(SwatchText(entry.swatch).text)  \(name)"))
    }
    return blocks
  }

  private func value(_ entry: LegendInfo) -> JSONValue {
    [
      "label": .string(entry.name), "heading": entry.heading.map(JSONValue.string) ?? .null,
      "swatch": .string(SwatchText(entry.swatch).text),
      "symbol": entry.symbol.map { .object($0.json) } ?? .null,
    ]
  }
}
