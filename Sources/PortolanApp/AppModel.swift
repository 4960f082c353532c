public import Foundation
public import Observation
public import PortolanPackages
public import PortolanPortal
public import PortolanSearch

/// The state of the whole app: a package, and the map of it that is open.
@MainActor
@Observable
public final class AppModel {
  /// The screen of the package.
  public let package: PackageModel
  /// The screen of the open map.
  public private(set) var map: MapModel?
  /// The index of the open map in the package, from 0.
  public private(set) var mapIndex: Int?

  /// The search box of the open package.
  @ObservationIgnored public private(set) lazy var packageSearch = PackageSearchModel(app: self)

  /// Inspects files, without opening them as maps.
  public let files: FileInspector
  /// The screen that converts files.
  public let conversion: ConversionModel
  /// The screen that makes packages.
  public let authoring: AuthoringModel
  /// The package that is shown while its specification is edited; `nil` if none is.
  public var preview: PreviewModel?
  /// The screen that shares files on a portal; `nil` in an app that has no network at all.
  public let sharing: SharingModel?
  /// The screens that show a portal; `nil` in an app that has no network at all.
  public let portal: PortalScreens?
  /// The screens of what is on this device; `nil` in an app that keeps nothing.
  public let library: LibraryScreens?
  /// The screen of the tile cache; `nil` in an app that has no network at all.
  public let tiles: TileRegionsModel?

  /// Whether this is a look at another map, of which the list of maps shows nothing.
  @ObservationIgnored private let isBeside: Bool
  @ObservationIgnored let opener: any PackageOpening
  /// Counts the maps that were requested, so that an older one does not take the place of a newer.
  @ObservationIgnored private var openingNumber = 0
  @ObservationIgnored private let indexes: LocatorIndexes?
  /// Keeps people's own bookmarks.
  @ObservationIgnored let bookmarks: any BookmarkStore
  /// The stored map that is open.
  @ObservationIgnored private var stored: OpenedStoredMap?

  /// The size of the window in which maps are shown.
  @ObservationIgnored public private(set) var viewport = MapViewport()

  /// The id of the stored map that is open; `nil` if none is.
  public var storedID: String? { map?.stored?.id }

  /// Creates an app with nothing open.
  ///
  /// - Parameters:
  ///   - opener: Opens packages.
  ///   - files: Opens files to be looked at; those on disk unless given.
  ///   - portal: The screens that show a portal.
  ///   - library: The screens of what is on this device.
  ///   - tiles: The screen of the tile cache.
  ///   - summaryCache: Remembers what folders of packages hold.
  ///   - indexes: Keeps what maps are searched by.
  ///   - uploads: Records the uploads that are under way, so that they can be resumed.
  ///   - bookmarks: Keeps people's own bookmarks.
  ///   - timeZone: The time zone of dates in maps that name none.
  ///   - locale: The locale of dates and numbers; that of documents if `nil`.
  ///   - drawing: Draws maps.
  ///   - clock: Measures how long opening a map waits for services.
  public init(
    opener: any PackageOpening, files: (any FileOpening)? = nil, portal: PortalScreens? = nil,
    library: LibraryScreens? = nil, tiles: TileRegionsModel? = nil,
    summaryCache: any PackageSummaryCache = InMemoryPackageSummaryCache(),
    indexes: LocatorIndexes? = nil,
    uploads: any UploadLedger = InMemoryUploadLedger(),
    bookmarks: any BookmarkStore = InMemoryBookmarkStore(), timeZone: TimeZone = .current,
    locale: Locale? = nil, drawing: any MapDrawing = NoDrawing(),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    package = PackageModel(
      opener: opener, indexes: indexes, timeZone: timeZone, locale: locale, drawing: drawing,
      clock: clock)
    self.indexes = indexes
    self.bookmarks = bookmarks
    self.portal = portal
    self.library = library
    self.tiles = tiles
    let files = files ?? DiskFileOpener(packages: opener)
    self.files = FileInspector(opener: files, summaryCache: summaryCache)
    conversion = ConversionModel(opener: files)
    authoring = AuthoringModel(drawing: drawing)
    sharing = portal.map {
      SharingModel(portals: $0.portals, packages: opener, ledger: uploads)
    }
    self.opener = opener
    isBeside = false
  }

  /// Creates an app with nothing open, which shares everything else with another.
  private init(beside other: AppModel) {
    package = PackageModel(
      opener: other.opener, indexes: other.indexes, timeZone: other.package.timeZone,
      locale: other.package.locale, drawing: other.package.drawing, clock: other.package.clock)
    indexes = other.indexes
    bookmarks = other.bookmarks
    portal = other.portal
    library = other.library
    tiles = other.tiles
    files = other.files
    conversion = other.conversion
    authoring = other.authoring
    sharing = other.sharing
    opener = other.opener
    isBeside = true
    viewport = other.viewport
  }

  /// An app with nothing open, for a look at another map while the open one stays as it is.
  ///
  /// Everything but the open map is shared. Close it afterwards.
  public func beside() -> AppModel { AppModel(beside: self) }

  /// Whether a map of a file or folder is open, counted from 0.
  public func isOpen(_ url: URL, map index: Int) -> Bool {
    stored == nil && mapIndex == index
      && package.contents?.url.standardizedFileURL == url.standardizedFileURL
  }

  /// Whether a map of a stored one is open, counted from 0.
  public func isOpen(stored id: String, map index: Int) -> Bool {
    stored?.id == id && mapIndex == index
  }

  /// Opens a package and one of its maps; the map that was open stays if that fails.
  ///
  /// - Parameters:
  ///   - url: The package.
  ///   - index: Which map of it, counted from 0; the first that can be opened if `nil`.
  /// - Throws: A problem if the package or the map cannot be opened.
  public func open(_ url: URL, map index: Int? = nil) async throws(Problem) {
    try await openPackage(url, map: index, stored: nil, asked: beginOpening())
  }

  /// Opens a map that is stored on this device, which cannot be deleted meanwhile.
  ///
  /// - Parameters:
  ///   - id: Its id.
  ///   - index: Which map of it, counted from 0; the first that can be opened if `nil`.
  /// - Throws: A problem if it is not stored or cannot be opened; the map that was open stays.
  public func openStored(_ id: String, map index: Int? = nil) async throws(Problem) {
    guard let library else {
      throw Problem(message: "This app keeps no maps.", kind: .absence)
    }
    let number = beginOpening()
    let maps = try await library.maps()
    let opened = try await maps.beginUse(of: id)
    try await openPackage(opened.url, map: index, stored: opened, asked: number)
  }

  /// Opens a package and one of its maps, which then take the place of what is open together.
  private func openPackage(
    _ url: URL, map index: Int?, stored lease: OpenedStoredMap?, asked number: Int
  ) async throws(Problem) {
    try check(number)
    var loaded = try await package.load(url)
    loaded.contents.warnings += lease?.lacks ?? []
    if let lease, lease.isSmallImportedArchive,
      let edits = await package.archivedEdits(in: loaded)
    {
      loaded.contents.warnings.append(
        "\(edits.sentence(ofStored: lease.title)) \(ArchivedEdits.wayOut)")
    }
    if let home = lease?.portal { loaded.online = await portal?.onlineLayers(of: home) }
    let index = index ?? loaded.contents.firstOpenable
    do throws(Problem) {
      let opened = try await package.map(at: index, of: loaded)
      try await endMap(for: opened, stored: lease?.id, asked: number)
      package.accept(loaded)
      packageSearch.forget()
      keep(lease)
      place(opened, at: index)
    } catch {
      package.refuse(loaded, for: error)
      throw error
    }
  }

  /// Takes the size of the window over, for the open map and those that are opened later.
  public func resize(to viewport: MapViewport) {
    self.viewport = viewport
    map?.resize(to: viewport)
  }

  // MARK: - What is open

  /// Begins to open something, which is cancelled if something else is requested before it is there.
  func beginOpening() -> Int {
    openingNumber += 1
    return openingNumber
  }

  /// Gives up an opening if something else was asked for meanwhile.
  ///
  /// - Throws: A cancellation.
  func check(_ number: Int) throws(Problem) {
    guard number == openingNumber else { throw Problem(CancellationError()) }
  }

  /// Ends the map that is open, since another one is there, which gets the bookmarks of one's own first.
  ///
  /// - Parameters:
  ///   - opened: The other one; `nil` if none is to be open.
  ///   - id: The id of the stored map that it is of.
  ///   - number: What ``beginOpening()`` returned.
  /// - Throws: A cancellation if something else was asked for meanwhile.
  private func endMap(
    for opened: MapModel?, stored id: String?, asked number: Int
  ) async throws(Problem) {
    if let opened { await loadBookmarks(of: opened, stored: id) }
    try check(number)
    if let map {
      map.stopLoading()
      let edited = map.stored != nil
      await map.editing.end()
      if edited { await library?.mapIsNoLongerEdited() }
    }
    try check(number)
  }

  private func place(_ opened: MapModel?, at index: Int?) {
    opened?.stored = stored
    opened?.resize(to: viewport)
    packageSearch.openMapIsReplaced(by: opened)
    map = opened
    mapIndex = index
  }

  /// Keeps the stored map that is open from being deleted, and lets others delete the one before.
  private func keep(_ lease: OpenedStoredMap?) {
    guard stored != nil || lease != nil else { return }
    stored = lease
    if !isBeside { library?.mapList?.setOpen(lease?.id) }
  }

  /// Closes the map; files that were edited are left without anything beside them.
  public func close() async { await replace(with: nil, at: nil) }

  /// Puts a map that is there in place of the open one, unless something else is asked for
  /// meanwhile.
  private func replace(with opened: MapModel?, at index: Int?) async {
    let number = beginOpening()
    // A request that was made meanwhile takes precedence.
    do throws(Problem) {
      try await endMap(for: opened, stored: nil, asked: number)
    } catch {
      return
    }
    keep(nil)
    packageSearch.forget()
    place(opened, at: index)
  }

  /// Closes the map and the package, before the process ends.
  ///
  /// The databases in it are closed then, and nothing is left beside those in write-ahead mode. Which tiles
  /// were used is noted.
  public func end() async {
    await close()
    await package.close()
    await tiles?.noteUse()
  }

  /// Ends the editing of a stored map that is open, so that it can be synchronized; its edits stay,
  /// and can no longer be undone.
  public func endEditing(ofStored id: String) async {
    guard storedID == id, let map else { return }
    await map.editing.end()
    await library?.mapIsNoLongerEdited()
    await map.filesHaveChanged()
  }

  /// Shows what was changed in a stored map that is open, as by a synchronization.
  public func storedMapHasChanged(_ id: String) async {
    guard storedID == id else { return }
    await map?.filesHaveChanged()
  }

  /// Shows a map that does not come from the open package, such as a web map.
  public func show(_ opened: MapModel) async { await replace(with: opened, at: nil) }

  /// Shows another model of the map that is open, through the same window and with the same layers on.
  ///
  /// - Parameters:
  ///   - changed: The other model.
  ///   - number: What ``beginOpening()`` returned before it was made.
  /// - Throws: A cancellation if something else was asked for since, which is shown then.
  func replaceMap(with changed: MapModel, asked number: Int) async throws(Problem) {
    do throws(Problem) {
      try await endMap(for: changed, stored: storedID, asked: number)
    } catch {
      changed.stopLoading()
      throw error
    }
    if let map { changed.takeView(of: map) }
    map = changed
  }

  /// Opens another map of the open package, counted from 0.
  ///
  /// - Throws: A problem if no package is open or the map cannot be opened.
  public func openMap(at index: Int) async throws(Problem) {
    let number = beginOpening()
    let opened = try await package.map(at: index)
    try await endMap(for: opened, stored: stored?.id, asked: number)
    place(opened, at: index)
    package.showOpened()
  }
}
