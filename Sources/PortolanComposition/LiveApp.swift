public import Foundation
public import PortolanApp
public import PortolanPackages
internal import PortolanPortal
internal import PortolanSearch

/// The app as it runs for people: real files, the real clock, a home folder.
@MainActor
public struct LiveApp {
  /// The home folder.
  public let home: HomeFolder

  private let timeZone: TimeZone?
  private let locale: Locale?
  private let drawing: (any MapDrawing)?

  /// Creates an app that keeps what it stores in `home`.
  ///
  /// What is not given here is that of the surroundings of the account, else that of this machine.
  ///
  /// - Parameters:
  ///   - home: The home folder.
  ///   - timeZone: The time zone of dates in maps that name none.
  ///   - locale: The locale of dates and numbers; by default that of documents.
  ///   - drawing: Draws maps.
  public init(
    home: HomeFolder, timeZone: TimeZone? = nil, locale: Locale? = nil,
    drawing: (any MapDrawing)? = nil
  ) {
    self.home = home
    self.drawing = drawing
    self.timeZone = timeZone
    self.locale = locale
  }

  /// A model with nothing open, whose portal and whose stored maps are those of `account`.
  public func model(for account: LiveAccount? = nil) -> AppModel {
    let surroundings = account?.surroundings
    return AppModel(
      opener: FilePackageOpener(home: home), portal: account?.portal, library: account?.library,
      tiles: account?.tiles,
      summaryCache: summaryCache, indexes: LocatorIndexes(in: home.url.appending(path: "search")),
      uploads: uploads, bookmarks: bookmarks,
      timeZone: timeZone ?? surroundings?.timeZone ?? .current,
      locale: locale ?? surroundings?.locale,
      drawing: drawing ?? surroundings?.drawing ?? NoDrawing(),
      clock: surroundings?.clock ?? ContinuousClock())
  }

  /// Keeps interrupted uploads.
  private var uploads: any UploadLedger {
    let folder = home.url.appending(path: "uploads", directoryHint: .isDirectory)
    return UploadLedgerFolder(in: folder) { [home] in
      try home.create()
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
  }

  /// Keeps the user's own bookmarks of maps.
  private var bookmarks: any BookmarkStore {
    let folder = home.url.appending(path: "bookmarks", directoryHint: .isDirectory)
    return FileBookmarkStore(in: folder) { [home] in
      try home.create()
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
  }

  /// Caches the summaries of packages in folders.
  private var summaryCache: any PackageSummaryCache {
    let folder = home.url.appending(path: "folders", directoryHint: .isDirectory)
    return PackageSummaryCacheFile(in: folder) { [home] in
      try home.create()
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
  }
}

extension FilePackageOpener {
  /// Opens packages with the real clock; compressed parts are decompressed into the home folder.
  init(home: HomeFolder) {
    self.init(unpackingInto: home.url.appending(path: "unpacked"))
  }
}
