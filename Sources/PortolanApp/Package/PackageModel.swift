public import Foundation
public import Observation
public import PortolanGeometry
internal import PortolanMap
public import PortolanPackages
internal import PortolanPortal
public import PortolanSearch
internal import PortolanWebMaps

/// The screen of a package: what it is, and its maps to choose from.
@MainActor
@Observable
public final class PackageModel {
  /// A map in the list.
  public struct MapEntry: Hashable, Sendable, Codable {
    /// The name in the package.
    public var name: String
    /// The title for people.
    public var title: String
    /// The number of operational layers, those in groups included.
    public var layerCount: Int
    /// The number of bookmarks.
    public var bookmarkCount: Int
    /// The reason why the map cannot be opened; `nil` if it can.
    public var problem: Problem?
  }

  /// The contents of an open package.
  public struct Contents: Hashable, Sendable, Codable {
    /// The file or folder.
    public var url: URL
    /// The title for people.
    public var title: String
    /// One or two sentences on what it holds.
    public var summary: String?
    /// The version of the package format.
    public var version: String
    /// The extent, in degrees on WGS 84.
    public var extent: Envelope?
    /// The maps, in the order of the package.
    public var maps: [MapEntry]
    /// Warnings: an expired date, parts that cannot be read.
    public var warnings: [String]
    /// Whether the package has a picture.
    public var hasThumbnail: Bool

    /// The first map that can be opened, counted from 0; the first of all if none can.
    public var firstOpenable: Int { maps.firstIndex { $0.problem == nil } ?? 0 }
  }

  /// The state of the screen.
  public enum State: Hashable, Sendable, Codable {
    case closed
    case opening(URL)
    case open(Contents)
    case failed(Problem)

    /// The open package.
    public var contents: Contents? {
      if case .open(let contents) = self { contents } else { nil }
    }
  }

  /// The current state; observe this.
  public private(set) var state = State.closed

  /// A package whose maps can be opened.
  struct Opened {
    fileprivate let package: MobileMapPackage
    var contents: Contents
    /// Opens the layers that were left to their services, or gives the reason why they cannot be
    /// opened; `nil` for packages that came from no portal.
    var online: Result<OnlineLayerContents, PortalError>?
    /// The number of the opening that it came from.
    fileprivate let number: Int
  }

  @ObservationIgnored private let opener: any PackageOpening
  /// The package that is open; it stays if another one cannot be opened.
  @ObservationIgnored private var opened: Opened?
  /// Counts openings, so that the end of an older one changes nothing.
  @ObservationIgnored private var openingNumber = 0

  @ObservationIgnored private let indexes: LocatorIndexes?
  /// The time zone of dates in maps that name none.
  @ObservationIgnored let timeZone: TimeZone
  /// The locale of dates and numbers; that of documents if `nil`.
  @ObservationIgnored let locale: Locale?
  /// Draws the maps.
  @ObservationIgnored let drawing: any MapDrawing
  /// Measures how long opening waits for services.
  @ObservationIgnored let clock: any Clock<Duration>

  /// Creates the screen without a package.
  ///
  /// - Parameters:
  ///   - opener: Opens packages.
  ///   - indexes: Keeps what maps are searched by; in memory unless there is a place for them.
  ///   - timeZone: The time zone of dates in maps that name none.
  ///   - locale: The locale of dates and numbers; that of documents if `nil`.
  ///   - drawing: Draws the maps.
  ///   - clock: Measures how long opening waits for services.
  public init(
    opener: any PackageOpening, indexes: LocatorIndexes? = nil, timeZone: TimeZone = .current,
    locale: Locale? = nil, drawing: any MapDrawing = NoDrawing(),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.drawing = drawing
    self.clock = clock
    self.opener = opener
    self.indexes = indexes
    self.timeZone = timeZone
    self.locale = locale
  }

  /// The contents of the package whose maps can be opened: the one that was opened last, also after
  /// another one could not be.
  public var contents: Contents? { opened?.contents }

  /// Opens a package, or whatever else holds a map: a geodatabase, a tile package.
  public func open(_ url: URL) async {
    // The state says how it has ended.
    do throws(Problem) { accept(try await load(url)) } catch {}
  }

  /// Closes the files of the package, and lets go of one that is being opened.
  func close() async {
    openingNumber += 1
    let maps = opened?.package.maps ?? []
    opened = nil
    state = .closed
    for map in maps { await map.contents.close() }
  }

  /// Reads a package, which takes the place of the open one when it is accepted.
  ///
  /// - Returns: What can be accepted or refused.
  /// - Throws: A problem, which the state says as well, if it cannot be opened; a cancellation if
  ///   another was asked for meanwhile.
  func load(_ url: URL) async throws(Problem) -> Opened {
    openingNumber += 1
    let number = openingNumber
    state = .opening(url)
    do {
      let package = try await opener.open(url)
      guard number == openingNumber else { throw CancellationError() }
      return Opened(package: package, contents: Contents(package), number: number)
    } catch {
      let problem = Problem(error)
      if number == openingNumber { state = .failed(problem) }
      throw problem
    }
  }

  /// The edits in a package that was read, which is an archive; `nil` for none.
  func archivedEdits(in loaded: Opened) async -> ArchivedEdits? {
    // If the opening was cancelled, the next step reports that.
    try? await ArchivedEdits(in: loaded.package)
  }

  /// Lets a package take the place of the open one.
  func accept(_ loaded: Opened) {
    opened = loaded
    if loaded.number == openingNumber { state = .open(loaded.contents) }
  }

  /// Leaves the open package open, since the one that was read cannot be used.
  func refuse(_ loaded: Opened, for problem: Problem) {
    guard loaded.number == openingNumber else { return }
    if problem.kind == .cancellation {
      state = opened.map { .open($0.contents) } ?? .closed
    } else {
      state = .failed(problem)
    }
  }

  /// Shows the open package again, after another one could not be opened.
  func showOpened() {
    guard let opened else { return }
    state = .open(opened.contents)
  }

  /// The picture of a map of the open package, counted from 0: its own, else one that is drawn.
  ///
  /// - Returns: PNG or JPEG.
  /// - Throws: A problem if there is no such map or it cannot be read.
  public func thumbnail(at index: Int) async throws(Problem) -> Data {
    let map = try mobileMap(at: index, of: opened)
    if let picture = map.item.thumbnail { return picture }
    do { return try await drawing.thumbnail(of: map).data } catch { throw Problem(error) }
  }

  /// Opens a map of the open package, counted from 0, and finds its layers.
  ///
  /// - Throws: A problem if there is no such map or it cannot be read.
  public func map(at index: Int) async throws(Problem) -> MapModel {
    try await map(at: index, of: opened)
  }

  /// Opens a map of a package, counted from 0, and finds its layers.
  func map(at index: Int, of opened: Opened?) async throws(Problem) -> MapModel {
    var map = try mobileMap(at: index, of: opened)
    if let online = opened?.online { map = map.opening(with: online) }
    let model = MapModel(
      map: map, timeZone: timeZone, locale: locale,
      origin: opened?.package.url, indexes: indexes, drawing: drawing, clock: clock)
    await model.load()
    return model
  }

  private func mobileMap(
    at index: Int, of opened: Opened?
  ) throws(Problem) -> MobileMap {
    guard let (package, contents) = opened.map({ ($0.package, $0.contents) }) else {
      throw Problem(
        message: "No package is open.", suggestion: "Open a file.", actions: [.init(.openFile)])
    }
    guard contents.maps.indices.contains(index) else {
      throw Problem(
        message: "There is no map \(index.counted) in \"\(contents.title)\".",
        suggestion: contents.maps.isEmpty
          ? "The package has no maps." : contents.maps.count.choiceOfNumbers,
        kind: .absence)
    }
    if let problem = contents.maps[index].problem { throw problem }
    guard let map = package.maps.first(where: { $0.name == contents.maps[index].name }) else {
      throw Problem(message: "The map \"\(contents.maps[index].name)\" no longer exists.")
    }
    return map
  }
}

/// Opens packages; the live one reads files, tests hand out what they made.
public protocol PackageOpening: Sendable {
  /// Opens what is at `url`.
  @concurrent func open(_ url: URL) async throws(PackageError) -> MobileMapPackage

  /// Opens what is at `url` to say what it is, even if it has expired and may not be used since.
  @concurrent func openToInspect(_ url: URL) async throws(PackageError) -> MobileMapPackage
}

extension PackageOpening {
  public func openToInspect(_ url: URL) async throws(PackageError) -> MobileMapPackage {
    try await open(url)
  }
}

extension PackageModel.Contents {
  fileprivate init(_ package: MobileMapPackage) {
    url = package.url
    title = package.info.title
    summary = package.info.summary
    version = package.info.version
    extent = package.info.extent
    maps = package.mapNames.map { PackageModel.MapEntry($0, in: package) }
    warnings = package.warnings
    hasThumbnail = package.info.thumbnail != nil
  }
}

extension PackageModel.MapEntry {
  fileprivate init(_ name: String, in package: MobileMapPackage) {
    self.name = name
    let map = package.maps.first { $0.name == name }
    title = map?.title ?? name
    layerCount =
      map.map { LayerTree($0.webMap).ordered.count { $0.layer.role == .operational } } ?? 0
    bookmarkCount = map?.webMap.bookmarks.count ?? 0
    problem = package.failures[name].map { Problem($0) }
  }
}
