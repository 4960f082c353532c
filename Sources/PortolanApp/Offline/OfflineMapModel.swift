public import Foundation
public import Observation
public import PortolanJobs
internal import PortolanLibrary
public import PortolanOffline
internal import PortolanPortal

/// The screen on which an area of a web map is taken offline: what can be taken, what it needs, and
/// the job that does it.
@MainActor
@Observable
public final class OfflineMapModel {
  /// The state of the screen.
  public struct State: Hashable, Sendable, Codable {
    /// The capabilities of the map, once they were requested.
    public var capabilities: Capabilities?
    /// The estimate for the area, once it was requested.
    public var estimate: Estimate?
    /// The problem of the last question.
    public var problem: Problem?
    /// Whether services are being asked.
    public var isAsking = false
  }

  /// The area to take offline, and how.
  public struct Request: Hashable, Sendable {
    /// The item of the web map, or the title of one that is listed.
    public var webMap: String
    /// Its portal; if `nil` the one that the list of maps has it from, else the one in use.
    public var portal: URL?
    /// The area.
    public var area: OfflineMapArea
    /// How, where it differs from what the author of the map wants.
    public var options: OfflineMapOptions

    /// Creates a request.
    public init(
      webMap: String, portal: URL? = nil, area: OfflineMapArea,
      options: OfflineMapOptions = OfflineMapOptions()
    ) {
      self.webMap = webMap
      self.portal = portal
      self.area = area
      self.options = options
    }
  }

  /// The current state; observe this.
  public private(set) var state = State()

  @ObservationIgnored let library: HomeLibrary
  @ObservationIgnored private let portals: any PortalConnecting
  /// Counts questions, so that the answer to an older one of the same kind changes nothing.
  @ObservationIgnored private var questionNumber = 0
  @ObservationIgnored private var latest: [Question: Int] = [:]
  @ObservationIgnored private var underWay = 0

  private enum Question { case capabilities, estimate, job }

  /// Creates the screen; sends no request yet.
  public init(library: HomeLibrary, portals: any PortalConnecting) {
    self.library = library
    self.portals = portals
  }

  /// Asks what of the map can be taken offline.
  ///
  /// - Throws: A problem, which the state has as well.
  @discardableResult
  public func loadCapabilities(
    of request: Request
  ) async throws(Problem) -> Capabilities {
    let number = begin(.capabilities)
    do {
      let task = try await task(request)
      let parameters = try await parameters(request, task)
      let capabilities = Capabilities(
        try await task.offlineMapCapabilities(
          parameters: parameters, overrides: try await overrides(request, task, parameters)))
      if end(.capabilities, number) { state.capabilities = capabilities }
      return capabilities
    } catch {
      throw ended(.capabilities, number, error, request)
    }
  }

  /// Asks what the area needs.
  ///
  /// - Throws: A problem, which the state has as well; also where the area lies outside of the map.
  @discardableResult
  public func loadEstimate(of request: Request) async throws(Problem) -> Estimate {
    let number = begin(.estimate)
    do {
      let task = try await task(request)
      try await task.checkCoverage(of: request.area)
      let parameters = try await parameters(request, task)
      let estimate = Estimate(
        try await OnDemandEstimate.make(
          parameters, try await overrides(request, task, parameters), portal: task.portal,
          environment: library.offline))
      if end(.estimate, number) { state.estimate = estimate }
      return estimate
    } catch {
      throw ended(.estimate, number, error, request)
    }
  }

  /// Asks for the job that takes the area offline.
  ///
  /// Two maps of one title cannot be distinguished: a default title gets a number, also beside one that is on its way.
  ///
  /// - Returns: The job, and whether it is a new one.
  /// - Throws: A problem, which the state has as well; also where the area lies outside of the map,
  ///   or the title that was chosen is blank.
  @discardableResult
  public func takeOffline(_ request: Request) async throws(Problem) -> (job: Job, isNew: Bool) {
    let number = begin(.job)
    do {
      try Problem.refuseBlank(request.options.title, of: "An offline map")
      let task = try await task(request)
      try await task.checkCoverage(of: request.area)
      var parameters = try await parameters(request, task)
      let overrides = try await overrides(request, task, parameters)
      // No service is asked while others wait for the titles.
      let turn = try await library.maps.holdTitles()
      defer { turn.release() }
      parameters.itemInfo.title = try await freeTitle(
        parameters.itemInfo.title, isChosen: request.options.title != nil)
      let order = try OfflineJobOrder(
        GenerateOfflineMapJobParameters(parameters: parameters, overrides: overrides),
        title: parameters.itemInfo.title)
      let submitted = try await library.queue.submit(order)
      _ = end(.job, number)
      return submitted
    } catch {
      throw ended(.job, number, error, request)
    }
  }

  /// A title that no map has which is on this device or, as far as its jobs say, is on its way.
  ///
  /// - Throws: A problem if the chosen title is that of another map.
  private func freeTitle(_ title: String, isChosen: Bool) async throws -> String {
    let taken = try await library.takenTitles()
    let free = taken.free(like: title)
    guard isChosen, free != title else { return free }
    guard taken.stored.contains(title) else {
      throw Problem(
        .alreadyExists, message: "A map \"\(title)\" is being taken offline.",
        suggestion: "Let its job continue, or choose another title, such as \"\(free)\".",
        actions: [.init(.listJobs), .init(.chooseAnotherName)])
    }
    throw Problem(
      .alreadyExists, message: "There is a map \"\(title)\" on this device.",
      suggestion: "Choose another title, such as \"\(free)\".",
      actions: [.init(.chooseAnotherName)])
  }

  // MARK: - Asking

  private func begin(_ question: Question) -> Int {
    questionNumber += 1
    latest[question] = questionNumber
    underWay += 1
    state.isAsking = true
    state.problem = nil
    return questionNumber
  }

  /// Whether the question is the latest of its kind, so that its answer is shown.
  private func end(_ question: Question, _ number: Int) -> Bool {
    underWay -= 1
    state.isAsking = underWay > 0
    return latest[question] == number
  }

  private func ended(
    _ question: Question, _ number: Int, _ error: any Error, _ request: Request
  ) -> Problem {
    let problem = error as? Problem ?? unknownMap(error, request.webMap) ?? Problem(error)
    if end(question, number) { state.problem = problem }
    return problem
  }

  /// The problem of a map that is neither listed nor named by a whole id, as by its title or the
  /// beginning of its id; `nil` for other errors.
  private func unknownMap(_ error: any Error, _ name: String) -> Problem? {
    guard let error = error as? PortalError, name.count != 32 || !name.allSatisfy(\.isHexDigit)
    else { return nil }
    if case .invalidID = error {} else { guard Problem(error).kind == .absence else { return nil } }
    return Problem(
      message:
        "No web map \"\(name)\" is listed, and it is not the id of one that the portal shows.",
      suggestion: "Give the whole id of the map.", kind: .absence, actions: [.init(.findWebMaps)])
  }

  func task(_ request: Request) async throws -> OfflineMapTask {
    // Nothing is requested for an area that cannot be exported.
    try request.area.check()
    let listed = try await library.storage.knownMaps()
    let known =
      listed.first { $0.id == request.webMap } ?? listed.first { $0.title == request.webMap }
      ?? listed.first { $0.title.lowercased() == request.webMap.lowercased() }
    // No portal is connected for what cannot be an id.
    let webMap = try PortalItem.ID(known?.id ?? request.webMap)
    let portal = try await portals.portal(at: request.portal ?? known?.portal)
    return OfflineMapTask(portal: portal, webMap: webMap)
  }

  /// The parameters for each service; `nil` if none differs from the general ones.
  private func overrides(
    _ request: Request, _ task: OfflineMapTask, _ parameters: GenerateOfflineMapParameters
  ) async throws -> GenerateOfflineMapParameterOverrides? {
    guard !request.options.leftOutLayers.isEmpty else { return nil }
    return try await task.makeGenerateOfflineMapParameterOverrides(
      parameters: parameters, leavingOut: request.options.leftOutLayers)
  }

  private func parameters(
    _ request: Request, _ task: OfflineMapTask
  ) async throws -> GenerateOfflineMapParameters {
    var parameters = try await task.makeDefaultGenerateOfflineMapParameters(
      areaOfInterest: request.area, minScale: request.options.minScale ?? 0,
      maxScale: request.options.maxScale ?? 0, id: library.offline.surroundings.makeID())
    request.options.apply(to: &parameters)
    try parameters.check()
    try await parameters.checkReferenceBasemap(in: library.offline)
    return parameters
  }
}
