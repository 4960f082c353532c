import PortolanJobs
import PortolanLibrary
import PortolanPortal
import PortolanTransport
import Testing

@testable import PortolanGeodatabase
@testable import PortolanOffline

/// The meaning of an error for a job, for its request, and for other services.
@Suite struct ServiceErrorTests {
  private static func refusal(
    _ code: Int?, _ message: String = "No.", _ details: [String] = []
  ) -> PortalError {
    .server("a", ErrorEnvelope(code: code, message: message, details: details))
  }

  private static let errors: [(name: String, error: PortalError)] = [
    ("cancelled", .cancelled), ("offline", .transport(.offline)),
    ("unknown host", .transport(.unknownHost("a"))),
    ("broken off", .transport(.interrupted("a", reason: "b"))),
    ("malformed", .transport(.malformed("a", reason: "b"))),
    ("redirects", .transport(.tooManyRedirects("a"))),
    ("too large", .transport(.tooLarge("a", limit: 1))),
    ("storage", .transport(.storage(file: "a", reason: "b"))),
    ("full disk", .transport(.diskFull(file: "a", needed: nil))),
    ("sign-in", .signInNeeded(host: "a")),
    ("not permitted", .notPermitted("a", ErrorEnvelope(code: 403, message: "No."))),
    ("not found", .notFound("a", nil)),
    ("too often", .rateLimited(host: "a", retryAfter: .seconds(7))),
    ("page", .notJSON("a", .html(title: nil))), ("other", .unexpected("a", reason: "b")),
    ("400", refusal(400)), ("404", refusal(404)), ("408", refusal(408)), ("410", refusal(410)),
    ("500", refusal(500)), ("503", refusal(503)), ("no code", refusal(nil)),
  ]

  /// The errors of which something is true, and of which it is true as well where a part met them.
  private func names(
    _ isMeant: (PortalError) -> Bool, asPartToo: Bool = true
  ) -> [String] {
    Self.errors.filter { _, error in
      let isTrue = isMeant(error)
      let isTrueOfPart = isMeant(.part("Roads", error))
      if asPartToo { #expect(isTrueOfPart == isTrue, "\(error)") }
      return isTrue
    }.map(\.name)
  }

  @Test func `Only a response that the requested resource does not exist counts as its absence`() {
    #expect(names { $0.saysGone } == ["not found", "400", "404", "410"])
  }

  @Test func `A copy may have been made unless the request was refused or never arrived`() {
    let certain = [
      "offline", "unknown host", "sign-in", "not permitted", "not found", "too often", "400", "404",
      "410",
    ]
    #expect(names({ $0.saysNothingWasMade }, asPartToo: false) == certain)
  }

  @Test func `A request is not repeated after a final answer of the service`() {
    let final = ["not permitted", "not found", "400", "404", "410", "500", "no code"]
    #expect(names { $0.refusesQuestion } == final)
  }

  @Test func `A page, or JSON of another shape, is no answer`() {
    #expect(names { $0.isUnreadable } == ["page", "other"])
  }

  @Test func `Without a network no other service is asked, after all else it is`() {
    let others = Self.errors.map(\.name).filter { !["cancelled", "offline"].contains($0) }
    #expect(names { $0.leavesOtherServices } == others)
    #expect(!PortalError.transport(.cancelled).leavesOtherServices)
  }

  private static let words: [(String, [String], Bool)] = [
    ("Invalid dataFormat.", [], true), ("No.", ["The data format is unknown."], true),
    ("SQLite is not supported.", [], true), ("SQLITE_FULL: the disk is full.", [], false),
    ("Unable to complete.", [], false),
  ]

  @Test(arguments: words)
  func `JSON is asked for where the service knows no geodatabases, and not where it fails`(
    _ message: String, _ details: [String], _ isRefusal: Bool
  ) {
    #expect(Self.refusal(400, message, details).refusesDataFormat == isRefusal)
    let envelope = ErrorEnvelope(code: 404, message: message, details: details)
    #expect(!PortalError.notFound("a", envelope).refusesDataFormat)
  }

  @Test func `A job's reaction to a portal error follows from its remedy`() {
    let kinds: [String: JobFailureKind] = [
      "broken off": .transient, "malformed": .damaged, "redirects": .damaged,
      "too large": .refused, "storage": .device, "not permitted": .signIn, "not found": .absent,
      "too often": .transient, "page": .damaged, "other": .damaged, "400": .refused,
      "404": .refused, "408": .transient, "410": .absent, "500": .transient, "503": .transient,
      "no code": .refused,
    ]
    let waits: [String: JobInterruption] = [
      "cancelled": .stopped, "offline": .waiting(.network), "unknown host": .waiting(.network),
      "full disk": .waiting(.space(missing: 0)), "sign-in": .waiting(.signIn(host: "a")),
    ]
    for (name, error) in Self.errors {
      let interruption = JobInterruption(error)
      guard case .failed(let failure) = interruption else {
        #expect(interruption == waits[name], "\(name)")
        continue
      }
      #expect(failure.kind == kinds[name], "\(name)")
      #expect(failure.message == error.errorDescription, "\(name)")
      #expect(failure.advice == error.recoverySuggestion, "\(name)")
      #expect(failure.retryAfter == (name == "too often" ? 7 : nil), "\(name)")
    }
  }

  @Test func `The status of an error is that of the answer, or the code in it`() {
    let statuses: [String: Int] = [
      "sign-in": 401, "not permitted": 403, "not found": 404, "too often": 429, "400": 400,
      "404": 404, "408": 408, "410": 410, "500": 500, "503": 503,
    ]
    for (name, error) in Self.errors {
      #expect(error.status == statuses[name], "\(name)")
      #expect(PortalError.part("Roads", error).status == statuses[name], "\(name)")
    }
    #expect(PortalError.notFound("a", ErrorEnvelope(code: 400, message: "")).status == 400)
  }

  private static let kinds: [(OfflineMapError, JobFailureKind)] = [
    (.packagingNotComplete(area: "a"), .absent), (.packagingFailed(area: "a"), .absent),
    (.noPackages(area: "a"), .absent), (.replicaForgotten(service: "a"), .absent),
    (.updatesPurged(area: "a"), .absent), (.damaged(file: "a", reason: "b"), .damaged),
    (.changesMissing(service: "a"), .damaged),
    (.noReferenceBasemap(file: "a", reason: "b"), .device),
    (.serverJobForgotten(service: "a"), .transient), (.serviceChanged(service: "a"), .transient),
    (.wrongItemType(item: "a", type: "b", expected: "c"), .refused),
    (.unusablePackage(reason: "a"), .refused), (.badParameters, .refused),
    (.unknownJobKind("a"), .refused), (.areaEmpty, .refused), (.areaCrossesDateline, .refused),
    (.areaCrossesItself, .refused), (.areaOutside(map: "a", exchanged: nil), .refused),
    (.attachmentOptions(returned: "a", direction: "b"), .refused),
    (.badScales(minimum: 1, maximum: 2), .refused), (.offlineDisabled(map: "a"), .refused),
    (.nothingToTake(map: "a"), .refused), (.noSuchLayer("a", map: "b"), .refused),
    (.serverJobFailed(service: "a", reason: "b"), .refused),
    (.tooManyTiles(service: "a", count: 2, limit: 1), .refused),
    (.notSynchronized(file: "a"), .refused), (.keptWithoutUpdates(map: "a"), .refused),
    (.replicaRefused(service: "a", reason: "b"), .refused),
  ]

  @Test(arguments: kinds)
  func `The reason why a map cannot be taken offline decides whether the job is retried`(
    _ error: OfflineMapError, _ kind: JobFailureKind
  ) {
    #expect(JobInterruption(error) == .failed(JobFailure(error, kind: kind)))
  }

  @Test func `What keeps a map from being stored is waited for where it ends by itself`() {
    let waits: [(LibraryError, JobInterruption)] = [
      (.cancelled, .stopped), (.diskFull(file: "a"), .waiting(.space(missing: 0))),
      (.notRecorded(map: "a"), .waiting(.space(missing: 0))),
      (.beingEdited(map: "a", by: "b"), .waiting(.editing(map: "a", by: "b"))),
    ]
    for (error, interruption) in waits { #expect(JobInterruption(error) == interruption) }
    let failures: [LibraryError] = [
      .unwritable(file: "a", reason: "b"), .noSuchMap("a"), .unsentEdits(map: "a", count: 1),
    ]
    for error in failures {
      #expect(JobInterruption(error) == .failed(JobFailure(error, kind: .device)))
    }
    // The other program is done some time.
    let written = LibraryError.beingWritten(file: "a")
    #expect(JobInterruption(written) == .failed(JobFailure(written, kind: .transient)))
    let fields = ChangedFields(table: "a", layerID: 1, missing: ["b"], unknown: [])
    #expect(JobInterruption(fields) == .failed(JobFailure(fields, kind: .refused)))
  }
}
