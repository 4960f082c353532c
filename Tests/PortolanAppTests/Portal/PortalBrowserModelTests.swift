import Foundation
import PortolanApp
import PortolanJSON
import PortolanPortal
import PortolanTransport
import Synchronization
import Testing

@MainActor
@Suite struct PortalBrowserModelTests {
  private let portal = CatalogPortal(count: 45)

  private func model(_ text: String = "") -> PortalBrowserModel {
    PortalBrowserModel(portal: portal, text: text)
  }

  @Test func `Nothing is requested until a search begins`() {
    let model = model("Offline Mapbook")
    #expect(model.state.text == "Offline Mapbook")
    #expect(model.state.phase == .idle && model.state.rows.isEmpty)
    #expect(portal.searches.isEmpty)
  }

  @Test func `Pages of twenty follow each other to the end`() async {
    let model = model()
    await model.search("")
    #expect(model.state.rows.count == 20 && model.state.total == 45 && model.state.canShowMore)
    await model.showMore()
    await model.showMore()
    #expect(model.state.rows.count == 45 && !model.state.canShowMore && model.state.page == 3)
    await model.showMore()
    #expect(model.state.rows.map(\.id) == portal.items.map(\.id.text))
    #expect(portal.searches.map(\.startIndex) == [1, 21, 41])
  }

  @Test func `Clearing the words it begins with lists everything`() async {
    let model = model("Item 7")
    await model.search()
    #expect(model.state.rows.map(\.title) == ["Item 7"])
    await model.clear()
    #expect(model.state.total == 45 && model.state.text.isEmpty)
  }

  @Test func `A page can be gone to directly`() async {
    let model = model()
    await model.search("", page: 3)
    #expect(model.state.rows.map(\.title) == (40..<45).map { "Item \($0)" })
    #expect(model.state.reachableCount == nil)
    await model.search("", page: .max)
    #expect(model.state.rows.isEmpty && model.state.phase == .found)
    // Portals list no more than that, and it is said.
    #expect(model.state.reachableCount == 9999)
    #expect(model.state.json["reachable"] == 9999)
    await model.search("")
    #expect(model.state.reachableCount == nil && model.state.json["reachable"] == nil)
  }

  @Test(arguments: [("", 3), ("Item 7", 1), ("nothing", 0)])
  func `Pages are counted, also beyond the last one`(_ text: String, _ count: Int) async {
    let model = model()
    await model.search(text)
    #expect(model.state.pageCount == count)
    await model.search(text, page: 9)
    #expect(model.state.pageCount == count && model.state.rows.isEmpty)
  }

  @Test func `A failure keeps what was found and can be tried again`() async {
    let model = model()
    await model.search("")
    portal.fail(with: .transport(.offline))
    await model.showMore()
    #expect(model.state.rows.count == 20)
    #expect(model.state.phase == .failed(Problem(PortalError.transport(.offline))))
    portal.fail(with: nil)
    await model.showMore()
    #expect(model.state.rows.count == 40 && model.state.phase == .found)
  }

  @Test func `The answer to an older search changes nothing`() async {
    let model = model()
    portal.hold("slow")
    async let slow: Void = model.search("slow")
    await portal.heldSearch()
    await model.search("Item 3")
    portal.release()
    await slow
    #expect(model.state.text == "Item 3")
    #expect(model.state.rows.map(\.title) == ["Item 3"])
  }

  @Test func `The failure of an older search is not shown`() async {
    let model = model()
    portal.hold("slow")
    async let slow: Void = model.search("slow")
    await portal.heldSearch()
    await model.search("Item 3")
    portal.release(failingWith: .transport(.offline))
    await slow
    #expect(model.state.phase == .found)
    #expect(model.state.rows.map(\.title) == ["Item 3"])
  }

  @Test func `Observers see a search begin and end, and the page after it`() async throws {
    let model = model()
    let states = try await Observed.states {
      model.state
    } until: {
      $0.phase == .found
    } while: {
      await model.search("")
    }
    #expect(states.first?.phase == .idle && states.last?.rows.count == 20)
    let more = try await Observed.states {
      model.state.rows.count
    } until: {
      $0 == 40
    } while: {
      await model.showMore()
    }
    #expect(more.first == 20 && more.last == 40)
  }

  @Test func `Observers see an item that is loaded, and one that is refused`() async throws {
    let model = PortalItemModel(portal: portal)
    let id = try #require(portal.items.last?.id.text)
    let states = try await Observed.states {
      model.state
    } until: {
      $0.details != nil
    } while: {
      await model.load(id)
    }
    #expect(states.first == .empty && states.last?.details?.title == "Item 44")
  }

  @Test func `An item shows its details, and a lost picture does not hide them`() async throws {
    let model = PortalItemModel(portal: portal)
    let id = try #require(portal.items.last?.id.text)
    await model.load(id)
    let details = try #require(model.state.details)
    #expect(details.title == "Item 44")
    #expect(details.description == "Bold & plain.")
    #expect(details.thumbnailProblem?.kind == .absence)
  }

  @Test(arguments: ["", "../../../etc/passwd", "a b", "a.b", "-"])
  func `An invalid id is refused before any request`(_ id: String) async {
    let model = PortalItemModel(portal: portal)
    await model.load(id)
    let problem = Problem(PortalError.invalidID(id))
    #expect(model.state == .failed(problem))
    #expect(problem.kind == .absence, "no item has it, as one that the portal does not know")
    #expect(throws: problem) { try PortalScreens.checkItemID(id) }
  }
}

/// A portal whose items are numbered.
private final class CatalogPortal: PortalBrowsing {
  private struct State {
    var searches: [PortalQueryParameters] = []
    var failure: PortalError?
    var heldText: String?
    var held: CheckedContinuation<PortalError?, Never>?
    var watcher: CheckedContinuation<Void, Never>?
  }

  let url = URL(filePath: "/")
  let items: [PortalItem]
  private let state = Mutex(State())

  init(count: Int) {
    items = (0..<count).compactMap { number in
      PortalItem(json: [
        "id": .string(String(repeating: "0", count: 30) + (number < 10 ? "0" : "") + "\(number)"),
        "title": .string("Item \(number)"), "type": "Mobile Map Package",
        "description": "<b>Bold</b> &amp; plain.", "thumbnail": "thumbnail/lost.png",
      ])
    }
  }

  var searches: [PortalQueryParameters] { state.withLock { $0.searches } }

  func fail(with error: PortalError?) { state.withLock { $0.failure = error } }

  /// Holds back the answer to the search for `text`.
  func hold(_ text: String) { state.withLock { $0.heldText = text } }

  func release(failingWith error: PortalError? = nil) {
    state.withLock { $0.held.take() }?.resume(returning: error)
  }

  func heldSearch() async {
    await withCheckedContinuation { continuation in
      let isHeld = state.withLock { state in
        if state.held != nil { return true }
        state.watcher = continuation
        return false
      }
      if isHeld { continuation.resume() }
    }
  }

  func findItems(
    _ parameters: PortalQueryParameters
  ) async throws(PortalError) -> PortalQueryResultSet<PortalItem> {
    let (failure, isHeld) = state.withLock { state in
      state.searches.append(parameters)
      return (state.failure, state.heldText == parameters.query)
    }
    if let failure { throw failure }
    if isHeld {
      let late: PortalError? = await withCheckedContinuation { continuation in
        let watcher = state.withLock { state in
          state.held = continuation
          return state.watcher.take()
        }
        watcher?.resume()
      }
      if let late { throw late }
    }
    let matches = items.filter { parameters.query.isEmpty || $0.title == parameters.query }
    let start = min(max(parameters.startIndex - 1, 0), matches.count)
    let page = matches[start...].prefix(parameters.limit)
    var next = parameters
    next.startIndex = start + page.count + 1
    return PortalQueryResultSet(
      results: Array(page), totalCount: matches.count, parameters: parameters,
      nextParameters: start + page.count < matches.count ? next : nil,
      isCut: parameters.startIndex > PortalQueryParameters.reachableCount)
  }

  func item(_ id: PortalItem.ID) throws(PortalError) -> PortalItem {
    guard let item = items.first(where: { $0.id == id }) else {
      throw .notFound(id.text, nil)
    }
    return item
  }

  func thumbnail(of item: PortalItem, width: Int?) throws(PortalError) -> Data? {
    throw .notFound("thumbnail", nil)
  }
}
