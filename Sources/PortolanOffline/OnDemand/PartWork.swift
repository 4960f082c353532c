internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanJobs
internal import PortolanLibrary
internal import PortolanPortal
internal import PortolanTransport

/// Fetches one file of an offline map: requests it from the service, waits, downloads it.
struct PartWork {
  let part: OnDemandPart
  /// The metadata of a feature service; `nil` for services of tiles.
  let features: MapSources.Features?
  /// The metadata of a service of tiles; `nil` for feature services.
  let tiles: MapSources.Tiles?
  let client: RESTClient
  let book: OnDemandBook
  let job: Job
  let environment: OfflineEnvironment
  let portal: URL

  /// Where the file goes.
  var target: URL {
    environment.library.layout.staging(job.id.text).appending(path: part.path)
  }

  /// Whether the file is there, whole and sound.
  ///
  /// - Throws: What keeps it from being read now.
  func isThere() async throws -> Bool {
    guard FileManager.default.fileExists(atPath: target.path(percentEncoded: false)) else {
      return false
    }
    // Whatever its defect, it is fetched again.
    guard try await environment.damage(of: target) == nil else { return false }
    // The map may have had fewer layers then, or the process that fetched it died before it checked them.
    do { try await checkLayers() } catch OfflineMapError.damaged { return false }
    return true
  }

  // MARK: - Asking

  /// Asks the service, unless an earlier run has.
  func submit() async throws {
    let known = await book.serverJob(of: part.id)
    if let known, known.isSubmitted { return }
    try await book.note(try OnDemandCheckpoint.Question(part), for: part.id)
    switch part.work {
    case .query: return
    case .replica(let options): try await submit(options, before: known)
    case .tiles(let options):
      try await submitExport(
        options.areaOfInterest, options.levelIDs, quality: options.compressionQuality)
    case .vectorTiles(let options):
      try await submitExport(options.areaOfInterest, options.levelIDs, quality: nil)
    }
  }

  private func submit(
    _ options: GenerateGeodatabaseParameters, before: OnDemandCheckpoint.ServerJob?
  ) async throws {
    // A run before may have been heard although it heard no answer.
    if let before { try await release(before) }
    let number = try await book.nextSubmission()
    let home = try await environment.library.homeIdentity()
    var serverJob = OnDemandCheckpoint.ServerJob(address: part.address, home: home)
    // A home that was copied meanwhile has the same job, and both would give up what has the name.
    let name = "portolan_\(job.id.text)_\(part.address.digest(in: home))_\(number)"
    serverJob.replicaName = name
    try await book.set(serverJob, for: part.id)
    let capabilities = features?.info.json["syncCapabilities"]
    let request = ReplicaParameters(
      options: options.asked(ofServiceWith: capabilities), name: name,
      isAsynchronous: capabilities?["supportsAsync"]?.bool ?? false)
    let status: ReplicaJobStatus
    do { status = try await task.create(request) } catch {
      // Then there is nothing to unregister.
      if error.saysNothingWasMade { try await book.set(nil, for: part.id) }
      throw error
    }
    serverJob.statusURL = status.statusURL
    serverJob.replicaID = status.replicaID
    serverJob.resultURL = status.statusURL == nil ? status.resultURL : nil
    guard serverJob.isSubmitted else {
      throw OfflineMapError.serverJobFailed(service: part.title, reason: "the answer is empty")
    }
    try await book.set(serverJob, for: part.id)
  }

  private func submitExport(_ area: OfflineArea, _ levels: [Int], quality: Int?) async throws {
    // Without any, services export all that they have.
    guard !levels.isEmpty else {
      throw OfflineMapError.serverJobFailed(
        service: part.title, reason: "no levels of tiles are chosen")
    }
    if let refusal = limit(area, levels)?.refusal { throw refusal }
    let isVector = part.address.isVector
    let request = TileExportParameters(
      area: area, levels: levels, quality: quality, isVector: isVector,
      version: tiles?.info.currentVersion)
    let home = try await environment.library.homeIdentity()
    let status = try await exports.submit(request.form)
    var serverJob = OnDemandCheckpoint.ServerJob(address: part.address, home: home)
    serverJob.jobID = status.id
    try await book.set(serverJob, for: part.id)
  }

  /// Whether the service exports the tiles of an area, as estimates tell it.
  private func limit(_ area: OfflineArea, _ levels: [Int]) -> ExportLimit? {
    tiles.map { source in
      TileEstimate(
        part: part, source: source,
        options: ExportTileCacheParameters(areaOfInterest: area, levelIDs: levels), client: client,
        clock: environment.surroundings.clock
      ).limit
    }
  }

  // MARK: - Waiting

  /// Waits for the service and fetches the file.
  func finish() async throws {
    if case .query(let options) = part.work {
      return try await QueryGeodatabase(
        options: options, source: features, client: client, environment: environment
      ).write(to: target) { try await book.setUnreadable($0, for: part.id) }
    }
    guard var serverJob = await book.serverJob(of: part.id), serverJob.isSubmitted else {
      throw OfflineMapError.serverJobForgotten(service: part.title)
    }
    if serverJob.resultURL == nil {
      serverJob.resultURL = try await waitedFor(serverJob)
      try await book.set(serverJob, for: part.id)
    }
    guard let result = serverJob.resultURL else { return }
    do { try await fetch(result) } catch let error as OfflineMapError where error.isChange {
      // The replica may be of before or of after that: another one is requested.
      try FileManager.default.removeItem(at: target)
      try await release(serverJob)
      try await book.set(nil, for: part.id)
      throw error
    } catch let error as PortalError where error.saysGone {
      // Services keep what they have made for hours, and a job may be paused for longer.
      try await FileDownload.discard(beside: target)
      try await release(serverJob)
      try await book.set(nil, for: part.id)
      throw OfflineMapError.serverJobForgotten(service: part.title)
    }
    do { try await checkLayers() } catch {
      // A replica without its layers would be a part of the map that shows nothing.
      try FileManager.default.removeItem(at: target)
      throw error
    }
  }

  /// The layers that must be in the file; of those that are asked for by queries, the service has to tell
  /// what they are.
  private var dueLayerIDs: [Int] {
    switch part.work {
    case .replica: part.layerIDs
    case .query(let options):
      features.map { GeodatabaseRows(options: options, source: $0).layers.map(\.option.layerID) }
        ?? []
    case .tiles, .vectorTiles: []
    }
  }

  /// Finds layers that the service has left out of a replica, although it was asked for them, or that the map
  /// did not have when the file was made.
  private func checkLayers() async throws {
    let due = dueLayerIDs
    guard !due.isEmpty else { return }
    let there = Set(try await Geodatabase.open(at: target).schemas().compactMap(\.serviceLayerID))
    let names = due.filter { !there.contains($0) }.map { id in
      features?.layer(id)?.name ?? "\(id)"
    }
    guard names.isEmpty else {
      throw OfflineMapError.damaged(
        file: part.title, reason: "it lacks \(names.joined(separator: ", ")).")
    }
  }

  private func waitedFor(_ serverJob: OnDemandCheckpoint.ServerJob) async throws -> URL {
    do {
      if let status = serverJob.statusURL { return try await replicaFile(status) }
      return try await exportedFile(serverJob.jobID ?? "")
    } catch let error as PortalError where error.saysGone {
      // Services forget jobs after a while: then it is asked once more.
      try await release(serverJob)
      try await book.set(nil, for: part.id)
      throw OfflineMapError.serverJobForgotten(service: part.title)
    }
  }

  private func replicaFile(_ url: URL) async throws -> URL {
    let status = try await poll {
      try await task.status(at: url)
    } isOver: {
      $0.isFinal
    }
    // A replica of which the service says that something went wrong may lack anything.
    guard !status.hasErrors, let file = status.resultURL else {
      throw OfflineMapError.serverJobFailed(
        service: part.title, reason: status.failure ?? "the replica was not made")
    }
    return file
  }

  private func exportedFile(_ id: String) async throws -> URL {
    let status = try await poll {
      try await exports.status(of: id)
    } isOver: {
      $0.stage.isFinal
    }
    guard status.stage == .succeeded else {
      throw OfflineMapError.serverJobFailed(
        service: part.title,
        reason: status.failure?.message ?? "the export was \(status.stage.rawValue)")
    }
    var named = status
    if named.id.isEmpty { named.id = id }
    return try await exports.file(of: named)
  }

  /// Asks until something is over.
  private func poll<Status>(
    _ ask: () async throws -> Status, isOver: (Status) -> Bool
  ) async throws -> Status {
    let polling = ServerJobPolling(clock: environment.surroundings.clock)
    guard let last = try await polling.lastAnswer(ask, isOver: isOver) else {
      throw OfflineMapError.serverJobFailed(
        service: part.title, reason: "the service does not come to an end")
    }
    return last
  }

  // MARK: - Fetching

  private func fetch(_ url: URL) async throws {
    for attempt in 1...2 {
      try await client.download(url, to: target, environment.surroundings)
      try await convert()
      guard let damage = try await environment.damage(of: target) else { return }
      try FileManager.default.removeItem(at: target)
      guard attempt == 2 else { continue }
      throw OfflineMapError.damaged(
        file: part.title,
        reason: (damage as? any LocalizedError)?.errorDescription ?? "it cannot be opened.")
    }
  }

  /// Makes a geodatabase of a replica that has come as JSON.
  private func convert() async throws {
    guard case .replica(let options) = part.work, let features else { return }
    let tables = part.layerIDs.compactMap { id in
      features.layer(id).flatMap { layer in
        features.schema(of: id).map { features.table(layer, $0) }
      }
    }
    let copy: ReplicaJSON?
    do throws(OfflineMapError) {
      copy = try ReplicaJSON(readingFrom: target, options, features.service, tables)
    } catch {
      // It is examined as it is, and fetched again.
      guard case .damaged = error else { throw error }
      return
    }
    guard var copy else { return }
    try await features.checkUnchanged(part.layerIDs)
    copy.willLack = { [book, id = part.id] in try await book.setUnreadable($0, for: id) }
    let surroundings = environment.surroundings
    try await copy.write(to: target, now: surroundings.now(), makeID: surroundings.makeID)
  }

  private var task: ReplicaTask {
    ReplicaTask(service: FeatureService(url: part.url, client: client))
  }

  private var exports: TileExportTask { TileExportTask(url: part.url, client: client) }
}

extension ReplicaJobStatus {
  /// Why a job has not succeeded, in the words of the service, if it has any.
  fileprivate var failure: String? {
    let messages = (json["messages"]?.array ?? []).compactMap {
      $0["description"]?.string ?? $0.string
    }
    let words = [status, json["error"]?["message"]?.string] + messages.map(Optional.some)
    let text = words.compactMap(\.self).filter { !$0.isEmpty }
    return text.isEmpty ? nil : text.joined(separator: ": ")
  }
}

extension OnDemandPart {
  var serviceName: String { String(id.drop { $0 != ":" }.dropFirst()) }
}

extension OfflineMapError {
  /// Whether a service was changed meanwhile.
  fileprivate var isChange: Bool { if case .serviceChanged = self { true } else { false } }
}
