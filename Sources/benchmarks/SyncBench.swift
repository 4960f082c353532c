import DemoPortal
import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanGeometry
import PortolanJSON
import PortolanOffline
import PortolanPortal
import PortolanTransport
import Synchronization

/// A feature service in this process, copies of it, and what travels between them.
struct SyncBench {
  static let table = "Lighthouses"
  private static let layer = 1

  let transport: CountingTransport
  let folder: URL
  private let service: FeatureService

  private var client: RESTClient { service.client }

  init(in folder: URL) async throws {
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let clock = DemoClock(now: { Date() }, sleep: { _ in })
    let state = DemoState(
      seed: 7, clock: clock, looksPerJob: 1, folder: folder.appending(path: "portal"))
    transport = CountingTransport(InProcessTransport(try await DemoPortal.standard(state: state)))
    let client = RESTClient(transport: transport, authenticator: AnonymousAuthenticator())
    guard
      let url = URL(string: "http://demo.test/arcgis/rest/services/ExploreMaine/FeatureServer")
    else { throw BenchmarkError("The address of the service is none.") }
    service = FeatureService(url: url, client: client)
  }

  /// Registers a copy and fetches it.
  func copy(_ name: String) async throws -> URL {
    var form: RESTParameters = [
      "replicaName": name, "dataFormat": "sqlite", "async": "false", "syncModel": "perLayer",
      "transportType": "esriTransportTypeUrl", "returnAttachments": "false",
      "attachmentsSyncDirection": "none", "layers": "[\(Self.layer)]",
    ]
    form.set("layerQueries", json: ["\(Self.layer)": ["queryOption": "all"]])
    let answer = try await ReplicaTask(service: service).create(form)
    guard let result = answer.resultURL else { throw BenchmarkError("No copy was made.") }
    let file = folder.appending(path: "\(name).geodatabase")
    try await client.data(result).body.write(to: file)
    return file
  }

  /// Adds features to the service by one request, as a script does.
  func add(_ count: Int, named prefix: String) async throws {
    let adds = (0..<count).map { number -> JSONValue in
      [
        "attributes": ["NAME": .string("\(prefix) \(number)")],
        "geometry": ["x": .number(-7_800_000 + Double(number)), "y": 5_400_000],
      ]
    }
    var form: RESTParameters = ["rollbackOnFailure": "true"]
    form.set("adds", json: .array(adds))
    let url = service.url.appending(path: "\(Self.layer)/applyEdits")
    let answer = try await client.json(url, form, method: .post)
    guard answer["addResults"]?.array?.count == count else {
      throw BenchmarkError("The service did not take the features.")
    }
  }

  /// Adds features to a copy, as one group.
  static func add(_ count: Int, named prefix: String, to file: URL) async throws {
    let store = try EditableGeodatabase.open(at: file, now: { Date() }, makeID: { UUID() })
    _ = try await store.apply(
      (0..<count).map { number in
        .add(
          NewFeature(
            attributes: ["NAME": .text("\(prefix) \(number)")],
            geometry: .point(Point(x: -7_700_000 + Double(number), y: 5_400_000))),
          table: Self.table)
      })
    await store.close()
  }

  /// Synchronizes a copy.
  func sync(
    _ file: URL, clock: any Clock<Duration> = ContinuousClock()
  ) async throws -> GeodatabaseSyncTask.Result {
    try await GeodatabaseSyncTask(
      geodatabase: file, client: client, folder: folder,
      surroundings: OfflineSurroundings(
        freeSpace: { _ in nil }, clock: clock, now: { Date() }, chance: { 0.5 }, makeID: { UUID() })
    ).synchronize(.bidirectional)
  }
}

/// Passes requests on, and counts them and their bytes.
final class CountingTransport: HTTPTransport {
  /// A request.
  struct Request: Sendable {
    /// When it went out, in seconds, on the clock of the client.
    var moment: Double
    var sent: Int
    var received: Int
  }

  private let inner: any HTTPTransport
  private let seen = Mutex<[Request]>([])
  private let moment = Mutex<@Sendable () -> Double>({ 0 })

  init(_ inner: any HTTPTransport) { self.inner = inner }

  /// The requests since this was asked last.
  func takeRequests() -> [Request] {
    seen.withLock { requests in
      defer { requests = [] }
      return requests
    }
  }

  /// Lets requests be timed by a clock.
  func onRequest(_ moment: @escaping @Sendable () -> Double) {
    self.moment.withLock { $0 = moment }
  }

  func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    let moment = moment.withLock { $0 }()
    let counter = CountingSink(sink)
    // Before it is sent: who sends a file removes it afterwards.
    let sent = request.url.absoluteString.utf8.count + Self.size(of: request.body)
    let head = try await inner.send(request, into: counter)
    let entry = Request(moment: moment, sent: sent, received: counter.count)
    seen.withLock { $0.append(entry) }
    return head
  }

  private static func size(of body: HTTPRequest.Body?) -> Int {
    switch body {
    case .bytes(let data): data.count
    // A file that cannot be looked at is not sent either.
    case .file(let url): (try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
    case nil: 0
    }
  }
}

/// Passes a body on, and counts its bytes.
private final class CountingSink: HTTPBodySink {
  private let inner: any HTTPBodySink
  private let bytes = Mutex(0)

  init(_ inner: any HTTPBodySink) { self.inner = inner }

  var count: Int { bytes.withLock { $0 } }

  func begin(_ head: HTTPResponseHead) throws(TransportError) { try inner.begin(head) }

  func receive(_ piece: RawSpan) throws(TransportError) {
    let size = piece.byteCount
    bytes.withLock { $0 += size }
    try inner.receive(piece)
  }
}
