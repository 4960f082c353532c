public import Foundation
public import PortolanJobs

/// A storage that lasts as long as the process.
public actor InMemoryMapStorage: MapStorage {
  private var maps: [MapID: StoredMap] = [:]
  private var lost: [MapID: StoredAreaOptions] = [:]
  private var kept: [MapID: [Int: MapVersion]] = [:]
  private var announced: [MapID: MapInstallation] = [:]
  private var use = DaysOfUse()
  private var known: [String: KnownMap] = [:]
  private var areas: [String: [KnownArea]] = [:]
  private var dates: [String: Date] = [:]
  private var pictures: [String: Data] = [:]
  private let journal = InMemoryJobJournal()
  private let outbox = InMemoryOutbox()
  private var broadcast = ChangeBroadcast()

  /// Nothing keeps it from being written.
  public nonisolated let readOnlyReason: String? = nil

  /// Creates an empty storage.
  public init() {}

  public func storedMaps() -> [StoredMap] {
    maps.values.sorted { ($0.title, $0.id.text) < ($1.title, $1.id.text) }
  }

  public func storedMap(_ id: MapID) -> StoredMap? { maps[id] }

  public func save(_ map: StoredMap) {
    maps[map.id] = map
    announced[map.id] = nil
    if map.deleted == nil { lost[map.id] = nil }
    broadcast.send(.storedMaps)
  }

  public func keepOptions(of map: StoredMap) {
    guard let options = map.options else { return }
    lost[map.id] = options
  }

  public func lostOptions(of id: MapID) -> StoredAreaOptions? { lost[id] }

  public func announce(_ installation: MapInstallation) {
    announced[installation.map.id] = installation
  }

  public func withdraw(_ installation: MapInstallation) { announced[installation.map.id] = nil }

  public func installations() -> [MapInstallation] {
    announced.values.sorted { $0.map.id.text < $1.map.id.text }
  }

  public func removeStoredMap(_ id: MapID) {
    maps[id] = nil
    kept[id] = nil
    pictures[id.text] = nil
    dates[id.text] = nil
    broadcast.send(.storedMaps)
  }

  public func versions(of id: MapID) -> [MapVersion] {
    (kept[id] ?? [:]).values.sorted { $0.number < $1.number }
  }

  public func earlierVersions() -> [MapVersion] {
    maps.values.filter { $0.deleted == nil }.sorted { $0.id.text < $1.id.text }.flatMap { map in
      versions(of: map.id).filter { $0.number != map.version }
    }
  }

  public func install(_ version: MapVersion, replacing previous: MapVersion?) {
    for var version in [previous, version].compactMap(\.self) {
      let known = kept[version.map.id]?[version.number]
      version.isEdited = version.isEdited || known?.isEdited == true
      kept[version.map.id, default: [:]][version.number] = version
    }
    save(version.map)
  }

  public func removeVersion(_ number: Int, of id: MapID) { kept[id]?[number] = nil }

  public func markEdited(_ number: Int, of id: MapID) { kept[id]?[number]?.isEdited = true }

  public func requireCatalogue() {}

  public func mayLackMaps() -> Bool { false }

  public func mapsWereLookedFor() {}

  public func recordUse(onDay day: Int) -> Int { use.record(day) }

  public func knownMaps() -> [KnownMap] {
    known.values.sorted { ($0.title, $0.id) < ($1.title, $1.id) }
  }

  public func save(_ map: KnownMap) {
    known[map.id] = map
    broadcast.send(.knownMaps)
  }

  public func removeKnownMap(_ id: String) {
    pictures[id] = nil
    for area in areas[id] ?? [] where !isStored(area.id) { pictures[area.id] = nil }
    known[id] = nil
    areas[id] = nil
    broadcast.send(.knownMaps)
  }

  public func knownAreas(of webMap: String) -> [KnownArea] {
    (areas[webMap] ?? []).sorted { ($0.title, $0.id) < ($1.title, $1.id) }
  }

  public func save(_ areas: [KnownArea], of webMap: String) {
    let kept = Set(areas.map(\.id))
    for gone in self.areas[webMap] ?? [] where !kept.contains(gone.id) && !isStored(gone.id) {
      pictures[gone.id] = nil
    }
    self.areas[webMap] = areas
    broadcast.send(.knownMaps)
  }

  public func packageDates() -> [String: Date] { dates }

  public func save(packageDate: Date?, of map: String) {
    dates[map] = packageDate
    broadcast.send(.knownMaps)
  }

  /// Whether a picture is that of a stored map too.
  private func isStored(_ id: String) -> Bool { MapID(id).map { maps[$0] != nil } ?? false }

  public func thumbnail(of id: String) -> Data? { pictures[id] }

  public func setThumbnail(_ data: Data?, of id: String) { pictures[id] = data }

  /// Nothing, for records are kept as they are.
  public func unreadableRecords() -> [String] { [] }

  public func changes() -> AsyncStream<MapStorageChange> {
    broadcast.listen { key in Task { await self.stopListening(key) } }
  }

  private func stopListening(_ key: UUID) { broadcast.remove(key) }
}

extension InMemoryMapStorage {
  public func add(_ job: Job) async throws(JobError) -> Job {
    let job = await journal.add(job)
    broadcast.send(.jobs)
    return job
  }

  public func record(_ job: Job, answering number: Int) async throws(JobError) {
    await journal.record(job, answering: number)
    broadcast.send(.jobs)
  }

  public func forget(_ id: JobID) async throws(JobError) {
    await journal.forget(id)
    broadcast.send(.jobs)
  }

  public func jobs() async throws(JobError) -> [Job] { await journal.jobs() }

  public func job(_ id: JobID) async throws(JobError) -> Job? { await journal.job(id) }

  public func setOrder(_ ids: [JobID]) async throws(JobError) {
    await journal.setOrder(ids)
    broadcast.send(.jobs)
  }

  public func post(_ intent: JobIntent, to id: JobID) async throws(JobError) -> JobRequest {
    await journal.post(intent, to: id)
  }

  public func requests() async throws(JobError) -> [JobRequest] { await journal.requests() }

  public func answerRequests(of id: JobID, at date: Date) async throws(JobError) -> Job? {
    let job = await journal.answerRequests(of: id, at: date)
    broadcast.send(.jobs)
    return job
  }

  public func revision() async throws(JobError) -> Int { await journal.revision() }

  public func append(_ message: JobMessage, to id: JobID) async throws(JobError) {
    await journal.append(message, to: id)
  }

  public func messages(of id: JobID) async throws(JobError) -> [JobMessage] {
    await journal.messages(of: id)
  }
}

extension InMemoryMapStorage {
  public func post(_ message: OutboxMessage) async throws(JobError) { await outbox.post(message) }

  public func outgoingMessages() async throws(JobError) -> [OutboxMessage] {
    await outbox.outgoingMessages()
  }

  public func update(_ message: OutboxMessage) async throws(JobError) {
    await outbox.update(message)
  }

  public func remove(delivered message: OutboxMessage) async throws(JobError) {
    await outbox.remove(delivered: message)
  }

  public func remove(_ id: OutboxMessage.ID) async throws(JobError) { await outbox.remove(id) }
}
