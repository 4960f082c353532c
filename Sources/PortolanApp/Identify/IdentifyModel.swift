public import Observation
public import PortolanFeatures
internal import PortolanGeometry
internal import PortolanMap
internal import PortolanPackages

/// The features at an identified place.
@MainActor
@Observable
public final class IdentifyModel {
  /// The default tolerance around the point, in points of the screen.
  public static let tolerance = 12.0
  /// The most features a layer.
  public static let maximumResults = 10

  /// The features of one layer.
  public struct LayerResult: Hashable, Sendable, Codable, Identifiable {
    /// The layer's key in the map.
    public var id: String
    /// The layer's title.
    public var title: String
    /// The features, nearest first.
    public var features: [Feature]
    /// Whether there were more than are listed.
    public var isCut: Bool
    /// The reason why the layer could not be searched, if so.
    public var problem: Problem?
  }

  /// The state of the screen.
  public enum State: Hashable, Sendable, Codable {
    /// Nothing was asked yet.
    case idle
    case searching
    /// The answers of the layers that have any, topmost layer first; then those that cannot be read.
    case found([LayerResult])
    case failed(Problem)

    /// The layers that answered.
    public var results: [LayerResult] {
      if case .found(let results) = self { results } else { [] }
    }
  }

  /// The current state; observe this.
  public private(set) var state = State.idle

  @ObservationIgnored private weak var map: MapModel?
  /// Counts questions, so that the answer to an older one changes nothing.
  @ObservationIgnored private var questionNumber = 0

  init(map: MapModel) {
    self.map = map
  }

  /// Asks the visible layers what is near a position on the screen, and opens its popups.
  ///
  /// - Parameters:
  ///   - x: In points, from the left.
  ///   - y: In points, from the top.
  ///   - tolerance: How far from there features are found, in points.
  public func identify(
    screenX x: Double, y: Double, tolerance: Double = IdentifyModel.tolerance
  ) async {
    guard let map else { return }
    await identify(at: map.state.frame.location(ofScreenX: x, y: y), tolerance, in: map)
  }

  /// Asks the visible layers what is near a place.
  ///
  /// - Parameters:
  ///   - longitude: In degrees.
  ///   - latitude: In degrees.
  ///   - tolerance: How far from there features are found, in points of the screen.
  public func identify(
    longitude: Double, latitude: Double, tolerance: Double = IdentifyModel.tolerance
  ) async {
    guard let map else { return }
    do {
      let projection = try Projection(from: .wgs84, to: map.state.frame.spatialReference)
      let location = try projection.project(Coordinate(x: longitude, y: latitude))
      await identify(at: location, tolerance, in: map)
    } catch {
      questionNumber += 1
      state = .failed(Problem(error))
    }
  }

  /// Asks at a place in the map's spatial reference.
  private func identify(
    at location: Coordinate, _ tolerance: Double, in map: MapModel
  ) async {
    questionNumber += 1
    let number = questionNumber
    let question = map.popups.ask()
    state = .searching
    let frame = map.state.frame
    var results: [LayerResult] = []
    var sources: [PopupSource] = []
    for (node, tables) in map.identifiableLayers {
      let search = LayerSearch(
        tables: tables, location: location, tolerance: tolerance * frame.resolution,
        spatialReference: frame.spatialReference)
      let answer = await search.answer(limit: Self.maximumResults)
      guard number == questionNumber else { return }
      guard !answer.hits.isEmpty || answer.problem != nil else { continue }
      results.append(
        LayerResult(
          id: node.id, title: node.layer.title, features: answer.hits.map(\.feature),
          isCut: answer.isCut, problem: answer.problem))
      sources += answer.hits.map { hit in
        PopupSource(
          layerID: node.id, layerTitle: node.layer.title, feature: hit.feature,
          content: tables[hit.table])
      }
    }
    guard !Task.isCancelled else {
      state = .idle
      return
    }
    // There may be features at this place in layers that cannot be read.
    results += map.unreadableLayers.map { node, reason in
      LayerResult(
        id: node.id, title: node.layer.title, features: [], isCut: false,
        problem: Problem(.unreadable, message: reason))
    }
    state = .found(results)
    // A selection that another page has made since is kept.
    _ = map.popups.present(sources, answering: question)
  }
}
