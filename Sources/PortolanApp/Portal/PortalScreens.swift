public import Foundation
public import Observation
public import PortolanPackages
public import PortolanPortal
public import PortolanWebMaps

/// The screens that show a portal, made for the portal that is requested.
@MainActor
@Observable
public final class PortalScreens {
  /// The initial state of the screens, by the settings.
  public struct Preferences: Sendable {
    /// The default search text on ArcGIS Online.
    public var searchText: String
    /// The number of items on a page.
    public var pageSize: Int
    /// The source of the Bing Maps key.
    public var bingKeys: any BingKeySource
    /// The time zone of dates in maps that name none.
    public var timeZone: TimeZone
    /// The locale of dates and numbers; that of documents if `nil`.
    public var locale: Locale?
    /// Draws maps.
    public var drawing: any MapDrawing

    /// Creates preferences; those of a fresh installation by default.
    public init(
      searchText: String = "Offline Mapbook", pageSize: Int = 20,
      bingKeys: any BingKeySource = FixedBingKey(nil), timeZone: TimeZone = .current,
      locale: Locale? = nil, drawing: any MapDrawing = NoDrawing()
    ) {
      self.drawing = drawing
      self.searchText = searchText
      self.pageSize = pageSize
      self.bingKeys = bingKeys
      self.timeZone = timeZone
      self.locale = locale
    }
  }

  /// The screen that searches, once it was requested.
  public private(set) var browser: PortalBrowserModel?
  /// The screen of one item, once it was requested.
  public private(set) var item: PortalItemModel?
  /// The screen that loads web maps, once it was requested.
  public private(set) var webMap: WebMapModel?

  @ObservationIgnored let portals: any PortalConnecting
  @ObservationIgnored private let preferences: @Sendable () async -> Preferences
  @ObservationIgnored private let keeper: (any TileKeeping)?
  @ObservationIgnored private let documents: (any DocumentCache)?

  /// Creates the screens; none is there until it is requested.
  ///
  /// - Parameters:
  ///   - portals: Connects to portals.
  ///   - keeper: What keeps the tiles of services in web maps; nothing if `nil`.
  ///   - documents: What keeps the descriptions of web maps and their services; nothing if `nil`.
  ///   - preferences: What people want of the screens, asked for each time.
  public init(
    portals: any PortalConnecting, keeper: (any TileKeeping)? = nil,
    documents: (any DocumentCache)? = nil,
    preferences: @escaping @Sendable () async -> Preferences = { Preferences() }
  ) {
    self.portals = portals
    self.preferences = preferences
    self.keeper = keeper
    self.documents = documents
  }

  /// The screen that searches a portal; the same as before while the portal is the same.
  public func browser(of url: URL?) async throws(Problem) -> PortalBrowserModel {
    let portal = try await portal(url)
    if let browser, browser.state.portal == portal.url { return browser }
    let model = await makeBrowser(portal)
    browser = model
    return model
  }

  /// A search of its own of the portal in use, for shells that serve several people at once.
  public func newBrowser() async throws(Problem) -> PortalBrowserModel {
    await makeBrowser(try await portal(nil))
  }

  private func makeBrowser(_ portal: any PortalBrowsing) async -> PortalBrowserModel {
    let preferences = await preferences()
    return PortalBrowserModel(
      portal: portal, text: portal.url.isArcGISOnline ? preferences.searchText : "",
      pageSize: preferences.pageSize)
  }

  /// The screen of an item of a portal.
  public func item(of url: URL?) async throws(Problem) -> PortalItemModel {
    let model = PortalItemModel(portal: try await portal(url))
    item = model
    return model
  }

  /// Refuses what cannot be the id of an item, for which no portal need be connected.
  ///
  /// - Throws: A problem for such a text.
  public static func checkItemID(_ text: String) throws(Problem) {
    do { _ = try PortalItem.ID(text) } catch { throw Problem(error) }
  }

  /// The id that a person means among the items that the last search has found.
  ///
  /// - Parameter text: The beginning of the id, or the title without case.
  /// - Returns: The only such id; `nil` if there is none, or more than one.
  public func itemID(named text: String) -> String? {
    let rows = browser?.state.rows ?? []
    let titled = Set(rows.filter { $0.title.lowercased() == text.lowercased() }.map(\.id))
    return titled.count == 1 ? titled.first : rows.map(\.id).onlyID(startingWith: text)
  }

  /// The id of the mobile map package of a portal that has a title, without case.
  ///
  /// - Parameters:
  ///   - title: The whole title.
  ///   - url: The portal; the one in use if `nil`.
  /// - Returns: The id; `nil` if no package has the title.
  /// - Throws: A problem if several have it, or the portal does not tell.
  public func packageID(titled title: String, of url: URL?) async throws(Problem) -> String? {
    let words = title.replacing("\"", with: " ").replacing("\\", with: " ")
    var parameters: PortalQueryParameters? = PortalQueryParameters(
      query: "title:\"\(words)\"", kinds: [.mobileMapPackage],
      limit: PortalQueryParameters.maxLimit)
    var ids: [String] = []
    do {
      let portal = try await portal(url)
      while let page = parameters {
        let found = try await portal.findItems(page)
        // An item shared meanwhile may be on two pages.
        ids += found.results.filter { $0.title.lowercased() == title.lowercased() }
          .map(\.id.text).filter { !ids.contains($0) }
        parameters = found.nextParameters
      }
    } catch {
      throw Problem(error)
    }
    guard ids.count <= 1 else {
      throw Problem(
        .ambiguous, message: "The portal has \(ids.count) packages called \"\(title)\".",
        suggestion: "Give the id: \(ids.prefix(5).joined(separator: ", ")).")
    }
    return ids.first
  }

  /// A new screen that loads a web map of a portal.
  public func webMap(of url: URL?) async throws(Problem) -> WebMapModel {
    let portal = try await portal(url)
    let preferences = await preferences()
    let model = WebMapModel(
      portal: portal, bingKeys: preferences.bingKeys, timeZone: preferences.timeZone,
      locale: preferences.locale, drawing: preferences.drawing, keeper: keeper,
      documents: documents)
    webMap = model
    return model
  }

  /// Opens the layers of a stored map that were left to their services, or gives the reason why its
  /// portal cannot be asked.
  func onlineLayers(of url: URL) async -> Result<OnlineLayerContents, PortalError> {
    do throws(PortalError) {
      let portal = try await portals.portal(at: url)
      return .success(
        OnlineLayerContents(
          portal: portal, bingKeys: await preferences().bingKeys, keeper: keeper))
    } catch {
      return .failure(error)
    }
  }

  private func portal(_ url: URL?) async throws(Problem) -> Portal {
    do { return try await portals.portal(at: url) } catch { throw Problem(error) }
  }
}

extension URL {
  /// Whether this is ArcGIS Online or an organization on it.
  fileprivate var isArcGISOnline: Bool {
    let host = host()?.lowercased() ?? ""
    return host == "arcgis.com" || host == "www.arcgis.com" || host.hasSuffix(".maps.arcgis.com")
  }
}
