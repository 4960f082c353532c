public import PortolanJobs
public import PortolanLibrary
public import PortolanOffline
public import PortolanPackages

/// The parts of an open library: downloads, jobs, audits, and the opening and drawing of stored
/// maps.
public struct HomeLibrary: Sendable {
  /// The outer world of downloads, the stored maps among it.
  public let offline: OfflineEnvironment
  /// The jobs.
  public let queue: JobQueue
  /// Compares what is recorded with what is there.
  public let audit: LibraryAudit
  /// Opens stored maps.
  public let packages: any PackageOpening
  /// Draws the thumbnails of maps that have none.
  public let drawing: any MapDrawing

  /// Puts the parts together.
  public init(
    offline: OfflineEnvironment, queue: JobQueue, audit: LibraryAudit,
    packages: any PackageOpening, drawing: any MapDrawing = NoDrawing()
  ) {
    self.offline = offline
    self.queue = queue
    self.audit = audit
    self.packages = packages
    self.drawing = drawing
  }

  /// The stored maps.
  public var maps: MapLibrary { offline.library }

  /// The reason why nothing can be changed, so that maps can only be opened; `nil` if all can be.
  public var readOnlyReason: String? { storage.readOnlyReason }

  /// The catalogue.
  public var storage: any MapStorage { maps.storage }
}

/// Opens the library of a home; nothing is written before it is needed.
public protocol LibraryOpening: Sendable {
  /// Whether there is a library already.
  var exists: Bool { get }

  /// Opens the library, or makes an empty one.
  ///
  /// - Parameter tell: Called when another process keeps what is stored from being changed.
  /// - Returns: The library.
  /// - Throws: `LibraryError` if the catalogue can be neither opened nor made.
  @concurrent func open(
    tell: @escaping @Sendable (HomeLockNotice) -> Void
  ) async throws(LibraryError) -> HomeLibrary

  /// A library without maps, of which nothing is written, for questions to portals and services where the
  /// catalogue does not open; `nil` if there is none.
  func makeEmpty() -> HomeLibrary?

  /// The damage to the catalogue that keeps the library from opening; `nil` if there is none.
  @concurrent func damage() async -> CatalogueDamage?

  /// Puts a damaged catalogue aside and makes a new one of what it still says.
  @concurrent func rebuild() async throws(LibraryError)
}

extension LibraryOpening {
  public func makeEmpty() -> HomeLibrary? { nil }
}
