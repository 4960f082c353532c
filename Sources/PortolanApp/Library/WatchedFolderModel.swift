public import Foundation
public import Observation
internal import PortolanFiles
internal import PortolanLibrary

/// A folder whose mobile map packages are offered for import as they appear.
///
/// Nothing in the folder is changed, and nothing is imported unless it is accepted.
@MainActor
@Observable
public final class WatchedFolderModel {
  /// A package that can be taken.
  public struct Offer: Hashable, Sendable, Codable, Identifiable {
    /// The path of the file or folder.
    public let id: String
    /// Its name.
    public let name: String
    /// The bytes in it.
    public let byteCount: Int
  }

  /// The state of the screen.
  public struct State: Hashable, Sendable, Codable {
    /// The packages that can be imported, by name.
    public var offers: [Offer] = []
    /// The reason why the folder cannot be read; `nil` if it can.
    public var problem: Problem?
  }

  /// The size and date of an entry of the folder: while they change, it is still being written.
  private typealias Look = DeclinedPackages.Look

  /// The current state; observe this.
  public private(set) var state = State()

  /// The folder.
  public let folder: URL

  @ObservationIgnored private let maps: MapListModel
  @ObservationIgnored private var isLooking = false
  @ObservationIgnored private var looks: [String: Look] = [:]
  /// The entries that were declined, as they were at that time.
  @ObservationIgnored private var declined: [String: Look] = [:]
  /// The entries that the user has declined for good, in all runs; `nil` until they were read.
  @ObservationIgnored private var unwanted: [String: Look]?
  /// The entries that were offered and are still there, by id.
  @ObservationIgnored private var made: [String: Offer] = [:]

  /// Creates the screen; nothing is read until ``look()``.
  public init(folder: URL, maps: MapListModel) {
    self.folder = folder
    self.maps = maps
  }

  /// Looks into the folder once.
  ///
  /// Packages are offered that are not on the list of maps, and have not changed since the last look:
  /// until then they may still be being copied.
  public func look() async {
    // Two at a time would take a file for unchanged that one of them has only just seen.
    guard !isLooking else { return }
    isLooking = true
    defer { isLooking = false }
    if unwanted == nil { unwanted = await record.read(in: folder) }
    var seen: [String: Look] = [:]
    var offers: [Offer] = []
    do throws(Problem) {
      let entries = try await Self.entries(of: folder)
      for source in entries.compactMap(\.source) {
        let path = source.url.path(percentEncoded: false)
        let look = Look(byteCount: source.byteCount, modified: source.modified)
        seen[path] = look
        guard looks[path] == look, declined[path] != look, unwanted?[path] != look,
          !maps.holds(source)
        else { continue }
        let offer = Offer(id: path, name: source.name, byteCount: source.byteCount)
        made[path] = offer
        offers.append(offer)
      }
      looks = seen
      // Entries that are gone are forgotten: a folder may be watched for weeks.
      let paths = Set(entries.map { $0.url.path(percentEncoded: false) })
      made = made.filter { paths.contains($0.key) }
      declined = declined.filter { paths.contains($0.key) }
      unwanted = unwanted?.filter { paths.contains($0.key) }
      state = State(offers: offers)
    } catch {
      state = State(problem: error)
    }
  }

  /// Looks into the folder again and again, until the task is cancelled.
  ///
  /// - Parameters:
  ///   - interval: How long it waits between two looks.
  ///   - clock: Measures that.
  public func watch(every interval: Duration = .seconds(2), clock: any Clock<Duration>) async {
    while !Task.isCancelled {
      await look()
      do { try await clock.sleep(for: interval) } catch { return }
    }
  }

  /// The entry that was offered under an id, also if it was taken or declined since.
  ///
  /// - Throws: A problem if nothing was, or it is gone.
  public func offer(_ id: String) throws(Problem) -> Offer {
    guard let offer = made[id] else {
      throw Problem(
        message: "The package is not offered.", suggestion: "Choose one of those that are listed.",
        kind: .absence)
    }
    return offer
  }

  /// Copies a package into the list of maps.
  ///
  /// - Parameters:
  ///   - offer: What was offered.
  ///   - policy: What to do where a package of that name is there already.
  /// - Returns: The outcome.
  /// - Throws: A problem that says what is wrong with it; it is not offered again until it changes,
  ///   unless there was no room for it or the task was cancelled.
  @discardableResult
  public func take(
    _ offer: Offer, onConflict policy: ImportConflictPolicy = .skip
  ) async throws(Problem) -> PackageImport {
    let before = declined[offer.id]
    leaveOut(offer)
    do throws(Problem) {
      return try await maps.importPackage(URL(filePath: offer.id), onConflict: policy)
    } catch {
      // Nothing is wrong with the package then: it is offered as it was before.
      if error.code == .diskFull || error.kind == .cancellation { declined[offer.id] = before }
      throw error
    }
  }

  /// Offers a package no longer, until it changes, also after the next start.
  public func decline(_ offer: Offer) async {
    let look = looks[offer.id]
    leaveOut(offer)
    // A package that is gone by now is not there to be offered again.
    guard let look else { return }
    unwanted = (unwanted ?? [:]).merging([offer.id: look]) { $1 }
    await record.add(offer.id, look, in: folder)
  }

  private func leaveOut(_ offer: Offer) {
    declined[offer.id] = looks[offer.id]
    state.offers.removeAll { $0.id == offer.id }
  }

  private var record: DeclinedPackages { DeclinedPackages(of: maps.library.maps.layout) }

  // MARK: - The folder

  /// An entry of the folder that can be a package.
  private struct Entry: Sendable {
    let url: URL
    /// The entry, by its size and date; `nil` if it is gone by now.
    let source: PackageSource?
  }

  /// The entries that can be packages, by name.
  ///
  /// Not on the main actor: of folders all files are looked at, and a disk may be slow.
  @concurrent
  private nonisolated static func entries(of folder: URL) async throws(Problem) -> [Entry] {
    // A file that is listed as a folder is an empty one, and what cannot be looked at is none.
    guard (try? FileStatus(at: folder, links: .followed))?.kind == .folder else {
      throw unreadable(folder)
    }
    do {
      return try FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles
      ).filter { url in
        url.pathExtension.lowercased() == "mmpk" || isUnpackedPackage(url)
      }.sorted { $0.lastPathComponent < $1.lastPathComponent }
        // A package that is gone by now is not offered.
        .map { Entry(url: $0, source: try? PackageSource($0)) }
    } catch {
      throw unreadable(folder)
    }
  }

  private nonisolated static func unreadable(_ folder: URL) -> Problem {
    Problem(
      message: "\(folder.path(percentEncoded: false)) cannot be read.",
      suggestion: "Check that the folder exists and that you may read it.", kind: .absence)
  }

  /// Whether a folder has what the archive of a package has at its top.
  private nonisolated static func isUnpackedPackage(_ url: URL) -> Bool {
    // A file that is no folder, or cannot be read, is no package.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    return names.contains { $0.lowercased().hasSuffix(".info") }
  }
}
