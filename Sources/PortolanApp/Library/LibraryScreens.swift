public import Observation
public import PortolanJobs
internal import PortolanLibrary
internal import PortolanLocks
public import PortolanPortal
public import PortolanTransport

/// The screens of what is on this device, made when they are first requested.
@MainActor
@Observable
public final class LibraryScreens {
  /// The list of maps, once it was requested.
  public private(set) var mapList: MapListModel?
  /// The list of jobs, once it was requested.
  public private(set) var jobList: JobListModel?
  /// The storage screen, once it was requested.
  public private(set) var storageScreen: StorageModel?
  /// The folder whose packages are offered, while one is watched.
  public internal(set) var watchedFolder: WatchedFolderModel?

  @ObservationIgnored private let opener: any LibraryOpening
  @ObservationIgnored private let portals: any PortalConnecting
  @ObservationIgnored private let monitor: any NetworkMonitor
  @ObservationIgnored private let documents: (any DocumentCache)?
  @ObservationIgnored private let backgroundSync: @MainActor () -> BackgroundSync
  @ObservationIgnored private let whenWaiting = Locked<@Sendable (String) -> Void>({ _ in })
  @ObservationIgnored private var opening: Task<Result<HomeLibrary, Problem>, Never>?
  @ObservationIgnored private var opened: HomeLibrary?
  /// The streams to tasks that work on the library once it is open.
  @ObservationIgnored private var workers: [Int: AsyncStream<HomeLibrary>.Continuation] = [:]
  @ObservationIgnored private var lastWorker = 0

  /// The time to wait for servers that do not answer anyone.
  private static let patience = Duration.seconds(5)

  /// Creates the screens; no file is touched until one is requested.
  ///
  /// - Parameters:
  ///   - opener: Opens what is stored.
  ///   - portals: Connects to portals.
  ///   - monitor: Whether there is a network.
  ///   - documents: What keeps the descriptions of web maps that were browsed; nothing if `nil`.
  ///   - backgroundSync: When maps are synchronized without anyone asking, asked each time that the
  ///     network changes.
  public init(
    opener: any LibraryOpening, portals: any PortalConnecting, monitor: any NetworkMonitor,
    documents: (any DocumentCache)? = nil,
    backgroundSync: @escaping @MainActor () -> BackgroundSync = { .off }
  ) {
    self.backgroundSync = backgroundSync
    self.documents = documents
    self.opener = opener
    self.portals = portals
    self.monitor = monitor
  }

  /// Whether anything was ever kept in this home.
  public var exists: Bool { opener.exists }

  /// Sets the handler that is called when another process keeps what is stored here from being
  /// changed.
  ///
  /// - Parameter tell: Called with a sentence about it when it takes longer than a second.
  public func reportWaits(_ tell: @escaping @Sendable (String) -> Void) {
    whenWaiting.withLock { $0 = tell }
  }

  /// The list of maps.
  ///
  /// - Throws: A problem if the library cannot be opened.
  public func maps() async throws(Problem) -> MapListModel {
    maps(of: try await library())
  }

  /// The list of jobs.
  ///
  /// - Throws: A problem if the library cannot be opened.
  public func jobs() async throws(Problem) -> JobListModel {
    jobs(of: try await library())
  }

  /// The screen of stored data and their audits.
  ///
  /// - Throws: A problem if the library cannot be opened.
  public func storage() async throws(Problem) -> StorageModel {
    let library = try await library()
    if let storageScreen { return storageScreen }
    let model = StorageModel(library: library)
    storageScreen = model
    return model
  }

  /// The screen on which areas of web maps are taken offline.
  ///
  /// - Throws: A problem if the library cannot be opened.
  public func offlineMaps() async throws(Problem) -> OfflineMapModel {
    OfflineMapModel(library: try await library(), portals: portals)
  }

  /// The model for the capabilities and requirements of areas of web maps, for which no stored map
  /// is needed: without any where the library cannot be opened.
  ///
  /// - Throws: A problem if the library cannot be opened, and there is no empty one.
  public func offlineQuestions() async throws(Problem) -> OfflineMapModel {
    do { return try await offlineMaps() } catch {
      guard !Task.isCancelled, let library = opener.makeEmpty() else { throw error }
      return OfflineMapModel(library: library, portals: portals)
    }
  }

  /// The screen on which stored maps are synchronized with their services.
  ///
  /// - Throws: A problem if the library cannot be opened.
  public func sync() async throws(Problem) -> SyncModel {
    SyncModel(library: try await library(), portals: portals)
  }

  /// The damage to the catalogue that keeps the other screens from opening; `nil` if there is none.
  public func catalogueDamage() async -> StorageModel.Finding? {
    await opener.damage().map {
      StorageModel.Finding(kind: .damagedCatalogue, sentence: $0.sentence, repair: $0.repair)
    }
  }

  /// Puts a damaged catalogue aside, and lists the maps that are there.
  ///
  /// - Throws: A problem if that is not possible.
  public func rebuildCatalogue() async throws(Problem) {
    do { try await opener.rebuild() } catch { throw Problem(error) }
    // If this opens the library for the first time, it has looked already.
    try await Self.lookForMaps(of: try await library())
  }

  /// Puts maps on the list that are there, where the catalogue was made when there were maps already.
  private static func lookForMaps(of library: HomeLibrary) async throws(Problem) {
    guard library.readOnlyReason == nil else { return }
    let mayLackMaps: Bool
    do { mayLackMaps = try await library.storage.mayLackMaps() } catch { throw Problem(error) }
    if mayLackMaps { try await library.listFoundMaps() }
  }

  /// Works on the jobs and keeps the lists as things are, until the task is cancelled.
  ///
  /// It may be called again after that, as by an app that returns to the foreground. A home without
  /// a library stays without one until a screen is requested.
  ///
  /// - Parameters:
  ///   - readsContents: Whether what the packages of stored maps hold is read as well, for a list that
  ///     shows it.
  ///   - report: Called with the jobs once they are known, then after each change.
  public func run(
    readingContents readsContents: Bool = false,
    _ report: @escaping @MainActor @Sendable ([Job]) -> Void = { _ in }
  ) async {
    if opener.exists {
      // Requesting a screen reports why the library does not open.
      _ = try? await library()
    }
    for await library in libraries() { await work(on: library, readsContents, report) }
  }

  /// The library, as soon as it is open.
  private func libraries() -> AsyncStream<HomeLibrary> {
    let (libraries, continuation) = AsyncStream<HomeLibrary>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    lastWorker += 1
    let worker = lastWorker
    workers[worker] = continuation
    continuation.onTermination = { [weak self] _ in
      Task { @MainActor in self?.workers[worker] = nil }
    }
    if let opened { continuation.yield(opened) }
    return libraries
  }

  /// Lets jobs continue that wait for a sign-in.
  public func userHasSignedIn() async {
    guard case .success(let library)? = await opening?.value else { return }
    await library.queue.conditionsHaveChanged(.signIn)
  }

  /// Tells servers what they do not need to keep or to do any more, as far as they answer within seconds.
  ///
  /// For those who do not ``run(readingContents:_:)``; what is not delivered is delivered the next
  /// time.
  public func deliverMessages() async {
    guard case .success(let library)? = await opening?.value, library.readOnlyReason == nil else {
      return
    }
    await library.queue.deliverMessages(within: Self.patience)
  }

  /// Lets jobs continue that wait until a map is no longer being edited.
  func mapIsNoLongerEdited() async {
    guard case .success(let library)? = await opening?.value else { return }
    await library.queue.conditionsHaveChanged(.editing)
  }

  /// Synchronizes the stored maps whenever a network comes that they may be synchronized on.
  private func synchronizeInBackground(_ library: HomeLibrary) async {
    var before: NetworkStatus?
    for await status in monitor.updates() {
      if let before, backgroundSync().begins(from: before, to: status) {
        await SyncModel(library: library, portals: portals).startAll()
      }
      before = status
    }
  }

  private func work(
    on library: HomeLibrary, _ readsContents: Bool,
    _ report: @escaping @MainActor @Sendable ([Job]) -> Void
  ) async {
    let (maps, jobs) = (maps(of: library), jobs(of: library))
    await withDiscardingTaskGroup { group in
      // Nothing can be downloaded into a home that can only be read.
      if library.readOnlyReason == nil {
        group.addTask { await jobs.run() }
        group.addTask { await self.synchronizeInBackground(library) }
      }
      group.addTask { await jobs.follow(report) }
      group.addTask { await maps.follow() }
      if readsContents { group.addTask { await maps.followContents() } }
    }
  }

  private func maps(of library: HomeLibrary) -> MapListModel {
    if let mapList { return mapList }
    let model = MapListModel(
      library: library, portals: portals, monitor: monitor, documents: documents)
    mapList = model
    return model
  }

  private func jobs(of library: HomeLibrary) -> JobListModel {
    if let jobList { return jobList }
    let model = JobListModel(queue: library.queue, journal: library.storage)
    jobList = model
    return model
  }

  private func library() async throws(Problem) -> HomeLibrary {
    let task =
      opening
      ?? Task { [opener, whenWaiting] in
        await Self.open(opener) { notice in whenWaiting.withLock { $0 }(notice.sentence) }
      }
    opening = task
    switch await task.value {
    case .success(let library):
      guard opened == nil else { return library }
      opened = library
      for worker in workers.values { worker.yield(library) }
      return library
    case .failure(let problem):
      // The next who asks finds out whether it has been repaired; another may have asked again already.
      if opening == task { opening = nil }
      throw problem
    }
  }

  private static func open(
    _ opener: any LibraryOpening, tell: @escaping @Sendable (HomeLockNotice) -> Void
  ) async -> Result<HomeLibrary, Problem> {
    do throws(LibraryError) {
      let library = try await opener.open(tell: tell)
      try await library.maps.recoverUnlessBusy()
      do throws(Problem) { try await lookForMaps(of: library) } catch { return .failure(error) }
      guard library.readOnlyReason == nil else {
        // Maps can be opened, whatever jobs there were.
        try? await library.queue.list()
        return .success(library)
      }
      do throws(JobError) { try await library.queue.restore() } catch {
        // Maps can be opened, and deleted to make space. The worker of the jobs reads them again;
        // that they cannot be read at all is reported.
        do throws(JobError) { try await library.queue.list() } catch {
          return .failure(Problem(error))
        }
      }
      return .success(library)
    } catch {
      return .failure(Problem(error))
    }
  }
}
