import Foundation
import PortolanLocks
import PortolanTestSupport
import Testing

@testable import PortolanTransport

/// The parts of an earlier attempt that become a part of the file, and those that must not.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct ResumedDownloadTests {
  private static let request = HTTPRequest("https://a.org/map.mmpk")
  private let body = Data((0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
  private var destination: URL { temporaryDirectory.appending(path: "map.mmpk") }
  private var part: URL { destination.appendingPathExtension("part") }
  private var record: URL { part.appendingPathExtension("json") }

  private func download(
    _ server: FileServerTransport, digest: (any DownloadDigest)? = nil
  ) -> FileDownload {
    FileDownload(
      Self.request, to: destination, options: .init(digest: digest, retries: .never),
      over: server, clock: ManualClock(), chance: { 1 })
  }

  /// Leaves the beginning of the file, as a download does whose process ends.
  private func leavePart(_ server: FileServerTransport, _ count: Int = 6_000) async throws {
    server.set { $0.cuts = [count] }
    await #expect(throws: TransportError.self) { try await download(server).run() }
    #expect(try Data(contentsOf: part).count == count)
  }

  /// Downloads the file until it is there.
  private func finish(
    _ server: FileServerTransport, digest: (any DownloadDigest)? = nil
  ) async throws -> DownloadedFile {
    for _ in 1...3 {
      do {
        guard case .file(let file) = try await download(server, digest: digest).run() else { break }
        return file
      } catch {
        continue
      }
    }
    throw CancellationError()
  }

  @Test func `The bytes of an older file are removed before its record describes a newer one`()
    async throws
  {
    let server = FileServerTransport(body)
    try await leavePart(server)
    let changed = Data(body.reversed())
    server.set {
      $0.body = changed
      $0.entityTag = "\"v2\""
    }
    let (part, record) = (part, record)
    let seen = Locked<[String]>([])
    // A digest begins anew before the bytes that it is of are thrown away.
    let digest = WatchingDigest {
      let bytes = (try? Data(contentsOf: part).count) ?? 0
      let text = (try? String(contentsOf: record, encoding: .utf8)) ?? ""
      seen.withLock { $0.append("\(bytes) \(text.contains("v2"))") }
    }
    let file = try await finish(server, digest: digest)
    #expect(try Data(contentsOf: file.url) == changed)
    #expect(seen.withLock { $0 }.contains("6000 false"))
    #expect(!seen.withLock { $0 }.contains("6000 true"))
  }

  @Test func `A part of a file with another date is not taken`() async throws {
    let first = "Sun, 06 Nov 1994 08:49:37 GMT"
    let server = FileServerTransport(
      .init(body: body, entityTag: nil, lastModified: first, date: "Mon, 07 Nov 1994 08:49:37 GMT"))
    try await leavePart(server)
    server.set {
      $0.change = { response, _ in
        if response.status == 206 {
          response.head.headers["Last-Modified"] = "Tue, 08 Nov 1994 08:49:37 GMT"
        }
      }
    }
    let file = try await finish(server)
    #expect(file.resumedFrom == 0)
    #expect(try Data(contentsOf: file.url) == body)
  }

  @Test(arguments: ["gzip", "br", "GZIP"])
  func `A part that comes packed is not put behind one that did not`(encoding: String) async throws
  {
    let server = FileServerTransport(body)
    try await leavePart(server)
    server.set {
      $0.change = { response, _ in
        if response.status == 206 { response.head.headers["Content-Encoding"] = encoding }
      }
    }
    let file = try await finish(server)
    #expect(file.resumedFrom == 0)
    #expect(try Data(contentsOf: file.url) == body)
  }

  @Test(arguments: ["identity", ""])
  func `A part that says that it is not packed is taken`(encoding: String) async throws {
    let server = FileServerTransport(body)
    try await leavePart(server)
    server.set {
      $0.change = { response, _ in response.head.headers["Content-Encoding"] = encoding }
    }
    let file = try await finish(server)
    #expect(file.resumedFrom == 6_000)
    #expect(try Data(contentsOf: file.url) == body)
  }

  @Test func `What came packed is not gone on with`() async throws {
    let server = FileServerTransport(body)
    server.set {
      $0.change = { response, _ in response.head.headers["Content-Encoding"] = "gzip" }
    }
    try await leavePart(server)
    server.set { $0.change = { _, _ in } }
    let file = try await finish(server)
    #expect(file.resumedFrom == 0)
    #expect(server.requests.last?.headers["Range"] == nil)
    #expect(try Data(contentsOf: file.url) == body)
  }

  @Test func `A part without its record restarts`() async throws {
    let server = FileServerTransport(body)
    try await leavePart(server)
    try FileManager.default.removeItem(at: record)
    let file = try await finish(server)
    #expect(file.resumedFrom == 0)
    #expect(try Data(contentsOf: file.url) == body)
  }

  @Test func `A record without its part restarts`() async throws {
    let server = FileServerTransport(body)
    try await leavePart(server)
    try FileManager.default.removeItem(at: part)
    let file = try await finish(server)
    #expect(file.resumedFrom == 0)
    #expect(try Data(contentsOf: file.url) == body)
  }

  @Test func `A file that became shorter than its part is fetched from the start`() async throws {
    let server = FileServerTransport(body)
    try await leavePart(server)
    let shorter = body.prefix(2_000)
    server.set { $0.body = Data(shorter) }
    let file = try await finish(server)
    #expect(try Data(contentsOf: file.url) == shorter)
  }

  @Test func `What a download has of a file stays while another file takes its place`()
    async throws
  {
    try Data("old".utf8).write(to: destination)
    let server = FileServerTransport(body)
    try await leavePart(server)
    #expect(try Data(contentsOf: destination) == Data("old".utf8))
    _ = try await finish(server)
    #expect(try Data(contentsOf: destination) == body)
    #expect(!FileManager.default.fileExists(atPath: part.path))
    #expect(!FileManager.default.fileExists(atPath: record.path))
  }
}

/// Looks about whenever a digest begins anew.
private final class WatchingDigest: DownloadDigest {
  private let look: @Sendable () -> Void

  init(_ look: @escaping @Sendable () -> Void) { self.look = look }

  func update(_ bytes: RawSpan) {}
  func reset() { look() }
  func finish() -> [UInt8] { [] }
}
