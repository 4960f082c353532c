public import Foundation
public import Observation
public import PortolanConversion
internal import PortolanFeatures

/// The screen that converts files.
@MainActor
@Observable
public final class ConversionModel {
  /// What is asked for.
  public struct Request: Hashable, Sendable {
    /// The file or folder to convert.
    public var input: URL
    /// The file or folder to make; its ending tells the format.
    public var output: URL
    /// What is wanted of the conversion.
    public var parameters: Conversion.Parameters

    /// Creates a request.
    public init(
      _ input: URL, to output: URL, _ parameters: Conversion.Parameters = Conversion.Parameters()
    ) {
      self.input = input
      self.output = output
      self.parameters = parameters
    }
  }

  /// What the screen shows.
  public enum State: Hashable, Sendable, Codable {
    case idle
    case running(ConversionProgress?)
    case done(ConversionResult)
    case failed(Problem)

    /// Whether a conversion may be started.
    public var canConvert: Bool {
      if case .running = self { false } else { true }
    }
  }

  /// The current state; observe this.
  public private(set) var state = State.idle

  @ObservationIgnored private let opener: any FileOpening
  @ObservationIgnored private let environment: ConversionEnvironment

  /// Creates the screen.
  public init(
    opener: any FileOpening, environment: ConversionEnvironment = ConversionEnvironment()
  ) {
    self.opener = opener
    self.environment = environment
  }

  /// Converts a file; cancelling the task stops it and leaves nothing behind.
  ///
  /// - Parameters:
  ///   - request: What is asked for.
  ///   - progress: Gets every report, one by one, and is finished at the end.
  /// - Returns: What came of it, which ``state`` holds too.
  /// - Throws: A problem if a conversion is running, else why this one failed.
  @discardableResult
  public func convert(
    _ request: Request, progress: AsyncStream<ConversionProgress>.Continuation? = nil
  ) async throws -> ConversionResult {
    defer { progress?.finish() }
    guard state.canConvert else {
      throw Problem(message: "A conversion is running.", suggestion: "Wait for its end.")
    }
    state = .running(nil)
    do {
      let result = try await run(request, progress)
      state = .done(result)
      return result
    } catch {
      state = .failed(Problem(error))
      throw error
    }
  }

  private func run(
    _ request: Request, _ progress: AsyncStream<ConversionProgress>.Continuation?
  ) async throws -> ConversionResult {
    // The target is checked before anything is opened, which may take long.
    try Conversion.check(
      request.output, from: request.input, replaces: request.parameters.replacesTarget)
    let conversion = try Conversion(
      of: try await source(of: request), at: request.input, to: request.output,
      request.parameters, environment: environment)
    return try await conversion.run(followedBy: progress) { state = .running($0) }
  }

  private func source(of request: Request) async throws -> Conversion.Source {
    switch try await opener.open(request.input) {
    case .features(let store, _): return .features(store)
    case .package(let package, _): return .package(package)
    case .tiles(let source, _): return .tiles([source])
    case .geoPackage(let contents, _):
      // Its tiles, if they are asked for, are found by the conversion.
      if let store = contents.features { return .features(store) }
      return .tiles(contents.tiles)
    case .map(_, let facts): throw ConversionError.nothingToConvert(file: facts.name)
    case .closed(let facts):
      throw InspectionError.closedFormat(file: facts.name, kind: facts.kind)
    }
  }
}
