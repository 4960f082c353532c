internal import Foundation
internal import PortolanApp
internal import PortolanJSON
internal import PortolanJobs

/// Searches a portal.
struct SearchCommand: PortalCommand {
  static let text = Parameter.argument(
    "TEXT", "The words to look for; those the portal's search begins with unless given.",
    count: .any)
  static let kind = Parameter.option(
    "type", "T", "The type of item, such as \"Web Map\" or web-map, or \"any\".")
  static let page = Parameter.option("page", "N", "The page to list, counted from 1.")
  static let more = Parameter.flag("more", "List the next page of the last search.")
  static let clear = Parameter.flag("clear", "Search for everything, without a search text.")

  static let declaration = CommandDeclaration(
    "search", summary: "Search a portal for maps.", topic: .portal,
    parameters: [text, kind, page, more, clear],
    discussion: [
      "Finds mobile map packages unless --type says otherwise. On ArcGIS Online a search without TEXT "
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
      // Portals compare types without their case, and none of theirs has a hyphen.
      case let kind?: [kind.replacing("-", with: " ")]
      }
    let page = try arguments.value(of: Self.page, as: .integer(in: 1...1_000_000))
    guard !wantsMore || (kind == nil && page == nil) else {
      throw UsageError(
        "--more continues the last search as it was.", suggestion: "Leave --type and --page out.")
    }
    pageNumber = page ?? 1
  }

  @MainActor func run(
    with screens: PortalScreens, in session: Session
  ) async throws -> CommandResult {
    let browser = try await screens.browser(of: session.options.portal)
    let first = wantsMore ? browser.state.rows.count : 0
    if wantsMore {
      guard browser.state.phase != .idle else {
        throw UsageError(
          "There was no search yet.",
          suggestion: session.keepsMap
            ? "Begin with \"search TEXT\"." : "\"search TEXT --page N\" lists a page of a search.")
      }
      await browser.showMore()
    } else {
      await browser.search(words ?? browser.state.text, types: types, page: pageNumber)
    }
    if case .failed(let problem) = browser.state.phase { throw problem }
    let page = SearchPage(
      state: browser.state, first: first, states: await Self.states(of: browser.state.rows, session)
    )
    return CommandResult(text: page.text, json: page.json)
  }

  /// The states on this device of the packages found.
  @MainActor private static func states(
    of rows: [PortalBrowserModel.Row], _ session: Session
  ) async -> [String: PortalItemPresence] {
    var items: [MapListItem] = []
    if let library = session.app.library, library.exists {
      // Searching works without the library; other commands say why it does not open.
      guard let maps = try? await library.loadedMaps() else { return [:] }
      items = maps.state.items
    }
    return PortalItemPresence.states(of: rows, among: items)
  }
}

/// The items that a search found, as text and as JSON.
struct SearchPage {
  let state: PortalBrowserModel.State
  /// The first row to list; those before were listed already.
  let first: Int
  /// The states of packages on this device, by their ids.
  let states: [String: PortalItemPresence]

  private var rows: ArraySlice<PortalBrowserModel.Row> {
    state.rows[min(first, state.rows.count)...]
  }

  var text: TextDocument {
    let words = state.text.isEmpty ? "" : " for \"\(state.text)\""
    guard !state.rows.isEmpty || isPastEnd else {
      return TextDocument(
        [
          .line("Nothing was found\(words) on \(state.portal.host() ?? "")."),
          .line(
            state.text.isEmpty
              ? "\"--type any\" lists items of every type." : "\"search --clear\" lists everything."
          ),
        ] + otherKinds)
    }
    guard !rows.isEmpty else {
      let pages = state.pageCount.map { $0 == 1 ? "; there is 1 page" : "; there are \($0) pages" }
      return TextDocument("There are no more results\(words)\(pages ?? "")\(reach).")
    }
    // If all are packages, their type says nothing, and ids stay whole without it.
    let hasTypes = !state.findsOnlyPackages
    let hasStates = !hasTypes || rows.contains { states[$0.id].map { $0 != .absent } ?? false }
    let table = TextTable(
      [.id, .init("title")] + (hasTypes ? [.init("type")] : [])
        + [.init("modified"), .init("size", .right)] + (hasStates ? [.init("state")] : []),
      rows: rows.map { row in
        [row.id, row.title] + (hasTypes ? [row.kind] : [])
          + [
            row.modified.map(DayText.text) ?? "",
            row.size.map { ByteCount.text(Int($0)) } ?? "",
          ] + (hasStates ? [states[row.id].map(Self.phrase) ?? ""] : [])
      })
    return TextDocument([.table(table), .blank, .line(summary + words + ".")] + otherKinds)
  }

  /// Whether a page was asked for that comes after the last one.
  private var isPastEnd: Bool { state.page > 1 && state.total != 0 }

  /// The state of a package, in a few words.
  private static func phrase(_ presence: PortalItemPresence) -> String {
    switch presence {
    case .absent: "not on this device"
    case .transferring(let transfer):
      transfer.progress.fraction.map { "downloading, \(Int($0 * 100)) %" } ?? "downloading"
    case .failed: "download failed"
    case .stored: "on this device"
    case .outdated: "update available"
    }
  }

  /// The note on items that a search for packages alone leaves out.
  private var otherKinds: [TextDocument.Block] {
    guard state.findsOnlyPackages else { return [] }
    return [.line("Only mobile map packages were searched; \"--type 'Web Map'\" finds web maps.")]
  }

  private var summary: String {
    let count = state.total.map { "\(state.rows.count) of \($0)" } ?? "\(state.rows.count)"
    let more = state.hasMore ? "; \"--page \(state.page + 1)\" lists more" : ""
    return "\(count) found\(more)\(reach)"
  }

  /// The note that the portal lists the first results only.
  private var reach: String {
    state.reachableCount.map {
      "; \(state.portal.host() ?? "the portal") lists the first \($0) only"
    } ?? ""
  }

  var json: JSONValue { state.json(of: Array(rows), states: states) }
}
