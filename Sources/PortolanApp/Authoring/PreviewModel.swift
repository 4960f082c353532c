public import Foundation
public import Observation
internal import PortolanAuthoring
internal import PortolanFiles
internal import PortolanPackages

/// The package that a specification describes, made and opened again whenever its files change.
///
/// The map that is open stays if the package cannot be made.
@MainActor
@Observable
public final class PreviewModel {
  /// The state of the screen.
  public enum State: Hashable, Sendable, Codable {
    /// Nothing was made yet.
    case idle
    /// The package is being made.
    case making
    /// The package was made and is open; counts from 1 how often.
    case shown(AuthoringReport, revision: Int)
    /// The package could not be made; the open map stays.
    case failed(Problem)
  }

  /// The current state; observe this.
  public private(set) var state = State.idle

  /// The specification.
  public let specification: URL

  /// The package as it was made last; it goes when the next one is open.
  @ObservationIgnored private(set) var package: URL?
  @ObservationIgnored private let folder: URL
  @ObservationIgnored private let app: AppModel
  @ObservationIgnored private var files: [URL]
  @ObservationIgnored private var seen: [FileStatus?] = []
  @ObservationIgnored private var revision = 0

  /// Creates the screen; nothing is made until ``refresh()``.
  ///
  /// - Parameters:
  ///   - specification: The specification.
  ///   - folder: The folder for the packages that are made.
  ///   - app: Where they are opened.
  public init(of specification: URL, in folder: URL, app: AppModel) {
    self.specification = specification
    self.folder = folder
    self.app = app
    files = [specification]
  }

  /// Makes the package and opens it, if one of its files has changed since it was made last.
  public func refresh() async {
    let now = files.map(Self.status)
    guard now != seen else { return }
    seen = now
    state = .making
    do throws(Problem) {
      let (result, package) = try await make()
      try await show(package)
      revision += 1
      state = .shown(AuthoringReport(result), revision: revision)
    } catch {
      state = .failed(error)
    }
  }

  /// Looks whether something has changed, again and again, until the task is cancelled.
  ///
  /// - Parameters:
  ///   - interval: How long it waits between two looks.
  ///   - clock: Measures that.
  public func follow(every interval: Duration = .seconds(1), clock: any Clock<Duration>) async {
    while !Task.isCancelled {
      await refresh()
      do { try await clock.sleep(for: interval) } catch { return }
    }
  }

  /// Writes the package, as it was made last, into a file that is not there yet.
  ///
  /// - Parameter url: The file.
  /// - Throws: A problem if none was made yet, or the file cannot be written; then nothing is there.
  public func save(to url: URL) async throws(Problem) {
    guard let package else {
      throw Problem(
        message: "The package has not been made yet.",
        suggestion: "Correct what is wrong with its specification first.", kind: .absence)
    }
    do {
      guard !FileSystem.live.exists(url) else {
        throw FileError.alreadyExists(file: url.path(percentEncoded: false))
      }
      // Opened at once: the next package may take its place meanwhile, and this one goes then.
      try await Self.copy(RegularFile(at: package), to: url)
    } catch {
      throw Problem(error)
    }
  }

  @concurrent private nonisolated static func copy(
    _ file: consuming RegularFile, to url: URL
  ) async throws {
    try file.writeCopy(to: url)
  }

  private func make() async throws(Problem) -> (AuthoringResult, URL) {
    // Each has a file of its own, since the one before is open.
    let package = folder.appending(path: "\(revision + 1).mmpk")
    do {
      let specification = try await Self.read(specification)
      follow(specification.files)
      return (
        try await PackageAuthor(
          specification, drawing: app.package.drawing, checksBackdrops: false
        ).write(to: package, replacing: true), package
      )
    } catch {
      throw Problem(error)
    }
  }

  /// Takes the files that were not known before into account, before they are read: one that is
  /// missing may appear, and one that changes while the package is made has changed since.
  private func follow(_ files: [URL]) {
    let known = Dictionary(zip(self.files, seen)) { first, _ in first }
    seen = files.map { known[$0] ?? Self.status(of: $0) }
    self.files = files
  }

  @concurrent private static func read(_ url: URL) async throws -> PackageSpecification {
    try PackageSpecification(unchecked: url)
  }

  /// Opens a package at the map and the place that were shown before.
  private func show(_ package: URL) async throws(Problem) {
    let (index, frame, name) = (app.mapIndex ?? 0, app.map?.state.frame, app.map?.map.name)
    let before = app.package.contents?.url
    do throws(Problem) { try await app.open(package, map: index) } catch {
      guard index > 0 else { throw error }
      // The map may have been taken out of the specification.
      try await app.open(package)
    }
    if let frame, app.map?.map.name == name { app.map?.show(frame) }
    self.package = package
    guard let before, before.deletingLastPathComponent() == folder else { return }
    // The system removes what stays in a temporary folder.
    try? FileManager.default.removeItem(at: before)
  }

  private static func status(of url: URL) -> FileStatus? {
    // A file that cannot be looked at counts as absent; making the package says more.
    try? FileStatus(at: url, links: .followed)
  }
}
