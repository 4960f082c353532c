internal import Foundation
internal import PortolanApp
internal import PortolanFiles
internal import PortolanJSON

/// Loads and opens a web map.
struct WebMapCommand: PortalCommand {
  static let map = Parameter.argument(
    "ID|FILE",
    "The id of the item, the title of a web map that is listed or that \"search\" found, or a file with "
      + "the map's document; the one that is loaded unless given.", count: .atMostOne,
    completion: .file)
  static let raw = Parameter.flag("raw", "Print the document of the map unchanged.")

  static let declaration = CommandDeclaration(
    "web-map", summary: "Load and open a web map, and show the state of its layers.",
    topic: .portal,
    parameters: [map, raw],
    discussion: [
      "A layer that cannot be loaded leaves the others alone: \"layer retry\" asks for it again, also "
        + "with other credentials, and \"layer skip\" does without it. The map is open afterwards, "
        + "with the view that it begins with: \"toc\", \"legend\", \"identify\" and the others work on it."
    ],
    examples: [
      .init("web-map 41281c51f9de45edaf1c8ed44bb10e30", "by the id of its item"),
      .init(
        "web-map \"Explore Maine\"",
        "by its title, once \"areas\" has listed it, or \"search\" at the prompt"),
      .init("web-map", "the map that is loaded, and its layers"),
    ])

  private let source: String?
  private let isRaw: Bool

  init(parsing arguments: Arguments) throws(UsageError) {
    source = try arguments.value(of: Self.map, as: .text)
    isRaw = arguments.isSet(Self.raw)
  }

  @MainActor func run(
    with screens: PortalScreens, in session: Session
  ) async throws -> CommandResult {
    let model = try await loaded(screens, session)
    if source != nil {
      try await session.app.open(model)
      session.offerWords()
    }
    guard let contents = model.state.contents else { throw CancellationError() }
    if isRaw, let document = model.document {
      let json = JSONValue.object(document)
      let text = String(decoding: json.encoded(.indented), as: UTF8.self)
      return CommandResult(text: TextDocument(text), json: json)
    }
    return WebMapPage(contents: contents).result
  }

  @MainActor private func loaded(
    _ screens: PortalScreens, _ session: Session
  ) async throws -> WebMapModel {
    guard let source else {
      guard let model = screens.webMap, model.state.contents != nil else {
        throw PortalScreens.noWebMap
      }
      return model
    }
    return try await screens.loadWebMap(named: source, in: session)
  }
}

extension PortalScreens {
  /// Loads a web map.
  ///
  /// - Parameters:
  ///   - text: A file with its document, or the id of its item; of those that are listed, and those that the
  ///     last search has found, also their titles.
  ///   - session: What is listed, and which portal is asked.
  /// - Returns: The screen that has loaded it.
  /// - Throws: A problem if it cannot be loaded.
  func loadWebMap(named text: String, in session: Session) async throws -> WebMapModel {
    let portal = session.options.portal
    let model: WebMapModel
    if let map = try await MapSource(text: text).webMap(in: session) {
      model = try await webMap(of: portal ?? map.portal)
      await model.load(map.id)
    } else {
      model = try await webMap(of: portal)
      await model.load(URL(typedPath: text))
    }
    if case .failed(let problem) = model.state { throw problem }
    return model
  }
}

/// A web map and how its layers did, as text and as JSON.
struct WebMapPage {
  let contents: WebMapModel.Contents

  var result: CommandResult { CommandResult(text: text, json: json, status: status) }

  /// Part of it failed if a layer did.
  var status: ExitCode {
    contents.layers.contains { $0.problem != nil } ? .partlyDone : .done
  }

  var text: TextDocument {
    let table = TextTable(
      [.init(""), .init("layer"), .init("type")],
      rows: contents.layers.map { row in
        [row.status.word, (row.groups + [row.title]).joined(separator: " / "), row.type]
      })
    var blocks: [TextDocument.Block] = [.heading(contents.title), .table(table)]
    for row in contents.layers {
      guard let problem = row.problem else { continue }
      let sentences = [problem.message, problem.commandAdvice].compactMap(\.self)
      blocks.append(
        .paragraph("\"\(row.title)\": \(sentences.joined(separator: " "))", indent: 0))
    }
    if let date = contents.keptSince {
      blocks.append(.paragraph(KeptNotice.sentence(since: date), indent: 0))
    }
    return TextDocument(blocks)
  }

  var json: JSONValue { contents.json }
}
