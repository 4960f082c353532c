public import Foundation
public import Observation
public import PortolanConversion
internal import PortolanFeatures
public import PortolanGeometry

/// The screen that converts files.
@MainActor
@Observable
public final class ConversionModel {
  /// The parameters of a conversion.
  public struct Request: Hashable, Sendable {
    /// The file or folder to convert.
    public var input: URL
    /// The file or folder to write; its extension is the format.
    public var output: URL
    /// The only table that is wanted, by name or alias without case; all if `nil`.
    public var layer: String?
    /// The spatial reference of coordinates; if `nil`, degrees in GeoJSON and comma-separated
    /// values, and the layer's own reference in formats that say which it is.
    public var coordinates: FeatureExport.Coordinates?
    /// The spatial reference of the source, whatever it says of them; what it says if `nil`.
    public var sourceReference: SpatialReference?
    /// Whether an existing target may be replaced.
    public var replacesTarget: Bool
    /// The condition that rows must meet, in SQL; all rows if `nil`.
    public var whereClause: String?
    /// The extent, in degrees on WGS 84, that shapes or tiles must reach into; all if `nil`.
    public var extent: Envelope?
    /// The levels of tiles that are wanted; all if `nil`.
    public var levels: ClosedRange<Int>?

    /// Creates a request; without more than the two places everything is converted.
    public init(
      _ input: URL, to output: URL, layer: String? = nil,
      coordinates: FeatureExport.Coordinates? = nil, replacesTarget: Bool = false
    ) {
      self.input = input
      self.output = output
      self.layer = layer
      self.coordinates = coordinates
      self.replacesTarget = replacesTarget
    }
  }

  /// The state of the screen.
  public enum State: Hashable, Sendable, Codable {
    case idle
    case running(WorkProgress?)
    case done(ConversionReport)
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
  ///   - request: What is requested.
  ///   - progress: Gets every report, one by one, and is finished at the end.
  /// - Returns: The result, which ``state`` holds too.
  /// - Throws: A problem if a conversion is running, else why this one failed; one of an existing
  ///   target offers ``NextAction/Kind/replace``.
  @discardableResult
  public func convert(
    _ request: Request, progress: AsyncStream<WorkProgress>.Continuation? = nil
  ) async throws(Problem) -> ConversionReport {
    defer { progress?.finish() }
    guard state.canConvert else {
      throw Problem(message: "A conversion is running.", suggestion: "Wait until it is finished.")
    }
    state = .running(nil)
    do {
      let report = ConversionReport(try await run(request, progress))
      state = .done(report)
      return report
    } catch {
      let problem = Problem(error)
      state = .failed(problem)
      throw problem
    }
  }

  private func run(
    _ request: Request, _ progress: AsyncStream<WorkProgress>.Continuation?
  ) async throws -> ConversionResult {
    // The target is checked before anything is opened, which may take long.
    try Conversion.check(
      request.output, from: request.input, replaces: request.replacesTarget)
    let conversion = try Conversion(
      of: try await source(of: request), at: request.input, to: request.output,
      request.parameters, environment: environment)
    return try await conversion.run(followedBy: progress) { state = .running($0) }
  }

  private func source(of request: Request) async throws -> Conversion.Source {
    switch try await opener.openToUse(request.input) {
    case .features(let store, _): return .features(store)
    case .package(let package, _): return .package(package)
    case .tiles(let source, _): return .tiles([source])
    case .geoPackage(let contents, _):
      // Its tiles, if they are requested, are found by the conversion.
      if let store = contents.features { return .features(store) }
      return .tiles(contents.tiles)
    case .map(_, let facts): throw ConversionError.nothingToConvert(file: facts.name)
    case .closed(let facts):
      throw InspectionError.closedFormat(file: facts.name, kind: facts.kind)
    }
  }
}

extension ConversionModel.Request {
  fileprivate var parameters: Conversion.Parameters {
    let coordinates = coordinates.map { coordinates -> Conversion.Coordinates in
      switch coordinates {
      case .native: .native
      case .reference(let reference): .reference(reference)
      }
    }
    var parameters = Conversion.Parameters(
      layer: layer, coordinates: coordinates, replacesTarget: replacesTarget)
    parameters.sourceReference = sourceReference
    parameters.whereClause = whereClause
    parameters.extent = extent
    parameters.levels = levels
    return parameters
  }
}
