internal import PortolanApp
internal import PortolanJSON

/// Lists the records that belong to a feature, or shows one of them.
struct RelatedCommand: MapCommand {
  static let number = Parameter.argument(
    "N", "The number of a record in the list; all are listed unless given.", count: .atMostOne)

  static let declaration = CommandDeclaration(
    "related", summary: "List or show the related records of a feature.", topic: .map,
    parameters: [number, PopupPlace.place, MapChoice.map, MapChoice.number],
    discussion: [
      "The feature is the one whose popup is shown, or else the first that was found. \"popup next\" "
        + "goes on to the other records of the same list, and \"popup back\" returns to the feature."
    ],
    examples: [
      .init("related", "the records that belong to the feature"),
      .init("related 2", "the second of them"),
      .init("related 1 --at -68.2079,44.3876 --map maine.mmpk", "in one line"),
    ])

  let choice: MapChoice
  private let number: Int?
  private let place: PopupPlace

  init(parsing arguments: Arguments) throws(UsageError) {
    choice = try MapChoice(arguments)
    number = try arguments.value(of: Self.number, as: .integer(in: 1...Int.max))
    place = try PopupPlace(arguments)
  }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    try await place.select(on: map, in: session)
    guard let number else {
      return Self.list(try await map.popups.relatedRecords())
    }
    try await map.popups.openRelated(number - 1)
    guard let page = PopupPage(state: map.popups.state) else { return CommandResult() }
    return CommandResult(text: page.text, json: page.json, status: page.status)
  }

  private static func list(_ related: [PopupsModel.RelatedRecords]) -> CommandResult {
    let numbers = ListNumber(upTo: related.reduce(0) { $0 + $1.titles.count })
    var number = 0
    var blocks: [TextDocument.Block] = []
    for records in related where !records.titles.isEmpty {
      blocks.append(.heading(records.name))
      for title in records.titles {
        number += 1
        blocks.append(.line("  \(numbers.text(number))  \(title)"))
      }
    }
    return CommandResult(
      text: TextDocument(blocks.isEmpty ? [.line("The feature has no related records.")] : blocks),
      json: ["related": .array(related.map(\.json))])
  }
}
