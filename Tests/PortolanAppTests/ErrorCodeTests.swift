import Foundation
import PortolanApp
import PortolanFeatures
import PortolanJobs
import PortolanLibrary
import PortolanPackages
import PortolanPortal
import PortolanSearch
import PortolanTileCache
import PortolanTransport
import PortolanWebMaps
import Testing

@Suite struct ErrorCodeTests {
  private static let page = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Docs/ERRORS.md")

  /// The words in back quotes that begin the rows of the page, with the words of their second column.
  private func rows() throws -> [(name: String, second: String)] {
    try String(contentsOf: Self.page, encoding: .utf8).split(separator: "\n").compactMap { line in
      line.prefixMatch(of: /\| `([A-Za-z-]+)` \| ([^|]*) \|/).map { (String($0.1), String($0.2)) }
    }
  }

  @Test func `The documents list each code once, with its kind, and each next action`() throws {
    let documented = try rows()
    let codes = ErrorCode.allCases.map { "\($0.rawValue) \($0.kind.rawValue)" }
    let actions = NextAction.Kind.allCases.map(\.rawValue)
    let kinds = Set(Problem.Kind.allCases.map(\.rawValue))
    let listedCodes = documented.filter { kinds.contains($0.second) }
    #expect(listedCodes.map { "\($0.name) \($0.second)" }.sorted() == codes.sorted())
    #expect(documented.map(\.name).filter(actions.contains).sorted() == actions.sorted())
  }

  @Test func `A code is a word in lower case with dashes`() {
    for code in ErrorCode.allCases {
      #expect(code.rawValue.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil, "\(code.rawValue)")
    }
  }

  private static let silences: [TransportError] = [
    .offline, .unknownHost("a.example"), .unreachable(host: "a.example", reason: "refused"),
    .timedOut("https://a.example", phase: .firstByte),
    .interrupted("https://a.example", reason: "reset"),
  ]

  @Test(arguments: silences)
  func `That no server has answered is of the network, whatever tells it`(
    _ error: TransportError
  ) {
    var failure = JobFailure(message: "No.", kind: .transient)
    failure.isUnanswered = true
    let errors: [any Error] = [
      error, PortalError.transport(error), PortalError.part("the layers", .transport(error)),
      TileCacheError.transport(error), OnlineMapError.portal(.transport(error)), failure,
      FeatureStoreError.unanswered(UnansweredQuery(cause: .silence, reason: "No.")),
    ]
    for error in errors { #expect(Problem(error).kind == .network, "\(error)") }
  }

  @Test(
    arguments: [
      ("unreachable", ErrorCode.unreachable), ("sign-in-needed", .signInNeeded),
      ("no code of this version", .failed), (nil, .failed),
    ] as [(String?, ErrorCode)])
  func `A geocode service that failed has the code of what kept it from answering`(
    _ word: String?, _ code: ErrorCode
  ) {
    let problem = Problem(SearchError.serviceFailed(reason: "No.", suggestion: nil, code: word))
    #expect(problem.code == code && problem.kind == code.kind)
  }

  @Test func `A server that has answered, with whatever, is no matter of the network`() {
    let envelope = ErrorEnvelope(code: 500, message: "HTTP status 500")
    let errors: [any Error] = [
      TransportError.untrusted(host: "a.example", reason: "expired"),
      PortalError.server("https://a.example", envelope),
      PortalError.rateLimited(host: "a.example", retryAfter: nil),
      TileCacheError.refused("https://a.example", status: 503),
      JobFailure(message: "No.", kind: .transient),
    ]
    for error in errors { #expect(Problem(error).kind == .failure, "\(error)") }
  }

  @Test func `A failure for want of a sign-in says at which host`() {
    var failure = JobFailure(message: "No.", kind: .signIn)
    failure.signInHost = "a.example"
    #expect(Problem(failure).actions == [NextAction(.signIn, "a.example")])
  }

  private static let table: [(any Error, ErrorCode, [NextAction.Kind])] = [
    (TransportError.interrupted("https://a.example", reason: "reset"), .connectionLost, [.retry]),
    (TransportError.offline, .noNetwork, [.goOnline]),
    (PortalError.part("the layers", .signInNeeded(host: "a.example")), .signInNeeded, [.signIn]),
    (
      PortalError.signIn(.refused(host: "a.example", reason: "")), .signInRefused,
      [.signInWithBrowser]
    ),
    (FeatureStoreError.noSuchField(name: "a", table: "b"), .noSuchField, [.listFields]),
    (PackageError.noSpace(file: "a.mmpk", needed: 2, available: 1), .diskFull, [.freeSpace]),
    (LibraryError.unsentEdits(map: "a", count: 1), .unsentEdits, [.sendEdits]),
    (LibraryError.notInTrash(nil), .notInTrash, [.listKept]),
    (LibraryError.notInTrash("Maine"), .notInTrash, [.listDeleted]),
    (JobError.unknown("a"), .noSuchJob, [.listJobs]),
    (JobFailure(message: "Full.", kind: .device), .unwritable, [.freeSpace]),
    (TileCacheError.forbidden(source: "a", reason: "b"), .bulkForbidden, [.allowRegions]),
    (CocoaError(.fileNoSuchFile), .failed, []),
  ]

  @Test(arguments: table.indices)
  func `Defect 3, an error says what happened also where only that it is one is known`(
    _ row: Int
  ) throws {
    let error = Self.table[row].0
    guard let localized = error as? any LocalizedError, !(error is CocoaError) else { return }
    let sentence = try #require(localized.errorDescription)
    #expect(error.localizedDescription == sentence)
    #expect(Problem(error).message == sentence)
    #expect(!sentence.isEmpty && !sentence.contains("could not be completed"))
  }

  @Test(arguments: table.indices)
  func `An error has a code and what can be done next`(_ row: Int) {
    let (error, code, actions) = Self.table[row]
    let problem = Problem(error)
    #expect(problem.code == code)
    #expect(problem.actions.map(\.kind) == actions)
  }

  @Test func `A problem is the same after it was sent elsewhere`() throws {
    let problem = Problem(LibraryError.unsentEdits(map: "a", count: 1))
    let data = try JSONEncoder().encode(problem)
    #expect(try JSONDecoder().decode(Problem.self, from: data) == problem)
  }

  @Test func `A shell's words take the place of the general ones`() {
    let actions = [NextAction(.signIn, "a.example"), NextAction(.retry), NextAction(.listMaps)]
    let words: (NextAction) -> String? = { action in
      switch action.kind {
      case .signIn: "Tap the lock."
      case .listMaps: "Tap the list."
      default: nil
      }
    }
    func advice(_ suggestion: String?) -> String? {
      Problem(message: "No.", suggestion: suggestion, actions: actions).advice(wording: words)
    }
    #expect(advice("Sign in. It helps.") == "Tap the lock. It helps. Tap the list.")
    #expect(
      advice("Check the list of maps, or sign in as another user.")
        == "Check the list of maps, or sign in as another user.")
    #expect(advice("Wait, or sign in.") == "Wait, or tap the lock. Tap the list.")
    #expect(advice(nil) == "Tap the lock. Tap the list.")
    #expect(Problem(message: "No.").advice(wording: words) == nil)
  }
}
