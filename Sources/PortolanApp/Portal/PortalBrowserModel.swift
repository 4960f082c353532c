public import Foundation
public import Observation
public import PortolanGeometry
public import PortolanPortal

/// The screen that searches a portal.
@MainActor
@Observable
public final class PortalBrowserModel {
  /// An item in the list.
  public struct Row: Hashable, Sendable, Codable, Identifiable {
    /// The id of the item.
    public var id: String
    /// The title for people.
    public var title: String
    /// The kind of item, as the portal spells it.
    public var kind: String
    /// The user name of the owner.
    public var owner: String?
    /// One or two sentences on it.
    public var snippet: String?
    /// The date of the last change.
    public var modified: Date?
    /// Its size in bytes.
    public var size: Int64?
    /// The extent, in degrees on WGS 84.
    public var extent: Envelope?
  }

  /// The phase of the search.
  public enum Phase: Hashable, Sendable, Codable {
    case idle
    case searching
    case found
    case failed(Problem)
  }

  /// The state of the screen.
  public struct State: Hashable, Sendable, Codable {
    /// The portal that is searched.
    public var portal: URL
    /// The words searched for; a screen that has not searched shows those it begins with.
    public var text: String
    /// The kinds of item that are listed; empty for all.
    public var kinds: [PortalItem.Kind]
    /// The items found so far, in the portal's order.
    public var rows: [Row]
    /// The total number of items, if the portal gives it.
    public var total: Int?
    /// The total number of pages, if the portal gives the number of items.
    public var pageCount: Int?
    /// The page that was asked for last, counted from 1.
    public var page: Int
    /// Whether there are more to fetch.
    public var hasMore: Bool
    /// The number of items that the portal lists, if that ends the list before all were fetched;
    /// else `nil`.
    public var reachableCount: Int?
    /// The phase of the search.
    public var phase: Phase

    /// Whether mobile map packages are listed and nothing else.
    public var findsOnlyPackages: Bool { kinds == [.mobileMapPackage] }

    /// Whether the next page can be requested.
    public var canShowMore: Bool { hasMore && phase != .searching }
  }

  /// The current state; observe this.
  public private(set) var state: State

  @ObservationIgnored private let portal: any PortalBrowsing
  @ObservationIgnored private let pageSize: Int
  /// Counts searches, so that the answer to an older one changes nothing.
  @ObservationIgnored private var searchNumber = 0

  /// The types of item that a search begins with, as portals spell them.
  public nonisolated static let packageTypes = [PortalItem.Kind.mobileMapPackage.rawValue]
  /// The types of item that have maps, as portals spell them.
  public nonisolated static let mapTypes = [PortalItem.Kind.webMap.rawValue] + packageTypes

  /// Creates the screen; sends no request before ``search(_:kinds:page:)``.
  ///
  /// - Parameters:
  ///   - portal: The portal.
  ///   - text: The words that it begins with.
  ///   - pageSize: How many items a page has, 1 to 100.
  public init(portal: any PortalBrowsing, text: String = "", pageSize: Int = 20) {
    self.portal = portal
    self.pageSize = min(max(pageSize, 1), PortalQueryParameters.maxLimit)
    state = State(
      portal: portal.url, text: text, kinds: [.mobileMapPackage], rows: [], page: 0,
      hasMore: false, phase: .idle)
  }

  /// Searches again.
  ///
  /// - Parameters:
  ///   - text: The words, in the portal's query language; those of the state if there are none.
  ///   - kinds: The kinds of item to list; those of the state if there are none.
  ///   - page: The page to show, counted from 1.
  public func search(_ text: String? = nil, kinds: [PortalItem.Kind]? = nil, page: Int = 1) async {
    state.text = text ?? state.text
    state.kinds = kinds ?? state.kinds
    state.rows = []
    state.total = nil
    state.pageCount = nil
    state.reachableCount = nil
    await fetch(page: max(page, 1))
  }

  /// Searches again, among items of the types that are named as the portal spells them.
  ///
  /// - Parameters:
  ///   - text: The words, in the portal's query language; those of the state if there are none.
  ///   - types: The types of item to list, such as `Web Map`; all if there are none.
  ///   - page: The page to show, counted from 1.
  public func search(_ text: String? = nil, types: [String], page: Int = 1) async {
    await search(text, kinds: types.map { PortalItem.Kind(rawValue: $0) }, page: page)
  }

  /// Takes the words away and lists everything of the kinds.
  public func clear() async { await search("") }

  /// Fetches the next page and lists it below the ones before.
  public func showMore() async {
    guard state.canShowMore else { return }
    await fetch(page: state.page + 1)
  }

  private func fetch(page: Int) async {
    searchNumber += 1
    let number = searchNumber
    state.phase = .searching
    let (start, overflow) = (page - 1).multipliedReportingOverflow(by: pageSize)
    let parameters = PortalQueryParameters(
      query: state.text, kinds: state.kinds, startIndex: overflow ? Int(Int32.max) : start + 1,
      limit: pageSize)
    do {
      let found = try await portal.findItems(parameters)
      guard number == searchNumber else { return }
      state.rows += found.results.map(Row.init)
      state.total = found.totalCount
      state.pageCount = found.totalCount.map { $0 > 0 ? ($0 - 1) / pageSize + 1 : 0 }
      state.page = page
      state.hasMore = found.nextParameters != nil
      state.reachableCount = found.isCut ? PortalQueryParameters.reachableCount : nil
      state.phase = .found
    } catch {
      guard number == searchNumber else { return }
      state.phase = .failed(Problem(error))
    }
  }
}

extension PortalBrowserModel.Row {
  fileprivate init(_ item: PortalItem) {
    id = item.id.text
    title = item.title
    kind = item.kind.rawValue
    owner = item.owner
    snippet = item.snippet
    modified = item.modified
    size = item.size
    extent = item.extent
  }
}
