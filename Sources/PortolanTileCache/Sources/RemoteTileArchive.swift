public import Foundation
internal import PortolanArchives
internal import PortolanFiles
internal import PortolanJSON
internal import PortolanTileFiles
public import PortolanTiles
public import PortolanTransport

/// A `.pmtiles`, `.tpkx` or `.tpk` on a web server or in an object store, read by range.
///
/// Only the blocks are fetched that tiles lie in; those that were used last are kept in memory. A
/// file that changes meanwhile is opened again.
public actor RemoteTileArchive {
  /// How often a tile may find out that another part is missing.
  private static let patience = 64
  /// How often a part is asked for whose date is not that of the file: machines behind one address hold
  /// copies of it with dates of their own.
  private static let nodeCount = 6
  /// For how many seconds what is in memory counts as what is there.
  private static let longestTrust = 60.0

  private let url: URL
  private let headers: HTTPHeaders
  private let transport: any HTTPTransport
  private var opened: OpenedFile?
  /// When it was last looked whether the file is still the one that is open.
  private var lastLook: Date?
  /// The look that is under way.
  private var look: Task<Void, Never>?

  /// The file with its bytes, which belong together: others may open a later version meanwhile.
  private struct OpenedFile {
    let bytes: SparseByteSource
    let source: any TileSource
    /// Where its tiles are in Web Mercator.
    let quad: WebMercatorQuad
  }

  /// Prepares to read the file at `url`; nothing is requested yet.
  public init(at url: URL, headers: HTTPHeaders = [:], transport: any HTTPTransport) {
    self.url = url
    self.headers = headers
    self.transport = transport
  }

  /// Whether a file of that name can be read by range.
  public static func canRead(_ url: URL) -> Bool {
    ["pmtiles", "tpkx", "tpk"].contains(url.pathExtension.lowercased())
  }

  /// The metadata of the file.
  public func info() async throws(TileCacheError) -> TileSourceInfo { try await file().source.info }

  /// A tile by its address in Web Mercator, from which the file may number its own; `nil` if it has none
  /// there.
  ///
  /// - Parameters:
  ///   - id: The address.
  ///   - now: The time of day, if it is to be looked now and then whether the file has changed: of a small file
  ///     all is in memory after a while, and nothing is asked for any more by which that would show.
  /// - Returns: The tile.
  /// - Throws: ``TileCacheError`` if it cannot be had.
  public func tile(at id: TileID, now: Date? = nil) async throws(TileCacheError) -> Tile? {
    if let now { await lookIfDue(at: now) }
    let file = try await file()
    guard let own = file.quad.source(of: id), own.row >= 0, own.column >= 0 else { return nil }
    let source = file.source
    return try await reading(file.bytes) { () async throws(TileError) in
      try await source.tile(at: own)
    }
  }

  private func file() async throws(TileCacheError) -> OpenedFile {
    if let opened { return opened }
    let bytes = try await size()
    let source = try await reading(bytes) { () async throws(TileError) in
      try Self.open(bytes)
    }
    let file = OpenedFile(
      bytes: bytes, source: source, quad: WebMercatorQuad(matching: source.info.scheme))
    opened = file
    return file
  }

  private static func open(_ bytes: SparseByteSource) throws(TileError) -> any TileSource {
    let head: Data
    do { head = try bytes.read(0..<min(16, bytes.count)) } catch { throw TileError(reading: error) }
    if PMTilesFile.isBeginning(head) { return try PMTilesFile.open(bytes) }
    return try TilePackageFile.open(bytes).source
  }

  /// Does something that reads, and again whenever it finds that a part is missing and has come.
  private func reading<T: Sendable>(
    _ bytes: SparseByteSource, _ body: () async throws(TileError) -> T
  ) async throws(TileCacheError) -> T {
    for _ in 0..<Self.patience {
      let failure: TileError
      let misses = bytes.missCount
      do throws(TileError) { return try await body() } catch { failure = error }
      let missing = bytes.takeMissing()
      // Others who read at the time may have taken on what is missing here: it is looked at again.
      guard !missing.isEmpty || bytes.missCount != misses else {
        throw failure == .cancelled ? .cancelled : .tiles(failure)
      }
      for range in missing { try await fetch(range, into: bytes) }
    }
    throw .notATile(url.withoutSecrets, reason: "reading it does not come to an end")
  }

  // MARK: - Looking again

  /// Looks whether the file is still the one that is open, unless it was looked a moment ago; all who read
  /// meanwhile wait for that.
  private func lookIfDue(at now: Date) async {
    guard let task = beginLook(at: now) else { return }
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  private func beginLook(at now: Date) -> Task<Void, Never>? {
    if let look { return look }
    guard let bytes = opened?.bytes else {
      // Opening it is a look.
      lastLook = now
      return nil
    }
    // A clock that was put back holds nothing up.
    if let lastLook, (0..<Self.longestTrust).contains(now.timeIntervalSince(lastLook)) {
      return nil
    }
    lastLook = now
    let task = Task {
      await self.reopenIfChanged(bytes)
      self.look = nil
    }
    look = task
    return task
  }

  /// Asks for one byte of the file, which is opened again if there is another now.
  private func reopenIfChanged(_ bytes: SparseByteSource) async {
    do throws(TileCacheError) {
      for _ in 0..<Self.nodeCount {
        let response = try await ask(0..<1)
        if isOf(bytes, response) { return }
        // Machines with dates of their own may answer; a tag tells versions apart.
        guard response.status == 206, response.headers["ETag"] == nil else { break }
      }
      if opened?.bytes === bytes { opened = nil }
    } catch {
      // What cannot be found out now shows with the next part; who is cancelled has not looked.
      if error == .cancelled { lastLook = nil }
    }
  }

  /// Whether an answer leaves no doubt that the file is still there.
  private func isOf(_ bytes: SparseByteSource, _ response: HTTPResponse) -> Bool {
    switch response.status {
    case 206:
      Self.total(of: response).map { $0 == bytes.count } ?? true
        && bytes.isOf(Self.version(of: response))
    case 200, 404, 410, 412, 416: false
    // A server that is busy says nothing about the file.
    default: true
    }
  }

  // MARK: - Asking

  /// Asks for the first block, which says how large the file is.
  private func size() async throws(TileCacheError) -> SparseByteSource {
    let response = try await ask(0..<SparseByteSource.blockSize)
    let count: Int
    switch response.status {
    case 206:
      guard let total = Self.total(of: response), total > 0 else {
        throw .notATile(url.withoutSecrets, reason: "the server does not say how large it is")
      }
      count = total
    default: throw refusal(response)
    }
    try check(response, is: 0..<min(count, SparseByteSource.blockSize))
    let bytes = SparseByteSource(
      name: url.lastPathComponent, count: count, version: Self.version(of: response))
    bytes.insert(response.body, at: 0)
    return bytes
  }

  private func fetch(
    _ range: Range<Int>, into bytes: SparseByteSource
  ) async throws(TileCacheError) {
    var others: [HTTPResponse] = []
    for _ in 0..<Self.nodeCount {
      let response = try await ask(range)
      let isSameSize = Self.total(of: response).map { $0 == bytes.count } ?? true
      guard response.status == 206, isSameSize else {
        throw changed(bytes, because: response)
      }
      let isKnown = bytes.isOf(Self.version(of: response))
      // A tag tells versions apart, wherever the file lies.
      guard isKnown || response.headers["ETag"] == nil else {
        throw changed(bytes, because: response)
      }
      try check(response, is: range)
      guard isKnown else {
        others.append(response)
        continue
      }
      // The file is still there, so that the other dates are of copies, if those hold the same.
      for other in others where response.headers["ETag"] == nil && other.body == response.body {
        bytes.accept(Self.version(of: other))
      }
      return bytes.insert(response.body, at: range.lowerBound)
    }
    throw changed(bytes, because: nil)
  }

  /// Another file is there now: what was read of the old one is of no use.
  private func changed(
    _ bytes: SparseByteSource, because response: HTTPResponse?
  ) -> TileCacheError {
    if opened?.bytes === bytes { opened = nil }
    if let response, response.status != 206, response.status != 412 { return refusal(response) }
    return .refused(url.withoutSecrets, status: 412)
  }

  /// Refuses another part of the file than the one that was requested, which proxies send that do not tell
  /// parts apart: its bytes would be taken for those of tiles.
  private func check(
    _ response: HTTPResponse, is range: Range<Int>
  ) throws(TileCacheError) {
    guard Self.start(of: response) ?? range.lowerBound == range.lowerBound else {
      throw .notATile(
        url.withoutSecrets, reason: "another part of the file arrived than the requested one")
    }
    guard response.body.count == range.count else {
      throw .notATile(
        url.withoutSecrets,
        reason: "\(response.body.count) of \(range.count) requested bytes arrived")
    }
  }

  /// Where the part begins that has come, if the server says so.
  private static func start(of response: HTTPResponse) -> Int? {
    let words = response.headers["Content-Range"]?.split { " -/".contains($0) } ?? []
    return words.dropFirst().first.flatMap { Int($0) }
  }

  /// Which version of the file a part is of: by its tag, else by when it was changed last.
  private static func version(of response: HTTPResponse) -> String? {
    response.headers["ETag"] ?? response.headers["Last-Modified"]
  }

  /// How large a file is of which a part has come, if the server says so.
  private static func total(of response: HTTPResponse) -> Int? {
    response.headers["Content-Range"]?.split(separator: "/").last.flatMap { Int($0) }
  }

  /// What the archive says about the layers in its vector tiles; `nil` where that cannot be read,
  /// which keeps no tiles from being read.
  func vectorMetadata() async -> JSONValue? {
    // As said above.
    guard let document = try? await document() else { return nil }
    return MapCacheConfig.vectorMetadata(in: document)
  }

  private func document() async throws(TileCacheError) -> JSONValue? {
    let file = try await file()
    let source = file.source
    return try await reading(file.bytes) { () async throws(TileError) in
      try await source.metadata()
    }
  }

  private func ask(_ range: Range<Int>) async throws(TileCacheError) -> HTTPResponse {
    var request = HTTPRequest(url, headers: headers, timeouts: .tile)
    request.headers["Range"] = "bytes=\(range.lowerBound)-\(range.upperBound - 1)"
    // An archive that is compressed in transit has other ranges.
    request.headers["Accept-Encoding"] = "identity"
    do {
      return try await transport.send(request, limit: range.count + 1)
    } catch {
      switch error {
      case .cancelled: throw .cancelled
      // More than was asked for is the whole file.
      case .tooLarge: throw .noParts(url.withoutSecrets)
      default: throw .transport(error)
      }
    }
  }

  private func refusal(_ response: HTTPResponse) -> TileCacheError {
    guard response.status != 200 else { return .noParts(url.withoutSecrets) }
    return TileCacheError(
      status: response.status, at: url.withoutSecrets,
      retryAfter: response.head.retryAfter(now: nil))
  }
}

extension TileError {
  /// What a failure of reading bytes means.
  fileprivate init(reading error: ArchiveError) {
    self =
      error == .cancelled
      ? .cancelled
      : .unreadable(file: "archive", reason: error.plainReason)
  }
}
