internal import Foundation
internal import PortolanFiles
internal import PortolanGeodatabase
internal import PortolanJSON
internal import PortolanJobs
internal import PortolanLibrary
internal import PortolanMap
internal import PortolanPortal
internal import PortolanTransport

/// One run of the making of an offline map.
struct OnDemandRun {
  /// In how many runs a part is tried that a server does not give for the moment.
  private static let mostRuns = 3
  /// The most bytes of a picture in the documents of the map.
  private static let largestPicture = 1 << 20
  /// The least free space to begin with.
  private static let leastSpace = 16 << 20

  let order: GenerateOfflineMapJobParameters
  let job: Job
  let reporter: JobReporter
  let environment: OfflineEnvironment

  private var parameters: GenerateOfflineMapParameters { order.parameters }
  private var library: MapLibrary { environment.library }
  private var folder: URL { library.layout.staging(job.id.text) }

  func run() async throws -> JobOutcome {
    let book = OnDemandBook(job, reporter)
    do { return try await work(book) } catch {
      let interruption = JobInterruption(error)
      if case .failed(let failure) = interruption, isTheEnd(failure) { try await clearUp(book) }
      throw interruption
    }
  }

  /// Whether the job does not continue by itself after a failure.
  private func isTheEnd(_ failure: JobFailure) -> Bool {
    failure.kind != .transient || JobRetryPolicy.standard.pause(after: job.attempts + 1) == nil
  }

  /// Gives up what services were asked for, since the job has failed; tiles that have arrived stay, as does what
  /// was taken over from the version before: no service was asked for it, and it may be the last copy of edits.
  private func clearUp(_ book: OnDemandBook) async throws {
    // Where the folder has taken its place already, the map needs what the services have made.
    guard FileSystem.live.exists(folder) else { return }
    for (part, serverJob) in await book.checkpoint.serverJobs {
      try await release(serverJob)
      try await book.set(nil, for: part)
    }
    let data = folder.appending(path: AreaDocuments.dataFolder)
    // A folder that is not there holds no replicas.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: data.plainPath)) ?? []
    for name in names where name.hasPrefix("replica_") {
      let file = data.appending(path: name)
      if !library.layout.isCarried(file) { try FileManager.default.removeItem(at: file) }
    }
  }

  private func work(_ book: OnDemandBook) async throws -> JobOutcome {
    try parameters.check()
    try order.overrides?.check()
    guard let id = MapID(parameters.mapID) else { throw OfflineMapError.badParameters }
    let reference = try parameters.referenceBasemap()
    let checkpoint = OnDemandCheckpoint(of: job)
    if try await checkpoint.isStored(id, by: job, in: library) {
      return JobOutcome(failedItems: checkpoint.failedItems)
    }
    if try await checkpoint.isTakenBack(id, by: job, in: library) { try await book.startAnew() }
    try await reference?.check(environment)
    let portal = try await environment.connect(parameters.portal)
    let sources = try await MapSources.load(PortalItem.ID(parameters.webMap), from: portal)
    let plan = OnDemandPlan(sources, parameters, order.overrides)
    guard plan.parts.isEmpty == false || plan.fates.contains(.embedded) else {
      throw OfflineMapError.nothingToTake(map: sources.item.title)
    }
    try await prepare(id)
    try await reference?.copy(
      into: folder.appending(path: AreaDocuments.dataFolder), check: environment.check)
    let failed = try await bring(plan, from: portal, book)
    let styles = try await storeStyles(of: plan, from: portal)
    let picture = try await picture(of: sources.item, from: portal)
    return try await install(
      plan, id, book, reference, picture, styles.folders, failed + styles.missing)
  }

  /// The picture of the map: the one that was given, else that of its item.
  private func picture(of item: PortalItem, from portal: Portal) async throws -> Data? {
    if let picture = parameters.itemInfo.thumbnail { return picture }
    do {
      let picture = try await portal.thumbnail(of: item)
      return picture.flatMap { $0.count <= Self.largestPicture ? $0 : nil }
    } catch PortalError.cancelled {
      throw PortalError.cancelled
    } catch {
      // A map is as good without a picture.
      return nil
    }
  }

  /// Makes the folder, with the files of a stored version of the map.
  private func prepare(_ id: MapID) async throws {
    try await library.requirePlace(for: id, .folder)
    if let free = environment.surroundings.freeSpace(library.layout.home), free < Self.leastSpace {
      throw JobInterruption.waiting(.space(missing: Self.leastSpace - free))
    }
    try await library.reuse(id, in: job.id.text)
    let data = folder.appending(path: AreaDocuments.dataFolder)
    do {
      try FileManager.default.createDirectory(
        at: data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw LibraryError(writing: data, error)
    }
    try await environment.noteBeginning(in: folder)
  }

  // MARK: - Parts

  /// Asks for all parts, then waits for one after the other.
  private func bring(
    _ plan: OnDemandPlan, from portal: Portal, _ book: OnDemandBook
  ) async throws -> [JobFailedItem] {
    var ledger = OnDemandLedger(job, continuesOnErrors: parameters.continuesOnErrors)
    try ledger.add(plan)
    for item in ledger.items { await reporter.message(item.sentence) }
    var waiting: [PartWork] = []
    var done = 0
    for part in plan.parts {
      let work = PartWork(
        part: part, features: plan.sources.features[part.serviceName],
        tiles: plan.sources.tiles[part.serviceName],
        client: portal.client, book: book, job: job, environment: environment,
        portal: parameters.portal)
      try await work.unregisterOther()
      if try await work.isThere() {
        done += 1
        continue
      }
      if try await attempt(work, &ledger, { try await work.submit() }) { waiting.append(work) }
    }
    await report(done, of: plan)
    for work in waiting where try await attempt(work, &ledger, { try await work.finish() }) {
      done += 1
      await reporter.message("\(work.part.title) is here.")
      await report(done, of: plan)
    }
    if let failure = ledger.worthAnotherRun { throw JobInterruption.failed(failure) }
    guard done > 0 || plan.parts.isEmpty else {
      throw JobInterruption.failed(
        // What was left out by its nature is not why nothing else has come.
        (ledger.items.first(where: \.isFailure) ?? ledger.items.first)?.failure
          ?? JobFailure(OfflineMapError.nothingToTake(map: job.title), kind: .absent))
    }
    try await unregisterFailed(of: plan, ledger, book)
    try await forgetCopies(of: plan, book)
    for (id, shapes) in await book.checkpoint.unreadableShapes ?? [:] {
      guard let part = plan.parts.first(where: { $0.id == id }) else { continue }
      ledger.add(part, unreadableShapes: shapes)
    }
    return ledger.items
  }

  private func attempt(
    _ work: PartWork, _ ledger: inout OnDemandLedger, _ step: () async throws -> Void
  ) async throws -> Bool {
    do {
      try await step()
      return true
    } catch {
      let failure = try ledger.add(work.part, error)
      await reporter.message(ledger.items.last?.sentence ?? failure.message, .warning)
      return false
    }
  }

  /// Gives up what services were asked for in vain, also where their answers never came, and what the
  /// map has no place for any more, with the files that came of it.
  private func unregisterFailed(
    of plan: OnDemandPlan, _ ledger: OnDemandLedger, _ book: OnDemandBook
  ) async throws {
    let needed = Set(plan.parts.map(\.id)).subtracting(ledger.failedParts)
    for (part, serverJob) in await book.checkpoint.serverJobs where !needed.contains(part) {
      try await release(serverJob)
      try await book.set(nil, for: part)
    }
    let known = Set(plan.parts.map(\.id))
    for (part, question) in await book.checkpoint.questions ?? [:] where !known.contains(part) {
      try await PartWork.discard(folder.appending(path: question.path))
      try await book.note(nil, for: part)
    }
  }

  /// Unregisters the replicas that services keep although they are not to be synchronized,
  /// and lets the files forget them.
  private func forgetCopies(of plan: OnDemandPlan, _ book: OnDemandBook) async throws {
    for part in plan.parts {
      let service = plan.sources.features[part.serviceName]?.info.json["syncCapabilities"]
      guard case .replica(let options) = part.work, options.isRegistered(byServiceWith: service),
        let serverJob = await book.serverJob(of: part.id)
      else { continue }
      try await release(serverJob)
      let file = folder.appending(path: part.path)
      try await OfflineMapSyncTask.using(file, environment.surroundings) { store in
        guard try await store.syncState()?.isRegistered == true else { return }
        try await store.setReplica(.unregistered, named: "")
      }
      try await book.set(nil, for: part.id)
    }
  }

  private func release(_ serverJob: OnDemandCheckpoint.ServerJob) async throws {
    try await environment.release(serverJob, of: job, portal: parameters.portal)
  }

  private func report(_ done: Int, of plan: OnDemandPlan) async {
    await reporter.progress(
      JobProgress(
        bytes: library.layout.byteCount(ofStaged: job.id.text), items: done,
        totalItems: plan.parts.count))
  }

  // MARK: - Afterwards

  /// Writes the documents, opens the whole, and lets it take its place.
  private func install(
    _ plan: OnDemandPlan, _ id: MapID, _ book: OnDemandBook, _ reference: ReferenceBasemap?,
    _ picture: Data?, _ styles: [Int: String], _ failed: [JobFailedItem]
  ) async throws -> JobOutcome {
    let present = plan.parts.filter {
      FileManager.default.fileExists(atPath: folder.appending(path: $0.path).plainPath)
    }
    // The beginnings of files that could not be fetched are no parts of the map.
    for part in plan.parts where !present.contains(where: { $0.id == part.id }) {
      try await FileDownload.discard(beside: folder.appending(path: part.path))
    }
    let documents = OnDemandDocuments(
      parameters: parameters, webMap: plan.sources.item, picture: picture,
      guid: environment.surroundings.makeID(), now: environment.surroundings.now())
    let map = plan.offlineMap(
      with: Set(present.map(\.id)), reference: reference, styles: styles)
    let written = try documents.documents(of: map)
    for (path, data) in written {
      do { try FileSystem.live.write(data, to: folder.appending(path: path)) } catch {
        throw LibraryError(error)
      }
    }
    _ = try await environment.check(folder)
    try await store(record(id, lacking: failed), written, of: plan, book, failed)
    await reporter.progress(
      JobProgress(
        items: present.count, totalItems: plan.parts.count,
        isVerified: !failed.contains(where: \.isFailure)))
    return JobOutcome(failedItems: failed)
  }

  /// Lets the map take its place; one that is stored already stays as it is, and so does the version
  /// before, as where a part was asked for again in vain.
  private func store(
    _ map: StoredMap, _ documents: [(path: String, data: Data)], of plan: OnDemandPlan,
    _ book: OnDemandBook, _ failed: [JobFailedItem]
  ) async throws {
    let stored = try await StoredArea(map.id, in: library)
    if try await stored?.equals(job.id.text, recordedAs: map, documents) == true {
      await reporter.message("Nothing has changed since the map was stored.")
      return try await library.removeStaged(job.id.text)
    }
    let before = try await library.storage.storedMap(map.id)?.version ?? 0
    try await book.willStore(after: before, failed)
    var homes: [String: String] = [:]
    for part in plan.parts { homes[part.path] = await book.serverJob(of: part.id)?.home }
    try await environment.store(folder, as: map, reporting: reporter, requestedIn: homes)
  }

  private func record(_ id: MapID, lacking failed: [JobFailedItem]) -> StoredMap {
    StoredMap(
      id: id, origin: .onDemandArea(webMap: parameters.webMap), form: .folder,
      title: parameters.itemInfo.title, summary: parameters.itemInfo.snippet,
      portal: parameters.portal, installed: environment.surroundings.now(),
      byteCount: library.layout.byteCount(ofStaged: job.id.text),
      omissions: failed.map(\.sentence))
  }
}

extension UUID {
  /// The id of a replica that no service knows.
  fileprivate static let unregistered = UUID(
    uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}

extension URL {
  var plainPath: String { path(percentEncoded: false) }
}
