public import Foundation
public import Observation
internal import PortolanAuthoring
public import PortolanConversion
public import PortolanPackages

/// The screen that makes packages from files that describe them.
@MainActor
@Observable
public final class AuthoringModel {
  /// The parameters of the creation of a package.
  public struct Request: Hashable, Sendable {
    /// The specification.
    public var specification: URL
    /// The package to make.
    public var output: URL
    /// Whether an existing file there may be replaced.
    public var replacesTarget: Bool

    /// Creates a request.
    public init(_ specification: URL, to output: URL, replacesTarget: Bool = false) {
      self.specification = specification
      self.output = output
      self.replacesTarget = replacesTarget
    }
  }

  /// The state of the screen.
  public enum State: Hashable, Sendable, Codable {
    case idle
    case running(AuthoringStep?)
    case done(AuthoringReport)
    case failed(Problem)

    /// Whether making a package may be started.
    public var canCreate: Bool {
      if case .running = self { false } else { true }
    }
  }

  /// The current state; observe this.
  public private(set) var state = State.idle

  @ObservationIgnored private let environment: ConversionEnvironment
  @ObservationIgnored private let drawing: any MapDrawing

  /// Creates the screen.
  ///
  /// - Parameters:
  ///   - environment: Where the clock and the ids come from.
  ///   - drawing: Draws the pictures of the maps.
  public init(
    environment: ConversionEnvironment = ConversionEnvironment(),
    drawing: any MapDrawing = NoDrawing()
  ) {
    self.environment = environment
    self.drawing = drawing
  }

  /// Makes a package; cancelling the task stops it and leaves nothing behind.
  ///
  /// - Parameters:
  ///   - request: What is requested.
  ///   - progress: Gets every report, and is finished at the end.
  /// - Returns: The result, which ``state`` holds too.
  /// - Throws: A problem if a package is being made, else why this one cannot be; one of an existing
  ///   file offers ``NextAction/Kind/replace``.
  @discardableResult
  public func create(
    _ request: Request, progress: AsyncStream<AuthoringStep>.Continuation? = nil
  ) async throws(Problem) -> AuthoringReport {
    defer { progress?.finish() }
    guard state.canCreate else {
      throw Problem(message: "A package is being made.", suggestion: "Wait until it is finished.")
    }
    state = .running(nil)
    do {
      let report = AuthoringReport(try await run(request, progress))
      state = .done(report)
      return report
    } catch {
      let problem = Problem(error)
      state = .failed(problem)
      throw problem
    }
  }

  /// Writes a specification to begin with: one map that shows all tables of some files.
  ///
  /// - Parameters:
  ///   - specification: The specification.
  ///   - files: Files of features, and at most one tile package, which becomes the backdrop.
  ///   - replacesTarget: Whether an existing file there may be replaced.
  /// - Throws: A problem if a file cannot be read, or the specification not be written.
  public func draft(
    _ specification: URL, showing files: [URL], replacesTarget: Bool = false
  ) async throws(Problem) {
    do {
      try await SpecificationDraft.write(
        for: files, to: specification, replacing: replacesTarget)
    } catch {
      throw Problem(error)
    }
  }

  private func run(
    _ request: Request, _ progress: AsyncStream<AuthoringStep>.Continuation?
  ) async throws -> AuthoringResult {
    let (reports, continuation) = AsyncStream.makeStream(
      of: AuthoringProgress.self, bufferingPolicy: .bufferingNewest(1))
    async let result = Self.write(request, environment, drawing, reporting: continuation)
    for await report in reports {
      let step = AuthoringStep(report)
      state = .running(step)
      progress?.yield(step)
    }
    return try await result
  }

  @concurrent private static func write(
    _ request: Request, _ environment: ConversionEnvironment, _ drawing: any MapDrawing,
    reporting reports: AsyncStream<AuthoringProgress>.Continuation
  ) async throws -> AuthoringResult {
    defer { reports.finish() }
    let specification = try PackageSpecification(unchecked: request.specification)
    // The target is checked before any data are opened, which may take long.
    try PackageAuthor.check(request.output, replaces: request.replacesTarget)
    return try await PackageAuthor(specification, environment: environment, drawing: drawing)
      .write(to: request.output, replacing: request.replacesTarget) { reports.yield($0) }
  }
}
