internal import Foundation
internal import PortolanApp
internal import PortolanJSON

/// Searches a portal.
struct SearchCommand: PortalCommand {
  static let text = Parameter.argument(
    "TEXT", "The words to look for; those the portal's search begins with unless given.",
    count: .any)
  static let kind = Parameter.option(
    "type", "T", "The type of item, as the portal spells it, or \"any\".")
  static let page = Parameter.option("page", "N", "The page to list, counted from 1.")
  static let more = Parameter.flag("more", "List the next page of the last search.")
  static let clear = Parameter.flag("clear", "Search for everything, without a search text.")

  static let declaration = CommandDeclaration(
    "search", summary: "Search a portal for maps.", topic: .portal,
    parameters: [text, kind, page, more, clear],
    discussion: [
      "Finds mobile map packages unless told otherwise. On ArcGIS Online a search without TEXT "
        + "begins with \"Offline Mapbook\", which settings can change; --clear leaves it out. TEXT "
        + "may use the portal's query language: owner:esri tags:water."
    ],
    examples: [
      .init("search water", "packages about water"),
      .init("search --type \"Web Map\" maine", "web maps of Maine"),
      .init("search --more", "the next page"),
    ])

  private let words: String?
  private let types: [String]
  private let pageNumber: Int
  private let wantsMore: Bool

  init(parsing arguments: Arguments) throws(UsageError) {
    let words = try arguments.values(of: Self.text, as: .text).joined(separator: " ")
    let clears = arguments.isSet(Self.clear)
    wantsMore = arguments.isSet(Self.more)
    guard [!words.isEmpty, clears, wantsMore].count(where: \.self) <= 1 else {
      throw UsageError("Only one of TEXT, --clear and --more can be given.")
    }
    self.words = clears ? "" : words.isEmpty ? nil : words
    let kind = try arguments.value(of: Self.kind, as: .text)
    types =
      switch kind?.lowercased() {
      case nil: PortalBrowserModel.packageTypes
      case "any": []
      case _?: [kind].compactMap(\.self)
      }
    pageNumber = try arguments.value(of: Self.page, as: .integer(in: 1...1_000_000)) ?? 1
  }

  @MainActor func run(
    with screens: PortalScreens, in session: Session
  ) async throws -> CommandResult {
    let browser = try await screens.browser(of: session.options.portal)
    let first = wantsMore ? browser.state.rows.count : 0
    if wantsMore {
      guard browser.state.phase != .idle else {
        throw UsageError("There was no search yet.", suggestion: "Begin with \"search TEXT\".")
      }
      await browser.showMore()
    } else {
      await browser.search(words ?? browser.state.text, types: types, page: pageNumber)
    }
    if case .failed(let problem) = browser.state.phase { throw problem }
    let page = SearchPage(state: browser.state, first: first)
    return CommandResult(text: page.text, json: page.json)
  }
}

/// What a search found, as text and as JSON.
struct SearchPage {
  let state: PortalBrowserModel.State
  /// The first row to list; those before were listed already.
  let first: Int

  private var rows: ArraySlice<PortalBrowserModel.Row> {
    state.rows[min(first, state.rows.count)...]
  }

  var text: TextDocument {
    let words = state.text.isEmpty ? "" : " for \"\(state.text)\""
    guard !state.rows.isEmpty else {
      return TextDocument(
        [
          .line("Nothing was found\(words) on \(state.portal.host() ?? "")."),
          .line(
            state.text.isEmpty
              ? "\"--type any\" lists items of every type." : "\"search --clear\" lists everything."
          ),
        ] + otherKinds)
    }
    guard !rows.isEmpty else { return TextDocument("There are no more results.") }
    let table = TextTable(
      [.id, .init("title"), .init("type"), .init("modified"), .init("size", .right)],
      rows: rows.map { row in
        [
          row.id, row.title, row.kind, row.modified.map(DayText.text) ?? "",
          row.size.map { ByteCount.text(Int($0)) } ?? "",
        ]
      })
    return TextDocument([.table(table), .blank, .line(summary + words + ".")] + otherKinds)
  }

  /// What a search for packages alone leaves out.
  private var otherKinds: [TextDocument.Block] {
    guard state.findsOnlyPackages else { return [] }
    return [.line("Only mobile map packages were searched; \"--type 'Web Map'\" finds web maps.")]
  }

  private var summary: String {
    let count = state.total.map { "\(state.rows.count) of \($0)" } ?? "\(state.rows.count)"
    let more = state.hasMore ? "; \"--page \(state.page + 1)\" lists more" : ""
    return "\(count) found\(more)"
  }

  var json: JSONValue { state.json(of: Array(rows)) }
}
