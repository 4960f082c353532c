internal import PortolanApp
internal import PortolanJSON
internal import PortolanMap

/// Tells what the symbols of the open map mean.
struct LegendCommand: MapCommand {
  static let picture = Parameter.flag(
    "picture", "Show the symbols as they are drawn; with --json as data URLs, PNG.")

  static let declaration = CommandDeclaration(
    "legend", summary: "Show the legend of the visible layers.", topic: .map,
    parameters: [picture, MapChoice.map, MapChoice.number])

  let choice: MapChoice
  private let showsPictures: Bool

  init(parsing arguments: Arguments) throws(UsageError) {
    choice = try MapChoice(arguments)
    showsPictures = arguments.isSet(Self.picture)
  }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    let page = LegendPage(
      state: map.legend.state, legend: map.legend,
      pictures: showsPictures ? session.pictureFormat : nil)
    return CommandResult(text: page.text, json: page.json)
  }
}

/// The legend as text and as JSON.
struct LegendPage {
  let state: LegendModel.State
  /// Draws the symbols.
  let legend: LegendModel
  /// The format of the symbols' pictures, if they are shown.
  var pictures: TerminalPictureFormat?

  var text: TextDocument {
    let blocks = state.sections.flatMap(blocks)
    return TextDocument(blocks.isEmpty ? [.line("No layer that is drawn has a legend.")] : blocks)
  }

  var json: JSONValue {
    let image: ((LegendModel.Section, Int) -> JSONObject.Member)? =
      pictures == nil ? nil : { self.image($0, $1) }
    return ["layers": state.layersJSON(picture: image)]
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
    pictures.flatMap { SwatchPicture(entry.swatch, of: legend)?.text(in: $0) }
  }

  private func image(_ section: LegendModel.Section, _ index: Int) -> JSONObject.Member {
    let picture = SwatchPicture(section.entries[index].swatch, of: legend)
    return JSONObject.Member(name: "image", value: picture.map { .string($0.dataURL) } ?? .null)
  }
}
