public import Foundation
internal import Observation

// A folder whose packages are offered on the list of maps.
extension LibraryScreens {
  /// Offers the packages of a folder, in place of those of the folder before.
  ///
  /// Packages that appear there later are offered while ``followWatchedFolder(clock:)`` runs.
  ///
  /// - Throws: A problem if the folder cannot be read, or the library cannot be opened.
  public func watch(_ folder: URL) async throws(Problem) {
    let maps = try await maps()
    try await maps.load()
    let model = WatchedFolderModel(folder: folder, maps: maps)
    await model.look()
    if let problem = model.state.problem { throw problem }
    watchedFolder = model
  }

  /// Offers packages of no folder any more.
  public func stopWatching() { watchedFolder = nil }

  /// Looks into the folder that is watched, whichever it is, until the task is cancelled.
  ///
  /// - Parameter clock: Measures how long it waits between two looks.
  public func followWatchedFolder(clock: any Clock<Duration>) async {
    var watching: Task<Void, Never>?
    for await folder in Observations({ self.watchedFolder }) {
      watching?.cancel()
      await watching?.value
      watching = folder.map { folder in Task { await folder.watch(clock: clock) } }
    }
    watching?.cancel()
    await watching?.value
  }
}
