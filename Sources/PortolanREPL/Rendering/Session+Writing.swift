internal import Foundation
internal import PortolanApp
internal import PortolanJSON

extension Session {
  /// Whether a file that a command makes may take the place of one that is there.
  ///
  /// The user is asked, unless the line says so already or nothing is there.
  @MainActor func mayReplace(_ url: URL) async -> Bool { await mayReplace([url]) }

  /// Whether files that a command makes may take the places of those that are there.
  @MainActor func mayReplace(_ urls: [URL]) async -> Bool {
    let names = urls.filter {
      FileManager.default.fileExists(atPath: $0.path(percentEncoded: false))
    }
    .map(\.lastPathComponent)
    guard !names.isEmpty, !options.assumesYes else { return options.assumesYes }
    let question =
      names.count == 1
      ? "\(names[0]) exists already. Replace it?"
      : "\(names.joined(separator: ", ")) exist already. Replace them?"
    return await console.confirm(question) == true
  }

  /// Shows the progress of something, whatever reports it.
  ///
  /// - Parameters:
  ///   - show: A report as a passing line for people, and the same for programs.
  ///   - work: What is done; it finishes the reports.
  /// - Returns: What the work returns.
  /// - Throws: What the work throws.
  @MainActor func showing<Report: Sendable, Result>(
    _ show: @escaping @Sendable (Report) -> (text: String, json: JSONValue),
    of work: @MainActor (AsyncStream<Report>.Continuation) async throws -> Result
  ) async throws -> Result {
    let (reports, continuation) = AsyncStream.makeStream(
      of: Report.self, bufferingPolicy: .bufferingNewest(1))
    let presenter = presenter
    let watcher = Task {
      for await report in reports {
        let report = show(report)
        presenter.progress(report.text, json: report.json)
      }
    }
    defer { watcher.cancel() }
    let result = try await work(continuation)
    await watcher.value
    return result
  }

  /// Shows how far something is that is being written.
  @MainActor func showingProgress<Result>(
    of work: @MainActor (AsyncStream<WorkProgress>.Continuation) async throws -> Result
  ) async throws -> Result {
    try await showing({ ($0.text, $0.json) }, of: work)
  }
}
