public import Foundation
public import Observation

/// What the whole app shows: a package, and the map of it that is open.
@MainActor
@Observable
public final class AppModel {
  /// The screen of the package.
  public let package: PackageModel
  /// The screen of the open map.
  public private(set) var map: MapModel?
  /// Which map of the package is open, counted from 0.
  public private(set) var mapIndex: Int?

  /// What tells what files hold, without opening them as maps.
  public let files: FileInspector
  /// The screen that converts files.
  public let conversion: ConversionModel
  /// The screens that show a portal; `nil` in an app that has no network at all.
  public let portal: PortalScreens?

  /// Creates an app with nothing open; files are those on disk unless `files` brings others.
  public init(
    opener: any PackageOpening, files: (any FileOpening)? = nil, portal: PortalScreens? = nil
  ) {
    package = PackageModel(opener: opener)
    self.portal = portal
    let files = files ?? DiskFileOpener(packages: opener)
    self.files = FileInspector(opener: files)
    conversion = ConversionModel(opener: files)
  }

  /// Opens a package and one of its maps, counted from 0; the map that was open stays if that
  /// fails.
  ///
  /// - Throws: A problem if the package or the map cannot be opened.
  public func open(_ url: URL, map index: Int = 0) async throws(Problem) {
    await package.open(url)
    if case .failed(let problem) = package.state { throw problem }
    try await openMap(at: index)
  }

  /// Closes the map; files that were edited are left without anything beside them.
  public func close() async {
    await map?.editing.end()
    map = nil
    mapIndex = nil
  }

  /// Shows a map that does not come from the open package, such as a web map.
  public func show(_ opened: MapModel) async {
    await map?.editing.end()
    map = opened
    mapIndex = nil
  }

  /// Opens another map of the open package, counted from 0.
  ///
  /// - Throws: A problem if no package is open or the map cannot be opened.
  public func openMap(at index: Int) async throws(Problem) {
    let opened = try await package.map(at: index)
    await map?.editing.end()
    map = opened
    mapIndex = index
  }
}
