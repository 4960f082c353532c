internal import PortolanGeodatabase
internal import PortolanJSON
internal import PortolanPortal

/// The generations of a service up to which a file has its changes.
struct Generations {
  /// Those of the layers, where each has its own.
  var layers: [Int: Int64] = [:]
  /// That of all layers, where they go together; `nil` if it is not said.
  var whole: Int64?
}

/// Finds out which generations that a service states can be true.
///
/// One that is later than what the service has so far would keep all that changes until then from being asked
/// for. It is left out: what has come comes again then, and nothing is missed.
struct GenerationCheck {
  let service: FeatureService
  /// What is known so far; `nil` for a file without a registration.
  let state: GeodatabaseSyncState?

  /// Those of some generations that are later than what is known; others in a file of changes say nothing.
  func news(of told: Generations) -> Generations {
    Generations(
      layers: told.layers.filter { isNews($0.value, ofLayer: $0.key) },
      whole: told.whole.flatMap { isNews($0) ? $0 : nil })
  }

  /// The generations that are taken over with changes.
  ///
  /// The service is asked for those that are later than what is known, and that not both have: not every
  /// service repeats in one place what it says in the other.
  ///
  /// - Parameters:
  ///   - said: What the status of the job says.
  ///   - told: What the changes themselves say, which counts where the status says nothing.
  /// - Returns: All but those that are later than what the service has.
  /// - Throws: What keeps the service from being asked.
  func believable(
    _ said: Generations, besides told: Generations
  ) async throws(PortalError) -> Generations {
    var found = Generations(
      layers: told.layers.merging(said.layers) { _, said in said }, whole: said.whole ?? told.whole)
    let doubtful = found.layers.filter { id, generation in
      isNews(generation, ofLayer: id)
        && !areEqual([said.layers[id], told.layers[id]], to: generation)
    }
    var doubtfulWhole: Int64?
    if let whole = found.whole, isNews(whole), !areEqual([said.whole, told.whole], to: whole) {
      doubtfulWhole = whole
    }
    guard !doubtful.isEmpty || doubtfulWhole != nil else { return found }
    let current = try await generations().filter { !isStale($0.value, ofLayer: $0.key) }
    for (id, generation) in doubtful where current[id].map({ generation > $0 }) ?? false {
      found.layers[id] = nil
    }
    if let whole = doubtfulWhole, let last = current.values.max(), whole > last {
      found.whole = nil
    }
    return found
  }

  private func areEqual(_ statements: [Int64?], to generation: Int64) -> Bool {
    statements.allSatisfy { $0 == generation }
  }

  /// Whether a generation of a layer that has its own is later than what is known.
  private func isNews(_ generation: Int64, ofLayer id: Int) -> Bool {
    guard let state, state.syncModel == .perLayer else { return false }
    return state.layers.contains { $0.layerID == id && $0.serverGeneration < generation }
  }

  /// Whether a generation of layers that go together is later than what is known.
  private func isNews(_ generation: Int64) -> Bool {
    state?.serverGeneration.map { $0 < generation } ?? false
  }

  /// Whether a generation is earlier than what has come from the service: a document of before that says
  /// nothing of what it has since.
  private func isStale(_ generation: Int64, ofLayer id: Int) -> Bool {
    guard let state else { return false }
    if state.syncModel == .perLayer {
      return state.layers.contains { $0.layerID == id && $0.serverGeneration > generation }
    }
    return state.serverGeneration.map { $0 > generation } ?? false
  }

  /// The document of the service, from the service itself: a cache on the way answers nothing that is posted.
  private func document() async throws(PortalError) -> JSONValue {
    do throws(PortalError) {
      return try await service.client.json(service.url, method: .post)
    } catch {
      // Not every service lets itself be asked so.
      guard error.leavesQuestionOpen else { throw error }
      return .object(try await service.info().json)
    }
  }

  /// The generations of layers that the service has so far, as far as it says so.
  func generations() async throws(PortalError) -> [Int: Int64] {
    do throws(PortalError) {
      let said = try await document()["changeTrackingInfo"]?["layerServerGens"]
      let generations = (said?.array ?? []).compactMap { entry -> (Int, Int64)? in
        guard let id = entry["id"]?.int, let generation = entry["serverGen"]?.integer else {
          return nil
        }
        return (id, generation)
      }
      return Dictionary(generations, uniquingKeysWith: { $1 })
    } catch {
      guard error.refusesQuestion else { throw error }
      return [:]
    }
  }
}
