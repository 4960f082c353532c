internal import PortolanGeometry
internal import PortolanPortal
internal import PortolanSearch

/// The geocode service of a portal, which finds the places of a map that is open over the network.
struct PortalPlaces: Sendable {
  private let portal: Portal

  /// Describes the places of a portal, of which nothing is asked yet.
  init(_ portal: Portal) { self.portal = portal }

  /// The service that the portal prefers.
  ///
  /// - Parameters:
  ///   - center: Near which place results are preferred, on WGS 84.
  ///   - map: The title of the map.
  /// - Returns: The service.
  /// - Throws: ``SearchError``; that there is nothing to search with if the portal has no service.
  func geocoder(
    near center: Coordinate?, map: String
  ) async throws(SearchError) -> any LocatorService {
    let found: PortalGeocoder?
    do throws(PortalError) { found = try await geocoder(near: center) } catch {
      throw SearchError(error)
    }
    guard let found else { throw .nothingToSearch(map: map) }
    return found
  }

  private func geocoder(near center: Coordinate?) async throws(PortalError) -> PortalGeocoder? {
    guard let locator = try await portal.info().helperServices.locators.first else { return nil }
    let service = GeocodeService(url: locator.url, client: portal.client)
    return PortalGeocoder(
      service: service, info: try await service.info(), title: locator.name ?? "Places",
      center: center)
  }
}

/// One geocode service, as a locator asks it.
private struct PortalGeocoder: LocatorService {
  let service: GeocodeService
  let info: LocatorInfo
  let title: String
  let center: Coordinate?

  private func parameters(_ limit: Int) -> GeocodeParameters {
    GeocodeParameters(
      maxResults: limit, preferredSearchLocation: center.map { Point(x: $0.x, y: $0.y) },
      outputSpatialReference: .wgs84)
  }

  func suggest(
    _ text: String, limit: Int, noting _: SearchProblems
  ) async throws(SearchError) -> [LocatorSuggestion] {
    guard info.supportsSuggestions else { return [] }
    let found: [SuggestResult]
    do throws(PortalError) { found = try await service.suggest(for: text, parameters(limit)) } catch
    {
      throw SearchError(error)
    }
    return found.map {
      LocatorSuggestion(
        label: $0.label, sourceTitle: title, isCollection: $0.isCollection,
        key: $0.magicKey ?? "")
    }
  }

  func geocode(
    _ text: String, key: String?, limit: Int, noting _: SearchProblems
  ) async throws(SearchError) -> [LocatorResult] {
    let found: [GeocodeResult]
    do throws(PortalError) {
      let key = key.flatMap { $0.isEmpty ? nil : $0 }
      found =
        if let key {
          try await service.geocode(
            SuggestResult(label: text, magicKey: key), parameters(limit),
            singleLineField: info.singleLineField)
        } else {
          try await service.geocode(
            text, parameters(limit), singleLineField: info.singleLineField)
        }
    } catch {
      throw SearchError(error)
    }
    return found.map { LocatorResult($0, sourceTitle: title) }
  }

  func reverseGeocode(
    _ place: Coordinate, within distance: Double, noting _: SearchProblems
  ) async throws(SearchError) -> [LocatorResult] {
    guard info.supportsReverseGeocoding else { return [] }
    do throws(PortalError) {
      let found = try await service.reverseGeocode(
        Point(x: place.x, y: place.y), outputSpatialReference: .wgs84)
      guard let found else { return [] }
      let result = LocatorResult(found, sourceTitle: title)
      let isNear = result.location.map {
        GeometryEngine.geodeticDistance(from: place, to: $0) <= distance
      }
      return isNear ?? true ? [result] : []
    } catch {
      throw SearchError(error)
    }
  }
}

extension LocatorResult {
  fileprivate init(_ result: GeocodeResult, sourceTitle: String) {
    var location: Coordinate?
    var extent: Envelope?
    do throws(GeometryError) {
      let projection = try Projection(from: result.spatialReference ?? .wgs84, to: .wgs84)
      location = try result.location.map { point throws(GeometryError) in
        try projection.project(point.coordinate)
      }
      extent = try result.extent.map { box throws(GeometryError) in try projection.project(box) }
    } catch {
      // A place that cannot be projected to WGS 84 is listed without coordinates.
      location = nil
    }
    self.init(
      address: result.label, sourceTitle: sourceTitle, score: result.score, location: location,
      extent: extent)
  }
}

extension SearchError {
  fileprivate init(_ error: PortalError) {
    let problem = Problem(error)
    guard problem.kind != .cancellation else {
      self = .cancelled
      return
    }
    self = .serviceFailed(
      reason: problem.message, suggestion: problem.suggestion, code: problem.code.rawValue)
  }
}
