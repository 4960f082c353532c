internal import PortolanConversion

/// Work on a file that reports its progress.
protocol FollowedConversion: Sendable {
  /// Does the work, away from the main actor.
  @concurrent func run(
    reporting report: @escaping @Sendable (ConversionProgress) -> Void
  ) async throws -> ConversionResult
}

extension Conversion: FollowedConversion {}

extension VectorTileConversion: FollowedConversion {}

extension FollowedConversion {
  /// Does the work beside the screens, and reports its progress to them.
  ///
  /// - Parameters:
  ///   - progress: Gets every report too; its creator finishes it.
  ///   - show: Called with each report on the main actor.
  /// - Returns: The result.
  /// - Throws: Why it could not be done, as the conversion says.
  @MainActor func run(
    followedBy progress: AsyncStream<WorkProgress>.Continuation?,
    _ show: (WorkProgress) -> Void
  ) async throws -> ConversionResult {
    let (reports, continuation) = AsyncStream.makeStream(
      of: ConversionProgress.self, bufferingPolicy: .bufferingNewest(1))
    async let result = run(reporting: continuation)
    for await report in reports {
      let report = WorkProgress(report)
      show(report)
      progress?.yield(report)
    }
    return try await result
  }

  @concurrent private func run(
    reporting reports: AsyncStream<ConversionProgress>.Continuation
  ) async throws -> ConversionResult {
    defer { reports.finish() }
    return try await run { reports.yield($0) }
  }
}
