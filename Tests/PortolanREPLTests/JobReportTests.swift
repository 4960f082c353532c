import Foundation
import PortolanApp
import PortolanJSON
import PortolanJobs
import Testing

@testable import PortolanREPL

@Suite struct JobReportTests {
  private static func job(_ name: String, _ state: JobState) throws -> Job {
    var job = Job(
      id: try #require(JobID("job-\(name)")), kind: "preplanned-area", subject: name, title: name,
      parameters: Data(), created: Date(timeIntervalSince1970: 0), position: 0)
    job.state = state
    return job
  }

  private static let refusal = JobState.failed(
    JobFailure(message: "The server refused.", advice: "Ask its owner.", kind: .refused))

  @Test func `One download that failed does not fail the others`() throws {
    let report = JobReport(
      jobs: [try Self.job("Casco", .succeeded), try Self.job("Acadia", Self.refusal)])
    let result = try report.ending()
    #expect(result.status == .partlyDone)
    guard case .document(let text, _) = result.body else {
      Issue.record("nothing is written")
      return
    }
    let lines = "\(text)"
    #expect(lines.contains("Casco") && lines.contains("The server refused."))
  }

  @Test(arguments: [
    (0, "\"Casco\" is synchronized; nothing had changed."),
    (
      1,
      "\"Casco\" is synchronized; nothing was sent or received. 1 edit waits for a decision; "
        + "\"conflicts\" lists it."
    ),
  ])
  func `Edits that wait for a decision are not reported as if nothing had changed`(
    _ waiting: Int, _ sentence: String
  ) throws {
    var job = Job(
      id: try #require(JobID("job-1")), kind: "sync-offline-map", subject: "a", title: "Casco",
      parameters: Data(), created: Date(timeIntervalSince1970: 0), position: 0)
    let part = """
      {"path": "a.geodatabase", "layers": [], "sent": 0, "added": 0, "updated": 0, "removed": 0,
       "waiting": \(waiting), "isRegisteredAgain": false}
      """
    job.checkpoint = Data(#"{"parts": [\#(part)]}"#.utf8)
    #expect(SyncText.sentence(job) == sentence)
  }

  @Test(arguments: [JobState.paused, .cancelled])
  func `A download that another process stopped is not done; one that was to stop is`(
    _ state: JobState
  ) throws {
    let report = JobReport(jobs: [try Self.job("Casco", state)])
    #expect(try report.ending().status == .partlyDone)
    #expect(try report.ending(asAsked: true).status == .done)
  }

  @Test func `If none of several jobs is done, each is reported`() throws {
    let jobs = [
      try Self.job("Casco", .waiting(.network)), try Self.job("Acadia", .waiting(.network)),
    ]
    let failure = #expect(throws: Failure.self) { _ = try JobReport(jobs: jobs).ending() }
    #expect(failure?.status == .noNetwork && failure?.code == .noNetwork)
    let lines = failure?.message.split(separator: "\n") ?? []
    #expect(lines.count == 3 && lines[1].contains("Casco") && lines[2].contains("Acadia"))
    let mixed = #expect(throws: Failure.self) {
      _ = try JobReport(jobs: jobs + [try Self.job("Katahdin", Self.refusal)]).ending()
    }
    #expect(mixed?.status == .failed && mixed?.message.contains("The server refused.") == true)
    #expect(mixed?.suggestion?.contains("\"jobs --watch\"") == true)
  }

  @Test func `A server that no download reaches is a matter of the network, told with one advice`()
    throws
  {
    var silence = JobFailure(
      message: "It cannot be reached.",
      advice: "Try again; check the network if it happens again.", kind: .transient)
    silence.isUnanswered = true
    let jobs = [try Self.job("Casco", .failed(silence))]
    let failure = #expect(throws: Failure.self) { _ = try JobReport(jobs: jobs).ending() }
    #expect(failure?.status == .noNetwork)
    #expect(
      failure?.suggestion
        == "Try again with \"resume job-Casc\"; check the network if it happens again.")
  }

  private static func text(_ document: TextDocument) -> String {
    TextLayout(width: 200, usesColor: false).text(of: document)
  }

  private static func text(_ result: CommandResult) -> String {
    guard case .document(let document, _) = result.body else { return "" }
    return text(document)
  }

  private static func failed(_ kind: JobFailureKind, subject: String = "Casco") throws -> Job {
    var job = try Self.job(subject, .succeededInPart)
    job.failedItems = [
      JobFailedItem(
        name: "Parcels", attempts: 1, failure: JobFailure(message: "No.", kind: kind))
    ]
    return job
  }

  @Test func `Without a worker, a job that could run is shown as stopped, with what resumes it`()
    throws
  {
    let job = try Self.job("Casco", .waiting(.slot(ahead: 0)))
    let stopped = Self.text(JobPage(jobs: [job], isAttended: false).text)
    #expect(stopped.contains("stopped") && stopped.contains("\"resume job-Casc\" continues"))
    #expect(!stopped.contains("its turn"))
    #expect(Self.text(JobPage(jobs: [job]).text).contains("waiting for its turn"))
  }

  @Test(
    arguments: [
      ("preplanned-area", 1, "download"), ("preplanned-area", -1, "update"),
      ("mobile-map-package", nil, "download"), ("mobile-map-package", -1, "update"),
      ("on-demand-map", nil, "take offline"), ("sync-offline-map", -1, "sync"),
      ("export-tiles", nil, "export tiles"), ("of-another-version", nil, "unknown"),
    ] as [(String, Double?, String)])
  func `Jobs are listed with their kinds`(
    _ kind: String, _ secondsAfter: Double?, _ word: String
  ) throws {
    let job = Job(
      id: try #require(JobID("job-casco")), kind: kind, subject: "casco", title: "Casco",
      parameters: Data(), created: Date(timeIntervalSince1970: 0), position: 0)
    var page = JobPage(jobs: [job])
    page.stored["casco"] = secondsAfter.map { Date(timeIntervalSince1970: $0) }
    #expect(Self.text(page.text).contains("job-casc  \(word)  Casco  "))
  }

  @Test func `Asking again is offered only where a failure may pass`() throws {
    let offer = "\"retry job-Casc\""
    let mendable = try Self.failed(.damaged)
    #expect(Self.text(JobPage(jobs: [mendable]).text).contains(offer))
    #expect(try Self.text(JobReport(jobs: [mendable]).ending()).contains(offer))
    let excluded = try Self.failed(.excluded)
    let text = Self.text(JobPage(jobs: [excluded]).text)
    #expect(!text.contains("retry") && text.contains("\"accept job-Casc\""))
  }

  @Test func `How to sign in is said where a server asks for it, and nowhere else`() throws {
    let text = try Self.text(JobReport(jobs: [try Self.failed(.signIn)]).ending())
    #expect(text.contains("\"sign-in\", or \"sign-in --portal PORTAL\" for another portal."))
    #expect(text.contains("a server that has accounts of its own"))
    #expect(try !Self.text(JobReport(jobs: [try Self.failed(.damaged)]).ending()).contains("sign"))
    let job = try Self.job("Casco", .waiting(.signIn(host: "gis.example")))
    let failure = #expect(throws: Failure.self) { try JobReport(jobs: [job]).ending() }
    #expect(failure?.suggestion?.contains("\"sign-in --portal PORTAL\"") == true)
  }

  @Test func `A job that waits for this program does not name it as another one`() throws {
    let own = "process \(ProcessInfo.processInfo.processIdentifier) (portolan)"
    let job = try Self.job("Casco", .waiting(.editing(map: "Casco", by: own)))
    #expect(JobText.sentence(job) == "waiting until it is no longer edited by this program")
    #expect(job.json(pace: nil).object?["holder"] == "this program")
    let failure = #expect(throws: Failure.self) { try JobReport(jobs: [job]).ending() }
    #expect(failure?.message == "\"Casco\" waits until it is no longer edited by this program.")
  }

  @Test func `Who edits the map that a job waits for is named in narrow terminals as well`()
    throws
  {
    let holder = "process 1234567 (portolan)"
    let job = try Self.job("Casco", .waiting(.editing(map: "Casco", by: holder)))
    let text = TextLayout(width: 80, usesColor: false).text(of: JobPage(jobs: [job]).text)
    #expect(text.contains("The map is being edited by \(holder). It continues when"), "\(text)")
    let unknown = try Self.job("Casco", .waiting(.editing(map: "Casco", by: nil)))
    #expect(Self.text(JobPage(jobs: [unknown]).text).contains("    It continues when"))
  }

  @Test(arguments: [(JobFailureKind.damaged, true), (.absent, true), (.excluded, false)])
  func `Documents name asking again only where a failure may pass`(
    _ kind: JobFailureKind, _ isOffered: Bool
  ) throws {
    let actions = try Self.failed(kind).json(pace: nil).object?["actions"]?.array
    #expect(actions?.contains("retry") == isOffered)
    #expect(actions?.contains("accept") == true)
  }

  @Test func `What was left out by its nature is listed with its reason, and is no failure`() throws
  {
    var job = try Self.failed(.excluded)
    job.state = .succeeded
    let result = try JobReport(jobs: [job]).ending()
    #expect(result.status == .done)
    #expect(Self.text(result).contains(", but for:"))
    #expect(Self.text(result).contains("Parcels: No."))
    // A part that somebody does without is no news.
    var accepted = try Self.failed(.damaged)
    accepted.state = .succeeded
    #expect(try !Self.text(JobReport(jobs: [accepted]).ending()).contains("but for"))
  }

  @Test func `What was exchanged before a synchronization failed is told besides`() throws {
    var job = Job(
      id: try #require(JobID("job-sync")), kind: "sync-offline-map", subject: "a", title: "Casco",
      parameters: Data(), created: Date(timeIntervalSince1970: 0), position: 0)
    job.state = Self.refusal
    let report = JobReport(jobs: [job])
    let failure = #expect(throws: Failure.self) { _ = try report.ending() }
    #expect(failure?.message == "\"Casco\" could not be synchronized: The server refused.")
    job.checkpoint = Data(
      """
      {"parts": [{"path": "a", "layers": [], "sent": 3, "sentAttachments": 2, "added": 1,
        "receivedAttachments": 1, "updated": 0, "removed": 0, "waiting": 0,
        "isRegisteredAgain": false}]}
      """.utf8)
    let later = JobReport(jobs: [job])
    let other = #expect(throws: Failure.self) { _ = try later.ending() }
    #expect(
      other?.message == "\"Casco\" could not be synchronized: The server refused. Before that: "
        + "1 edit, 2 attachments sent; received 1 added (attachments among them: 1).")
    job.state = .succeeded
    #expect(
      try Self.text(JobReport(jobs: [job]).ending())
        .contains("2 attachments sent; received 1 added (attachments among them: 1)."))
  }

  @Test func `A server that names what it speaks of does not have it named twice`() throws {
    var job = try Self.failed(.damaged)
    job.failedItems[0].failure = JobFailure(message: "Parcels: No tiles lie there.", kind: .refused)
    #expect(job.failedItems[0].sentence == "Parcels: No tiles lie there.")
    let text = try Self.text(JobReport(jobs: [job]).ending())
    #expect(text.contains("Parcels: No tiles lie there.") && !text.contains("Parcels: Parcels"))
  }

  @Test func `Cancelling what is done in part says that the map stays`() throws {
    var job = try Self.failed(.damaged)
    job.state = .cancelled
    #expect(try Self.text(JobReport(jobs: [job]).ending()).contains("the map on this device stays"))
    let other = try Self.job("Acadia", .cancelled)
    #expect(
      try Self.text(JobReport(jobs: [other]).ending()).contains("its partial files are deleted"))
  }

  @Test func `If every download failed, each reason is reported, and where to find advice`()
    throws
  {
    let report = JobReport(
      jobs: [try Self.job("Casco", Self.refusal), try Self.job("Acadia", Self.refusal)])
    let failure = try #require(throws: Failure.self) { try report.ending() }
    #expect(failure.message.contains("Casco") && failure.message.contains("Acadia"))
    #expect(failure.suggestion == "\"jobs\" lists them with what helps.")
    let alone = try #require(throws: Failure.self) {
      try JobReport(jobs: [try Self.job("Casco", Self.refusal)]).ending()
    }
    #expect(alone.suggestion == "Ask its owner. \"resume job-Casc\" tries again.")
  }
}
