internal import PortolanApp
internal import PortolanJSON
internal import PortolanMap

/// Tells what the symbols of the open map mean.
struct LegendCommand: MapCommand {
  static let picture = Parameter.flag(
    "picture", "Show the symbols as they are drawn; with --json as data URLs, PNG.")

  static let declaration = CommandDeclaration(
    "legend", summary: "Tell what the symbols of the layers mean that are drawn.", topic: .map,
    parameters: [picture, MapChoice.map, MapChoice.number])

  let choice: MapChoice
  private let showsPictures: Bool

  init(parsing arguments: Arguments) throws(UsageError) {
    choice = try MapChoice(arguments)
    showsPictures = arguments.isSet(Self.picture)
  }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    let page = LegendPage(
      state: map.legend.state, pictures: showsPictures ? session.pictureFormat : nil)
    return CommandResult(text: page.text, json: page.json)
  }
}

/// The legend as text and as JSON.
struct LegendPage {
  let state: LegendModel.State
  /// How the symbols are shown as pictures, if they are.
  var pictures: TerminalPictureFormat?

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
      if let swatch = picture(of: entry) {
        blocks.append(.picture(["  \(swatch)  \(name.withoutControlCharacters)"]))
      } else {
        blocks.append(.line("  \(SwatchText(entry.swatch).text)  \(name)"))
      }
    }
    return blocks
  }

  private func picture(of entry: LegendInfo) -> String? {
    pictures.flatMap { SwatchPicture(entry.swatch)?.text(in: $0) }
  }

  private func value(_ entry: LegendInfo) -> JSONValue {
    let members = members(of: entry)
    guard pictures != nil else { return .object(members) }
    var all = members
    all["image"] = SwatchPicture(entry.swatch).map { .string($0.dataURL) } ?? .null
    return .object(all)
  }

  private func members(of entry: LegendInfo) -> JSONObject {
    [
      "label": .string(entry.name), "heading": entry.heading.map(JSONValue.string) ?? .null,
      "swatch": .string(SwatchText(entry.swatch).text),
      "symbol": entry.symbol.map { .object($0.json) } ?? .null,
    ]
  }
}
