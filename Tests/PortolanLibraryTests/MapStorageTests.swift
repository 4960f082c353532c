import Foundation
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanJobs
@testable import PortolanLibrary

/// The contract of every storage.
@Suite(.temporaryDirectory) struct MapStorageTests {
  enum Kind: String, CaseIterable, Sendable {
    case memory, sqlite
  }

  private var file: URL { temporaryDirectory.appending(path: "library.sqlite") }

  private func storage(_ kind: Kind) async throws -> any MapStorage {
    switch kind {
    case .memory: InMemoryMapStorage()
    case .sqlite: try await SQLiteMapStorage.open(at: file)
    }
  }

  private static let day = Date(timeIntervalSince1970: 1_795_000_000)

  private static func map(_ id: String, _ title: String) throws -> StoredMap {
    StoredMap(
      id: try #require(MapID(id)), origin: .preplannedArea(webMap: "w", area: id), form: .folder,
      title: title, portal: URL(string: "https://portal.example"), installed: day,
      byteCount: 1_234, omissions: ["One tile is missing."],
      options: StoredAreaOptions(
        basemap: .file("mine.tpkx"), continuesOnErrors: false, updateMode: "noUpdates"))
  }

  private static func area(_ id: String, _ title: String) -> KnownArea {
    KnownArea(
      id: id, webMap: "w", title: title, status: .complete, byteCount: 5, modified: day,
      geometry: Data("{}".utf8), seen: day)
  }

  @Test(arguments: Kind.allCases)
  func `Saved maps are listed by title, each once`(_ kind: Kind) async throws {
    let storage = try await storage(kind)
    let maps = try [Self.map("b", "Beta"), Self.map("a", "Alpha"), Self.map("c", "Alpha")]
    for map in maps { try await storage.save(map) }
    var changed = maps[0]
    changed.title = "Gamma"
    changed.deleted = Self.day
    try await storage.save(changed)
    #expect(try await storage.storedMaps() == [maps[1], maps[2], changed])
    #expect(try await storage.storedMap(changed.id) == changed)
    try await storage.removeStoredMap(changed.id)
    #expect(try await storage.storedMap(changed.id) == nil)
  }

  @Test(arguments: Kind.allCases)
  func `Portals' statements about packages are kept until their maps are removed`(
    _ kind: Kind
  ) async throws {
    let storage = try await storage(kind)
    let map = try Self.map("a", "Alpha")
    try await storage.save(map)
    #expect(try await storage.packageDates() == [:])
    for (id, date) in [("a", Self.day - 5), ("a", Self.day), ("b", Self.day)] {
      try await storage.save(packageDate: date, of: id)
    }
    #expect(try await storage.packageDates() == ["a": Self.day, "b": Self.day])
    try await storage.save(packageDate: nil, of: "b")
    #expect(try await storage.packageDates() == ["a": Self.day])
    try await storage.removeStoredMap(map.id)
    #expect(try await storage.packageDates() == [:])
  }

  @Test(arguments: Kind.allCases)
  func `The download options of a lost map are known until it is stored again`(
    _ kind: Kind
  ) async throws {
    let storage = try await storage(kind)
    var map = try Self.map("a", "Alpha")
    try await storage.save(map)
    #expect(try await storage.lostOptions(of: map.id) == nil)
    try await storage.keepOptions(of: map)
    map.deleted = Self.day
    try await storage.save(map)
    try await storage.removeStoredMap(map.id)
    #expect(try await storage.lostOptions(of: map.id) == map.options)
    map.deleted = nil
    try await storage.save(map)
    #expect(try await storage.lostOptions(of: map.id) == nil)
  }

  @Test(arguments: Kind.allCases)
  func `A version marked as edited stays so when it is recorded again`(
    _ kind: Kind
  ) async throws {
    let storage = try await storage(kind)
    var map = try Self.map("a", "Alpha")
    map.version = 1
    try await storage.install(MapVersion(map: map, files: []), replacing: nil)
    let read = try await storage.versions(of: map.id)[0]
    // As another process does between reading and writing.
    try await storage.markEdited(1, of: map.id)
    try await storage.install(read, replacing: nil)
    #expect(try await storage.versions(of: map.id).map(\.isEdited) == [true])
    map.version = 2
    try await storage.install(MapVersion(map: map, files: []), replacing: read)
    #expect(try await storage.versions(of: map.id).map(\.isEdited) == [true, false])
  }

  @Test(arguments: [
    StoredMap.Origin.preplannedArea(webMap: "w", area: "a"), .onDemandArea(webMap: "w"),
    .portalItem("p"), .imported("trails.mmpk"),
  ])
  func `A map is listed with all that was saved of it`(_ origin: StoredMap.Origin) async throws {
    let storage = try await SQLiteMapStorage.open(at: file)
    var map = StoredMap(
      id: try #require(MapID("a")), origin: origin, form: .file, title: "A \"map\"",
      installed: Self.day, byteCount: 0)
    try await storage.save(map)
    #expect(try await storage.storedMaps() == [map])
    map.summary = ""
    map.portal = URL(string: "https://portal.example/gis?x=%20")
    map.sourceModified = Self.day.addingTimeInterval(0.123)
    map.omissions = ["One\nline.", "\"Two\""]
    map.options = StoredAreaOptions(
      basemap: .leftOut, continuesOnErrors: true, updateMode: "syncWithFeatureServices")
    map.deleted = Self.day
    map.byteCount = .max
    map.deletedOn = 12
    map.version = 3
    try await storage.save(map)
    #expect(try await storage.storedMaps() == [map])
    #expect(try await storage.storedMap(map.id) == map)
    // Whoever gives a record a property more gives its row a column more.
    #expect(Mirror(reflecting: map).children.count == 14)
  }

  @Test func `A map known only from its record is also listed`() async throws {
    let storage = try await SQLiteMapStorage.open(at: file)
    let map = try Self.map("a", "Alpha")
    try await storage.save(map)
    do {
      let connection = try Connection(at: file, access: .readWrite)
      try connection.execute("UPDATE stored_map SET form = NULL, origin = 'of-the-future'")
    }
    #expect(try await storage.storedMaps() == [map])
    #expect(try await storage.unreadableRecords().isEmpty)
  }

  @Test(arguments: Kind.allCases)
  func `Areas are replaced as a whole, and pictures of those gone go`(_ kind: Kind) async throws {
    let storage = try await storage(kind)
    try await storage.save([Self.area("1", "One"), Self.area("2", "Two")], of: "w")
    try await storage.save([Self.area("9", "Nine")], of: "other")
    for id in ["1", "2", "9"] { try await storage.setThumbnail(Data(id.utf8), of: id) }
    try await storage.save([Self.area("2", "Two"), Self.area("3", "Three")], of: "w")
    #expect(try await storage.knownAreas(of: "w").map(\.id) == ["3", "2"])
    #expect(try await storage.thumbnail(of: "1") == nil)
    #expect(try await storage.thumbnail(of: "2") == Data("2".utf8))
    #expect(try await storage.knownAreas(of: "other").map(\.id) == ["9"])
  }

  @Test(arguments: Kind.allCases)
  func `Forgetting a web map forgets its areas, not what is stored`(_ kind: Kind) async throws {
    let storage = try await storage(kind)
    let portal = try #require(URL(string: "https://portal.example"))
    try await storage.save(KnownMap(id: "w", portal: portal, title: "Web", seen: Self.day))
    try await storage.save([Self.area("1", "One")], of: "w")
    try await storage.setThumbnail(Data([1]), of: "w")
    try await storage.setThumbnail(Data([1]), of: "1")
    try await storage.save(Self.map("1", "One"))
    try await storage.removeKnownMap("w")
    #expect(try await storage.knownMaps().isEmpty)
    #expect(try await storage.knownAreas(of: "w").isEmpty)
    #expect(try await storage.thumbnail(of: "w") == nil)
    #expect(try await storage.storedMaps().map(\.title) == ["One"])
    #expect(try await storage.thumbnail(of: "1") == Data([1]), "it is that of the stored map too")
    try await storage.save([Self.area("1", "One")], of: "w")
    try await storage.save([], of: "w")
    #expect(try await storage.thumbnail(of: "1") == Data([1]))
  }

  @Test(arguments: Kind.allCases)
  func `Jobs keep every figure, in the order of the queue`(_ kind: Kind) async throws {
    let storage = try await storage(kind)
    let jobs = try (1...3).map { number in
      var job = Job(
        id: try #require(JobID("job-\(number)")), kind: "preplanned-area", subject: "\(number)",
        title: "Area \(number)", parameters: Data([UInt8(number)]), created: Self.day,
        position: 4 - number)
      job.state =
        [
          .waiting(.retry(at: Self.day, attempt: 2)), .paused,
          .failed(JobFailure(message: "It is gone.", advice: "Look elsewhere.", kind: .absent)),
        ][number - 1]
      job.progress = JobProgress(bytes: 7, totalBytes: 9, isTotalExact: true, items: 1)
      job.failedItems = [
        JobFailedItem(
          name: "tile", address: "https://a.example/1", status: 404, attempts: 3,
          failure: JobFailure(message: "It is gone.", kind: .absent))
      ]
      return job
    }
    for job in jobs { try await storage.record(job) }
    #expect(try await storage.jobs() == jobs.reversed())
    let message = JobMessage(time: Self.day, severity: .warning, text: "Slow.")
    try await storage.append(message, to: jobs[0].id)
    #expect(try await storage.messages(of: jobs[0].id) == [message])
    try await storage.forget(jobs[0].id)
    #expect(try await storage.messages(of: jobs[0].id).isEmpty)
    #expect(try await storage.jobs() == [jobs[2], jobs[1]])
  }

  private static func job(_ number: Int) throws -> Job {
    Job(
      id: try #require(JobID("job-\(number)")), kind: "k", subject: "\(number)",
      title: "Job \(number)", parameters: Data(), created: day, position: 0)
  }

  @Test(arguments: Kind.allCases)
  func `A job is added once, at the end, and its place is not written over`(
    _ kind: Kind
  ) async throws {
    let storage = try await storage(kind)
    let first = try await storage.add(Self.job(1))
    let second = try await storage.add(Self.job(2))
    #expect(second.position > first.position)
    var again = try Self.job(3)
    again = Job(
      id: again.id, kind: first.kind, subject: first.subject, title: "Again",
      parameters: Data(), created: Self.day, position: 0)
    #expect(try await storage.add(again) == first)
    try await storage.setOrder([second.id, first.id])
    try await storage.record(first)
    #expect(try await storage.jobs().map(\.id) == [second.id, first.id])
    var over = first
    over.state = .succeeded
    try await storage.record(over)
    #expect(try await storage.add(again).id == again.id)
  }

  @Test(arguments: Kind.allCases)
  func `A job that is about to end does not match a request for the same work`(
    _ kind: Kind
  ) async throws {
    let storage = try await storage(kind)
    let first = try await storage.add(Self.job(1))
    func again(_ name: String) throws -> Job {
      Job(
        id: try #require(JobID(name)), kind: first.kind, subject: first.subject, title: name,
        parameters: Data(), created: Self.day, position: 0)
    }
    // Nobody has answered yet.
    _ = try await storage.post(.cancel, to: first.id)
    let second = try await storage.add(again("second"))
    #expect(second.id != first.id)
    #expect(try await storage.answerRequests(of: first.id, at: Self.day)?.state == .cancelling)
    #expect(try await storage.add(again("third")).id == second.id)
    var ending = second
    ending.follow(.cancel, at: Self.day)
    try await storage.record(ending)
    #expect(try await storage.add(again("fourth")).title == "fourth")
  }

  @Test(arguments: Kind.allCases)
  func `Requests wait for their answer, which drops no later ones`(_ kind: Kind) async throws {
    let storage = try await storage(kind)
    let job = try await storage.add(Self.job(1))
    let other = try await storage.add(Self.job(2))
    let pause = try await storage.post(.pause, to: job.id)
    let run = try await storage.post(.run, to: job.id)
    let cancel = try await storage.post(.cancel, to: other.id)
    #expect(pause.number < run.number && run.number < cancel.number)
    try await storage.record(job)
    #expect(try await storage.requests() == [pause, run, cancel])
    try await storage.record(job, answering: pause.number)
    #expect(try await storage.requests() == [run, cancel])
    try await storage.forget(other.id)
    #expect(try await storage.requests() == [run])
  }

  @Test(arguments: Kind.allCases)
  func `Requests left for a job without a worker are carried out in order`(
    _ kind: Kind
  ) async throws {
    let storage = try await storage(kind)
    let job = try await storage.add(Self.job(1))
    for intent in [JobIntent.pause, .run, .pause] { _ = try await storage.post(intent, to: job.id) }
    let answered = try await storage.answerRequests(of: job.id, at: Self.day)
    #expect(answered?.state == .paused && answered?.intent == .pause)
    #expect(try await storage.job(job.id) == answered)
    #expect(try await storage.requests().isEmpty)
    let nobody = try #require(JobID("nobody"))
    #expect(try await storage.answerRequests(of: nobody, at: Self.day) == nil)
  }

  private static func message(
    _ id: String, knowing fields: [String: String] = [:]
  ) throws -> OutboxMessage {
    let portal = try #require(URL(string: "https://portal.example"))
    return OutboxMessage(
      id: try #require(OutboxMessage.ID(id)), purpose: "Unregister a replica.", portal: portal,
      address: portal.appending(path: "unRegisterReplica"),
      fields: fields.merging(["replicaID": id]) { _, new in new }, created: day)
  }

  @Test(arguments: Kind.allCases)
  func `A message to a server is kept once, in order, until it is removed`(
    _ kind: Kind
  ) async throws {
    let storage = try await storage(kind)
    let messages = try [Self.message("b"), Self.message("a")]
    for message in messages + messages { try await storage.post(message) }
    #expect(try await storage.outgoingMessages() == messages)
    let failure = JobFailure(message: "Busy.", kind: .transient)
    let tried = messages[0].afterFailing(.failed(failure), at: Self.day, .outbox)
    try await storage.update(tried)
    #expect(try await storage.outgoingMessages() == [tried, messages[1]])
    #expect(tried.attempts == 1 && tried.notBefore == Self.day.addingTimeInterval(30))
    try await storage.remove(tried.id)
    try await storage.update(tried)
    #expect(try await storage.outgoingMessages() == [messages[1]])
  }

  @Test(arguments: Kind.allCases)
  func `A message takes over what a later one knows, with the attempts that it has had`(
    _ kind: Kind
  ) async throws {
    let storage = try await storage(kind)
    let poor = try Self.message("a", knowing: ["kept": "1"])
    try await storage.post(poor)
    let failure = JobFailure(message: "Busy.", kind: .transient)
    let tried = poor.afterFailing(.failed(failure), at: Self.day, .outbox)
    try await storage.update(tried)
    try await storage.post(try Self.message("a", knowing: ["told": "2"]))
    let all = ["kept": "1", "replicaID": "a", "told": "2"]
    let richer = try #require(try await storage.outgoingMessages().first)
    #expect(richer.fields == all)
    #expect(richer.attempts == 1 && richer.notBefore == tried.notBefore)
    // An attempt that began before takes nothing of that away, whatever becomes of it.
    try await storage.update(tried.afterFailing(.failed(failure), at: Self.day, .outbox))
    try await storage.remove(delivered: tried)
    let left = try #require(try await storage.outgoingMessages().first)
    #expect(left.fields == all && left.attempts == 2)
    try await storage.remove(delivered: left)
    #expect(try await storage.outgoingMessages().isEmpty)
  }

  @Test func `A message to a server outlives the process`() async throws {
    try await storage(.sqlite).post(Self.message("a"))
    #expect(try await storage(.sqlite).outgoingMessages() == [Self.message("a")])
  }

  @Test(arguments: Kind.allCases)
  func `A checkpoint is kept with its job`(_ kind: Kind) async throws {
    let storage = try await storage(kind)
    var job = try await storage.add(Self.job(1))
    #expect(job.checkpoint == nil)
    job.checkpoint = Data("https://server.example/jobs/1".utf8)
    try await storage.record(job)
    #expect(try await storage.job(job.id) == job)
  }

  @Test func `The revision follows the writes of others`() async throws {
    let mine = try await SQLiteMapStorage.open(at: file)
    let other = try await SQLiteMapStorage.open(at: file)
    let before = try await mine.revision()
    _ = try await mine.add(Self.job(1))
    #expect(try await mine.revision() == before)
    _ = try await other.post(.pause, to: Self.job(1).id)
    #expect(try await mine.revision() != before)
  }

  @Test func `An older catalogue gets what is new and keeps what is in it`() async throws {
    let job = try Self.job(1)
    let map = try Self.map("a", "Alpha")
    do {
      let storage = try await SQLiteMapStorage.open(at: file)
      _ = try await storage.add(job)
      try await storage.save(map)
    }
    do {
      let connection = try Connection(at: file, access: .readWrite)
      try connection.execute("DROP TABLE job_request")
      for table in ["map_version", "home_use", "outbox", "package_date", "lost_options"] {
        try connection.execute("DROP TABLE \(table)")
      }
      try connection.execute(
        "CREATE TABLE old (id TEXT PRIMARY KEY, title TEXT NOT NULL, record BLOB NOT NULL)")
      try connection.execute("INSERT INTO old SELECT id, title, record FROM stored_map")
      try connection.execute("DROP TABLE stored_map")
      try connection.execute("ALTER TABLE old RENAME TO stored_map")
      try connection.setUserVersion(2)
    }
    let storage = try await SQLiteMapStorage.open(at: file)
    #expect(try await storage.jobs().map(\.id) == [job.id])
    #expect(try await storage.post(.run, to: job.id).intent == .run)
    #expect(try await storage.storedMaps() == [map])
    try await storage.save(map)
    #expect(try await storage.storedMaps() == [map])
  }

  @Test(arguments: Kind.allCases)
  func `Listeners learn which kind of object has changed`(_ kind: Kind) async throws {
    let storage = try await storage(kind)
    var changes = await storage.changes().makeAsyncIterator()
    try await storage.save(Self.map("a", "Alpha"))
    #expect(await changes.next() == .storedMaps)
    try await storage.save([], of: "w")
    #expect(await changes.next() == .knownMaps)
  }

  @Test func `What another process wrote is seen and reported`() async throws {
    let mine = try await SQLiteMapStorage.open(at: file)
    let other = try await SQLiteMapStorage.open(at: file)
    #expect(try await mine.storedMaps().isEmpty)
    var changes = await mine.changes().makeAsyncIterator()
    try await other.save(Self.map("a", "Alpha"))
    #expect(try await mine.storedMaps().count == 1)
    #expect(await changes.next() == .all)
  }

  @Test func `A newer catalogue is left alone`() async throws {
    _ = try await SQLiteMapStorage.open(at: file)
    do {
      let connection = try Connection(at: file, access: .readWrite)
      try connection.setUserVersion(99)
    }
    let path = file.path(percentEncoded: false)
    await #expect(throws: LibraryError.newerCatalogue(file: path, version: 99)) {
      try await SQLiteMapStorage.open(at: file)
    }
  }

  @Test func `A record that cannot be read hides no other and is named`() async throws {
    let storage = try await SQLiteMapStorage.open(at: file)
    try await storage.save(Self.map("a", "Alpha"))
    do {
      let connection = try Connection(at: file, access: .readWrite)
      try connection.execute(
        "INSERT INTO stored_map (id, title, record) VALUES ('z', 'Zeta', x'00')")
    }
    #expect(try await storage.storedMaps().map(\.title) == ["Alpha"])
    #expect(try await storage.unreadableRecords() == ["stored_map z"])
  }

  @Test func `A request left for a job that cannot be read is named, and stays`() async throws {
    let storage = try await SQLiteMapStorage.open(at: file)
    let job = try await storage.add(Self.job(1))
    let unread = try #require(JobID("unread"))
    _ = try await storage.post(.pause, to: job.id)
    let left = try await storage.post(.pause, to: unread)
    do {
      let connection = try Connection(at: file, access: .readWrite)
      // A newer Portolan knows more intents, and other jobs.
      try connection.execute(
        "INSERT INTO job_request (job, intent) VALUES (?1, 'wait-for-night')", .text(job.id.text))
      try connection.execute("INSERT INTO job (id, position, record) VALUES ('unread', 9, x'00')")
    }
    #expect(try await storage.answerRequests(of: job.id, at: Self.day)?.state == .paused)
    #expect(try await storage.answerRequests(of: unread, at: Self.day) == nil)
    let last = try await storage.post(.run, to: job.id)
    try await storage.record(job, answering: last.number)
    #expect(try await storage.requests() == [left])
    let named = try await storage.unreadableRecords()
    #expect(named == ["job unread", "job_request \(job.id.text)"])
    let connection = try Connection(at: file, access: .readOnly)
    let query = try connection.query("SELECT count(*) FROM job_request")
    try #require(try query.step())
    let count = query.integer(at: 0)
    #expect(count == 2)
  }

  @Test func `A message that a newer Portolan wrote is not replaced by one of its name`()
    async throws
  {
    let storage = try await SQLiteMapStorage.open(at: file)
    do {
      let connection = try Connection(at: file, access: .readWrite)
      try connection.execute("INSERT INTO outbox (id, record) VALUES ('a', x'00')")
    }
    try await storage.post(Self.message("a"))
    #expect(try await storage.outgoingMessages().isEmpty)
    #expect(try await storage.unreadableRecords() == ["outbox a"])
  }

  @Test func `A file that is no catalogue is refused by name`() async throws {
    try Data("This is no database, but a text that is long enough.".utf8).write(to: file)
    await #expect(throws: LibraryError.self) { try await SQLiteMapStorage.open(at: file) }
    #expect(try Data(contentsOf: file).count == 52)
  }

  @Test(arguments: ["", "..", "a/b", "a b", "ü", String(repeating: "a", count: 65)])
  func `Text that could be a path is no map id`(_ text: String) { #expect(MapID(text) == nil) }
}
