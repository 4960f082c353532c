import Foundation
import PortolanFiles
import PortolanLocks
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanTransport

@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct FileDownloadTests {
  private let clock = ManualClock()
  private let body = Data((0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
  private var destination: URL { temporaryDirectory.appending(path: "map.mmpk") }
  private let request = HTTPRequest("https://a.org/map.mmpk?f=json&token=secret")

  private func download(
    _ server: any HTTPTransport, _ options: FileDownload.Options = .init(),
    of request: HTTPRequest? = nil
  ) -> FileDownload {
    FileDownload(
      request ?? self.request, to: destination, options: options, over: server, clock: clock,
      chance: { 1 })
  }

  /// Gets the file; nothing else is left beside it.
  @discardableResult
  private func expectFile(
    _ server: any HTTPTransport, _ options: FileDownload.Options = .init(),
    of request: HTTPRequest? = nil, body expected: Data? = nil
  ) async throws -> DownloadedFile? {
    let outcome = try await download(server, options, of: request).run()
    guard case .file(let file) = outcome else {
      Issue.record("\(outcome)")
      return nil
    }
    #expect(try Data(contentsOf: file.url) == expected ?? body)
    #expect(file.byteCount == (expected ?? body).count)
    #expect(try names() == ["map.mmpk"])
    return file
  }

  /// Leaves a part of the file, as a download does whose process ends.
  private func leavePart(_ server: FileServerTransport, _ count: Int) async throws {
    server.set { $0.cuts = [count] }
    await #expect(throws: TransportError.self) {
      try await download(server, .init(retries: .never)).run()
    }
    #expect(try names().contains("map.mmpk.part"))
    #expect(try !names().contains("map.mmpk"))
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: temporaryDirectory.path(percentEncoded: false)
    ).filter { $0.hasPrefix("map") }.sorted()
  }

  @Test func `A file arrives whole under its name`() async throws {
    let server = FileServerTransport(body)
    let file = try await expectFile(server)
    #expect(file?.entityTag == "\"v1\"")
    #expect(file?.resumedFrom == 0)
    #expect(server.requests.first?.headers["Accept-Encoding"] == "identity")
    #expect(server.requests.first?.headers["Range"] == nil)
  }

  @Test func `A transport that carries a file learns that writing it may block`() async throws {
    let seen = SinkRecorder(FileServerTransport(body))
    try await expectFile(RedirectingTransport(seen))
    #expect(seen.mayBlock == [true])
  }

  @Test func `An empty file is a file`() async throws {
    try await expectFile(FileServerTransport(Data()), body: Data())
  }

  @Test func `A later download fetches only what is missing`() async throws {
    let server = FileServerTransport(body)
    try await leavePart(server, 6000)
    let file = try await expectFile(server)
    #expect(file?.resumedFrom == 6000)
    #expect(server.requests.last?.headers["Range"] == "bytes=6000-")
    #expect(server.requests.last?.headers["If-Range"] == "\"v1\"")
    #expect(server.bytesSent == body.count)
  }

  @Test func `The record beside the part holds no token`() async throws {
    try await leavePart(FileServerTransport(body), 6000)
    let record = try String(
      contentsOf: temporaryDirectory.appending(path: "map.mmpk.part.json"), encoding: .utf8)
    #expect(!record.contains("secret"))
    #expect(record.contains("v1"))
  }

  @Test func `Another token continues with the same part`() async throws {
    let server = FileServerTransport(body)
    try await leavePart(server, 6000)
    let renewed = HTTPRequest("https://a.org/map.mmpk?f=json&token=renewed")
    #expect(try await expectFile(server, of: renewed)?.resumedFrom == 6000)
  }

  @Test func `Another URL restarts`() async throws {
    let server = FileServerTransport(body)
    try await leavePart(server, 6000)
    let other = HTTPRequest("https://a.org/other.mmpk")
    #expect(try await expectFile(server, of: other)?.resumedFrom == 0)
  }

  @Test func `A changed file is fetched from the start`() async throws {
    let server = FileServerTransport(body)
    try await leavePart(server, 6000)
    let changed = Data(body.reversed())
    server.set {
      $0.body = changed
      $0.entityTag = "\"v2\""
    }
    let file = try await expectFile(server, body: changed)
    #expect(file?.resumedFrom == 0)
  }

  @Test func `A date serves where there is no tag`() async throws {
    let server = FileServerTransport(
      .init(
        body: body, entityTag: nil, lastModified: "Sun, 06 Nov 1994 08:49:37 GMT",
        date: "Mon, 07 Nov 1994 08:49:37 GMT"))
    try await leavePart(server, 6000)
    #expect(try await expectFile(server)?.resumedFrom == 6000)
    #expect(server.requests.last?.headers["If-Range"] == "Sun, 06 Nov 1994 08:49:37 GMT")
  }

  @Test(arguments: [
    FileServerTransport.Behaviour(body: Data(), entityTag: nil),
    .init(body: Data(), entityTag: "W/\"weak\""),
    .init(body: Data(), entityTag: nil, lastModified: "now", date: "now"),
  ])
  func `Without a strong validator nothing is pieced together`(
    _ behaviour: FileServerTransport.Behaviour
  ) async throws {
    var behaviour = behaviour
    behaviour.body = body
    let server = FileServerTransport(behaviour)
    try await leavePart(server, 6000)
    #expect(try await expectFile(server)?.resumedFrom == 0)
    #expect(server.requests.last?.headers["Range"] == nil)
  }

  @Test func `A server that knows no ranges sends all again`() async throws {
    let server = FileServerTransport(.init(body: body, knowsRanges: false))
    try await leavePart(server, 6000)
    #expect(try await expectFile(server)?.resumedFrom == 0)
  }

  @Test(arguments: [
    "bytes 5999-9999/10000", "bytes 0-9999/10000", "bytes 6000-9999/20000", "6000-9999", "",
    "bytes */10000", "bytes 6000-5999/10000", "bytes 6000-99999999999999999999/10000",
  ])
  func `A part other than the one asked for is not taken`(_ range: String) async throws {
    let server = FileServerTransport(body)
    try await leavePart(server, 6000)
    server.set {
      $0.change = { response, _ in
        if response.status == 206 { response.head.headers["Content-Range"] = range }
      }
    }
    let file = try await expectFile(server)
    #expect(file?.resumedFrom == 0)
    #expect(server.requests.count == 3)
  }

  @Test func `A part of another version is not taken`() async throws {
    let server = FileServerTransport(body)
    try await leavePart(server, 6000)
    server.set {
      $0.change = { response, _ in
        if response.status == 206 { response.head.headers["ETag"] = "\"v9\"" }
      }
    }
    #expect(try await expectFile(server)?.resumedFrom == 0)
  }

  @Test func `A part where all was asked for is not taken`() async throws {
    let server = FileServerTransport(body)
    server.set { $0.change = { response, _ in response.head.status = 206 } }
    await #expect(throws: TransportError.self) { try await download(server).run() }
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [412, 416]) func `A range that is refused leads to the whole`(
    _ status: Int
  ) async throws {
    let server = FileServerTransport(body)
    try await leavePart(server, 6000)
    server.set {
      $0.change = { response, request in
        if request.headers["Range"] != nil { response.head.status = status }
      }
    }
    #expect(try await expectFile(server)?.resumedFrom == 0)
  }

  @Test func `A part that is whole already is only put in its place`() async throws {
    let server = FileServerTransport(body)
    try await leavePart(server, body.count)
    let file = try await expectFile(server)
    #expect(file?.resumedFrom == body.count)
    #expect(server.requests.count == 1)
  }

  @Test func `A part that is longer than the file restarts`() async throws {
    let server = FileServerTransport(body)
    try await leavePart(server, 6000)
    let part = temporaryDirectory.appending(path: "map.mmpk.part")
    try (body + body).write(to: part)
    #expect(try await expectFile(server)?.resumedFrom == 0)
  }

  @Test(arguments: ["", "{", "[]", "{\"address\":3}"])
  func `A part with a broken record restarts`(_ record: String) async throws {
    let server = FileServerTransport(body)
    try await leavePart(server, 6000)
    let file = temporaryDirectory.appending(path: "map.mmpk.part.json")
    try Data(record.utf8).write(to: file)
    #expect(try await expectFile(server)?.resumedFrom == 0)
  }

  @Test func `A download resumes although its previous owner still holds the sink`()
    async throws
  {
    let server = FileServerTransport(.init(body: body, cuts: Array(repeating: 3000, count: 99)))
    let keeper = SinkKeeper(server)
    await #expect(throws: TransportError.self) {
      try await download(keeper, .init(retries: .never)).run()
    }
    #expect(keeper.count == 1)
    #expect(try await expectFile(FileServerTransport(body))?.byteCount == body.count)
  }

  @Test func `An interrupted transfer resumes by itself after a pause`() async throws {
    let server = FileServerTransport(.init(body: body, cuts: [3000, 4000]))
    async let file = expectFile(server)
    await clock.wake(after: .seconds(0.5))
    await clock.wake(after: .seconds(0.5))
    #expect(try await file?.resumedFrom == 0)
    #expect(server.requests.map { $0.headers["Range"] } == [nil, "bytes=3000-", "bytes=7000-"])
    #expect(server.bytesSent == body.count)
  }

  @Test func `A server that always disconnects at the same byte ends the download`() async throws {
    let server = FileServerTransport(
      .init(body: body, knowsRanges: false, cuts: Array(repeating: 3000, count: 99)))
    let task = Task { try await download(server).run() }
    for pause in [0.5, 1, 2] { await clock.wake(after: .seconds(pause)) }
    await #expect(throws: TransportError.self) { try await task.value }
    #expect(server.requests.count == 4)
  }

  @Test func `A body that ends early is not taken for the whole`() async throws {
    let server = FileServerTransport(body)
    server.set { $0.change = { response, _ in response.body = response.body.prefix(9000) } }
    await #expect(
      throws: TransportError.interrupted(
        "https://a.org/map.mmpk", reason: "9000 of 10000 bytes arrived")
    ) {
      try await download(server, .init(retries: .never)).run()
    }
    #expect(try names() == ["map.mmpk.part", "map.mmpk.part.json"])
  }

  @Test func `A body that is longer than its file is refused`() async throws {
    let server = FileServerTransport(body)
    server.set { $0.change = { response, _ in response.body += Data([1]) } }
    await #expect(throws: TransportError.self) { try await download(server).run() }
    #expect(try !names().contains("map.mmpk"))
  }

  @Test func `A file of unknown length is taken as it comes`() async throws {
    let server = FileServerTransport(body)
    server.set { $0.change = { response, _ in response.head.headers["Content-Length"] = nil } }
    try await expectFile(server)
  }

  @Test func `A packed answer is taken unpacked, and never pieced together`() async throws {
    let server = FileServerTransport(body)
    server.set {
      $0.change = { response, _ in
        response.head.headers["Content-Encoding"] = "gzip"
        response.head.headers["Content-Length"] = "77"
      }
    }
    try await leavePart(server, 6000)
    #expect(try await expectFile(server)?.resumedFrom == 0)
    #expect(server.requests.last?.headers["Range"] == nil)
  }

  @Test func `An answer that is no file is handed back, and the part stays`() async throws {
    let server = FileServerTransport(body)
    try await leavePart(server, 6000)
    server.set {
      $0.change = { response, _ in
        response.head.status = 403
        response.body = Data("no".utf8)
      }
    }
    guard case .refused(let response) = try await download(server).run() else {
      Issue.record("it was taken for a file")
      return
    }
    #expect(response.status == 403)
    #expect(response.body == Data("no".utf8))
    server.set { $0.change = { _, _ in } }
    #expect(try await expectFile(server)?.resumedFrom == 6000)
  }

  @Test func `A 200 that is not what was expected is handed back`() async throws {
    let server = FileServerTransport(Data("{\"error\":{}}".utf8))
    server.set {
      $0.change = { response, _ in response.head.headers["Content-Type"] = "application/json" }
    }
    let options = FileDownload.Options(isExpected: { $0.contentType != "application/json" })
    guard case .refused(let response) = try await download(server, options).run() else {
      Issue.record("it was taken for a file")
      return
    }
    #expect(response.body == Data("{\"error\":{}}".utf8))
  }

  @Test func `More than allowed is refused, announced or not`() async throws {
    let server = FileServerTransport(body)
    let limit = FileDownload.Options(limit: 9999)
    let error = TransportError.tooLarge("https://a.org/map.mmpk", limit: 9999)
    await #expect(throws: error) { try await download(server, limit).run() }
    server.set { $0.change = { response, _ in response.head.headers["Content-Length"] = nil } }
    await #expect(throws: error) { try await download(server, limit).run() }
  }

  @Test func `A download that does not fit on the disk is not begun`() async throws {
    let server = FileServerTransport(body)
    server.set {
      $0.change = { response, _ in
        response.head.headers["Content-Length"] = "\(1 << 60)"
      }
    }
    let error = await #expect(throws: TransportError.self) { try await download(server).run() }
    guard case .diskFull(_, let needed?) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect((1 << 59)...(1 << 60) ~= needed)
    #expect(server.bytesSent == 0)
  }

  @Test func `A part is on the disk before it takes the place of the file`() throws {
    let calls = Locked<[String]>([])
    let disk = FileSystem { call in
      switch call {
      case .sync: calls.withLock { $0.append("sync") }
      case .rename: calls.withLock { $0.append("rename") }
      default: break
      }
      return nil
    }
    let part = try PartFile(at: temporaryDirectory.appending(path: "map.mmpk.part"))
    try part.write(body.bytes, at: 0)
    try part.commit(to: destination, in: disk)
    #expect(calls.withLock { $0 }.starts(with: ["sync", "rename"]))
    #expect(try Data(contentsOf: destination) == body)
  }

  @Test func `Two downloads do not write one part`() async throws {
    let part = try PartFile(at: temporaryDirectory.appending(path: "map.mmpk.part"))
    await #expect(
      throws: TransportError.storage(file: part.path, reason: "another download is writing it")
    ) {
      try await download(FileServerTransport(body)).run()
    }
  }

  @Test func `A part that is a link is not followed`() async throws {
    let target = temporaryDirectory.appending(path: "precious")
    try Data("x".utf8).write(to: target)
    try FileManager.default.createSymbolicLink(
      at: temporaryDirectory.appending(path: "map.mmpk.part"), withDestinationURL: target)
    await #expect(throws: TransportError.self) {
      try await download(FileServerTransport(body)).run()
    }
    #expect(try Data(contentsOf: target) == Data("x".utf8))
  }

  @Test func `A folder that is not there is named`() async throws {
    let download = FileDownload(
      request, to: temporaryDirectory.appending(path: "absent/map"),
      over: FileServerTransport(body), clock: clock, chance: { 1 })
    await #expect(throws: TransportError.self) { try await download.run() }
  }

  @Test func `Progress says what is on the disk`() async throws {
    let server = FileServerTransport(.init(body: Data(count: 5 << 20), pieceSize: 1 << 16))
    let told = Mutex<[DownloadProgress]>([])
    let options = FileDownload.Options(progress: { progress in
      told.withLock { $0.append(progress) }
    })
    try await expectFile(server, options, body: Data(count: 5 << 20))
    let progress = told.withLock { $0 }
    #expect(progress.map(\.received) == (0...5).map { $0 << 20 })
    #expect(progress.allSatisfy { $0.total == 5 << 20 && $0.resumedFrom == 0 })
  }

  @Test func `On a slow network progress is reported by time`() async throws {
    let received = Mutex<[Int]>([])
    let server = SlowTransport(
      base: FileServerTransport(.init(body: body, pieceSize: 1_000)), clock: clock)
    try await expectFile(
      server, .init(progress: { progress in received.withLock { $0.append(progress.received) } }))
    #expect(received.withLock { $0 } == (0...10).map { $0 * 1_000 })
  }

  @Test func `A download that ends early has reported what is on the disk`() async throws {
    let received = Mutex<[Int]>([])
    let server = FileServerTransport(body)
    server.set { $0.cuts = [6_000] }
    let options = FileDownload.Options(
      progress: { progress in received.withLock { $0.append(progress.received) } },
      retries: .never)
    await #expect(throws: TransportError.self) { try await download(server, options).run() }
    #expect(received.withLock { $0 }.last == 6_000)
  }

  @Test func `A digest is of all bytes, however they came`() async throws {
    let server = FileServerTransport(body)
    try await leavePart(server, 6000)
    server.set { $0.cuts = [1000] }
    let sum = Sum()
    async let file = expectFile(server, .init(digest: sum))
    await clock.wake(after: .seconds(0.5))
    #expect(try await file?.digest == Sum.of(body))
    #expect(server.bytesSent == body.count)
  }

  @Test func `A digest restarts with its file`() async throws {
    let server = FileServerTransport(body)
    try await leavePart(server, 6000)
    server.set { $0.entityTag = "\"v2\"" }
    #expect(try await expectFile(server, .init(digest: Sum()))?.digest == Sum.of(body))
  }

  @Test func `Received data can be discarded`() async throws {
    let server = FileServerTransport(body)
    try await leavePart(server, 6000)
    try await download(server).discard()
    #expect(try names() == [])
    try await download(server).discard()
  }
}

/// Lets half a second go by before each piece of an answer.
private struct SlowTransport: HTTPTransport {
  let base: FileServerTransport
  let clock: ManualClock

  func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    try await base.send(request, into: SlowSink(base: sink, clock: clock))
  }
}

private final class SlowSink: HTTPBodySink {
  private let base: any HTTPBodySink
  private let clock: ManualClock

  init(base: any HTTPBodySink, clock: ManualClock) {
    self.base = base
    self.clock = clock
  }

  func begin(_ head: HTTPResponseHead) throws(TransportError) { try base.begin(head) }

  func receive(_ bytes: RawSpan) throws(TransportError) {
    clock.advance(by: .milliseconds(500))
    try base.receive(bytes)
  }
}

/// A digest that anybody can check: the place and value of each byte, added up.
private final class Sum: DownloadDigest {
  private let state = Mutex((count: 0, sum: 0))

  func update(_ bytes: RawSpan) {
    state.withLock { state in
      for index in 0..<bytes.byteCount {
        let byte = bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)
        state.count += 1
        state.sum &+= Int(byte) &* state.count
      }
    }
  }

  func reset() { state.withLock { $0 = (0, 0) } }

  func finish() -> [UInt8] {
    state.withLock { state in withUnsafeBytes(of: state.sum) { Array($0) } }
  }

  static func of(_ data: Data) -> [UInt8] {
    let sum = Sum()
    sum.update(Array(data).span.bytes)
    return sum.finish()
  }
}

/// Takes down which sinks bodies were written to.
private final class SinkRecorder: HTTPTransport {
  private let base: any HTTPTransport
  private let seen = Mutex<[Bool]>([])

  init(_ base: any HTTPTransport) { self.base = base }

  var mayBlock: [Bool] { seen.withLock { $0 } }

  func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    seen.withLock { $0.append(sink.mayBlock) }
    return try await base.send(request, into: sink)
  }
}

/// Carries files, and holds on to what it has written them to.
private final class SinkKeeper: HTTPTransport {
  private let base: any HTTPTransport
  private let sinks = Mutex<[any HTTPBodySink]>([])

  init(_ base: any HTTPTransport) { self.base = base }

  var count: Int { sinks.withLock(\.count) }

  func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    sinks.withLock { $0.append(sink) }
    return try await base.send(request, into: sink)
  }
}
