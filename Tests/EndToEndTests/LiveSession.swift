import Foundation
import PortolanApp
import PortolanComposition
import PortolanDemo
import PortolanJobs
import PortolanRendering
import PortolanTransport
import Testing

@testable import PortolanREPL

/// A session of the live app, with a home of its own, that remembers what a person would see.
@MainActor
struct LiveSession {
  /// The console that shows the output.
  let console: TranscriptConsole
  private let session: Session
  /// Texts that differ from run to run, and what stands for them.
  private let replacements: [(String, String)]

  /// Starts the app as a process would.
  ///
  /// - Parameters:
  ///   - home: The home folder.
  ///   - portal: The portal that the command line names.
  ///   - isOffline: Whether `--offline` was given.
  ///   - environment: The environment of the process.
  ///   - world: The network, the time and the disk; those of this machine unless given.
  ///   - console: What is seen, and who answers.
  ///   - openFile: Opens files on the desktop; there is none unless given.
  ///   - replacing: Texts that differ from run to run, and what stands for them.
  init(
    home: URL, portal: URL? = nil, isOffline: Bool = false, environment: [String: String] = [:],
    world: TestWorld? = nil,
    console: TranscriptConsole = TranscriptConsole(width: 100, usesColor: false),
    openFile: @escaping @MainActor @Sendable (URL) -> Bool = { _ in false },
    replacing: [(URL, String)] = []
  ) {
    let folder = HomeFolder(option: home.path(percentEncoded: false), environment: [:])
    let account = LiveAccount(
      home: folder, environment: environment, portal: portal?.absoluteString,
      isOffline: isOffline,
      surroundings: world?.surroundings(home: folder, environment: environment))
    var options = GlobalOptions()
    options.isOffline = isOffline
    session = Session(
      console: console, options: options,
      app: LiveApp(home: folder, timeZone: .gmt, drawing: PictureDrawing()).model(for: account),
      sample: BuiltSample(home: folder), tour: LiveTour(environment: [:]), openFile: openFile,
      account: account.screens,
      environment: environment)
    self.console = console
    replacements = replacing.flatMap { url, name in
      guard !url.isFileURL, let host = url.host(), let port = url.port else {
        return [(url.path(percentEncoded: false), name)]
      }
      return [(url.absoluteString, name), ("\(host):\(port)", "PORTAL")]
    }
  }

  /// Types lines and returns all that is seen.
  func transcript(_ lines: [String]) async -> String {
    for line in lines { await type(line) }
    return seen
  }

  /// Types a line.
  func type(_ line: String) async { await type(line, in: session) }

  private func type(_ line: String, in session: Session) async {
    console.echo(line)
    let outcome = await session.interpreter.run(line, in: session)
    if outcome.status != .done { console.write("[\(outcome.status)]") }
  }

  /// All that was seen so far, without what differs from run to run: passing lines, and the room
  /// that files take on this disk.
  var seen: String {
    let lines = console.transcript.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("~ ") && !$0.contains(/^! (.*  \[[= ]+\]|".*" continues, )/) }
    var text = lines.joined(separator: "\n")
    text.replace(/(frees|Everything, on disk:|continues,) [\d.]+ .*$/.anchorsMatchLineEndings()) {
      "\($0.1) …"
    }
    text.replace(/(On disk: +)[\d.]+ .*$/.anchorsMatchLineEndings()) { "\($0.1)…" }
    text.replace(/(Stored: +)[\d.]+ .*$/.anchorsMatchLineEndings()) { "\($0.1)…" }
    // Dates of features are older, and stay.
    text.replace(/20(?:2[6-9]|[3-9]\d)-\d\d-\d\dT[\d:]+Z/) { _ in "TIME" }
    // Ids of other processes; those of the session are counted from 1.
    text.replace(/(?m)^(?!0000000)[0-9a-f]{8}(  )/) { "another \($0.1)" }
    text.replace(/( is deleted,) [^;]*;/) { "\($0.1) …;" }
    text.replace(/( +[\d.]+ [kMG]?B){2}$/.anchorsMatchLineEndings()) { _ in "  …" }
    return replacements.reduce(text) { $0.replacing($1.0, with: $1.1) }
  }

  // MARK: - At a prompt

  /// Works on downloads beside the lines that `body` types, as at a prompt, until it is done.
  func atPrompt(_ body: (Prompt) async throws -> Void) async throws {
    let announcer = JobAnnouncer(session: session)
    let work = Task { await announcer.run() }
    var session = session
    session.worksBesidePrompt = true
    do {
      try await body(Prompt(live: self, session: session))
    } catch {
      work.cancel()
      await work.value
      throw error
    }
    work.cancel()
    await work.value
  }

  /// A prompt beside which downloads go on.
  @MainActor
  struct Prompt {
    fileprivate let live: LiveSession
    fileprivate let session: Session

    /// Types a line.
    func type(_ line: String) async { await live.type(line, in: session) }

    /// Waits until something was seen.
    func wait(for text: String) async throws {
      try await wait("never seen: \(text)") { live.console.transcript.contains(text) }
    }

    /// Waits until the job with that title has brought a file.
    func waitForFile(of title: String) async throws {
      try await wait("\(title) never had a file") {
        let job = session.app.library?.jobList?.jobs.first { $0.title == title }
        return job.map { $0.progress.items > 0 } ?? false
      }
    }

    /// Waits until the job with that title is at work: until then it stands in the queue, for a time
    /// that depends on the machine.
    func waitUntilRunning(_ title: String) async throws {
      try await wait("\(title) was never begun") {
        session.app.library?.jobList?.jobs.first { $0.title == title }?.state == .running
      }
    }

    /// Waits until something holds; two minutes later it is clear that it never will.
    private func wait(_ complaint: String, until holds: () -> Bool) async throws {
      let end = ContinuousClock.now.advanced(by: .seconds(120))
      while !holds() {
        guard ContinuousClock.now < end else {
          Issue.record("\(complaint)\n\(live.console.transcript)")
          throw CancellationError()
        }
        await Task.yield()
      }
    }
  }
}
