internal import Foundation
internal import PortolanFeatures
public import PortolanGeometry

extension LocatorTask {
  /// What is nearest to a place, the nearest first.
  ///
  /// - Parameters:
  ///   - place: Longitude and latitude on WGS 84.
  ///   - distance: How far away it may be, in metres.
  ///   - limit: How many places.
  ///   - sourceIDs: The sources to ask; all if `nil`.
  ///   - problems: Gets what could not be searched, while the rest has answered.
  /// - Returns: The places, with scores that fall with the distance.
  /// - Throws: ``SearchError``; one of a source only where the others have found nothing.
  @concurrent public func reverseGeocode(
    _ place: Coordinate, within distance: Double = 100, limit: Int = 1,
    in sourceIDs: Set<String>? = nil, noting problems: SearchProblems = SearchProblems()
  ) async throws(SearchError) -> [LocatorResult] {
    if let service {
      let found = try await service.reverseGeocode(place, within: distance, noting: problems)
      return Array(found.prefix(max(0, limit)))
    }
    var found: [NearbyPlaces.Hit] = []
    var failures: [SearchError] = []
    for source in sources
    where source.schema.geometryType != nil && sourceIDs?.contains(source.id) ?? true {
      let nearby: [NearbyPlaces]
      do throws(GeometryError) {
        nearby = try NearbyPlaces(place, within: distance, in: source).onBothSides
      } catch {
        // A table whose spatial reference is unknown, or does not reach there, has nothing near.
        continue
      }
      do throws(SearchError) {
        var hits: [NearbyPlaces.Hit] = []
        for side in nearby { hits += try await side.hits() }
        found += NearbyPlaces.nearestOfEach(hits)
      } catch {
        guard case .unreadableLayer = error else { throw error }
        failures.append(error)
      }
    }
    if found.isEmpty, let failure = failures.first { throw failure }
    for failure in failures { problems.add(failure) }
    return found.sorted { $0.distance < $1.distance }.prefix(max(0, limit)).map(\.result)
  }
}

/// The features of one source near a place.
private struct NearbyPlaces {
  /// A feature that is near.
  struct Hit {
    /// In metres.
    let distance: Double
    let result: LocatorResult
  }

  private let source: LocatorSource
  private let place: Coordinate
  private let distance: Double
  private let reference: SpatialReference
  /// From the source's spatial reference to WGS 84.
  private let back: Projection
  /// The place, and the box with all that may be near, in the source's spatial reference.
  private var target: Coordinate
  private var box: Envelope

  init(
    _ place: Coordinate, within distance: Double, in source: LocatorSource
  ) throws(GeometryError) {
    self.source = source
    self.place = place
    self.distance = distance
    reference = source.schema.spatialReference ?? .wgs84
    back = try Projection(from: reference, to: .wgs84)
    let there = try Projection(from: .wgs84, to: reference)
    target = try there.project(place)
    box = try there.project(Self.box(around: place, distance))
  }

  /// The same place and, where the box reaches over the antimeridian, as it is called from the other
  /// side of it.
  var onBothSides: [NearbyPlaces] {
    guard let width = reference.worldWidth else { return [self] }
    let edge = width / 2
    return [self]
      + [(box.xMax > edge, -width), (box.xMin < -edge, width)].filter(\.0).map { shifted(by: $0.1) }
  }

  private func shifted(by width: Double) -> NearbyPlaces {
    var other = self
    other.target = Coordinate(x: target.x + width, y: target.y)
    other.box = Envelope(
      xMin: box.xMin + width, yMin: box.yMin, xMax: box.xMax + width, yMax: box.yMax)
    return other
  }

  /// Each feature once, at its least distance: one that lies across the antimeridian is seen from
  /// both of its sides.
  static func nearestOfEach(_ hits: [Hit]) -> [Hit] {
    var known: Set<LocatorResult.Kind> = []
    return hits.sorted { $0.distance < $1.distance }.filter {
      known.insert($0.result.kind).inserted
    }
  }

  /// The features, in the order of the table.
  func hits() async throws(SearchError) -> [Hit] {
    let query = QueryParameters(whereClause: source.whereClause, extent: box)
    var reader = TolerantReader(source.store, source.schema, query)
    let label = FeatureLabel(source)
    var hits: [Hit] = []
    do throws(FeatureStoreError) {
      while case let page = try await reader.next(), !page.isEmpty {
        if let end = page.end { throw end.error }
        hits += page.features.compactMap { hit($0, label.text(of: $0.attributes)) }
      }
    } catch .cancelled {
      throw .cancelled
    } catch {
      throw .unreadableLayer(title: source.title, reason: error.localizedDescription)
    }
    return hits
  }

  private func hit(_ feature: Feature, _ label: String) -> Hit? {
    guard let shape = feature.geometry, !label.isEmpty, let meters = meters(to: shape),
      meters <= distance
    else { return nil }
    let placed = PlacedShape(shape, in: reference)
    return Hit(
      distance: meters,
      result: LocatorResult(
        label: label, sourceTitle: source.title,
        score: max(1, 100 - 99 * meters / max(distance, 1)), location: placed.location,
        extent: placed.extent, kind: .feature(source.reference(to: feature.objectID))))
  }

  /// The distance over the ground; 0 inside of an area, `nil` where it cannot be measured.
  private func meters(to shape: Geometry) -> Double? {
    do throws(GeometryError) {
      guard let nearest = try GeometryEngine.nearestCoordinate(in: shape, to: target) else {
        return nil
      }
      let coordinate = try back.project(nearest.coordinate)
      return GeometryEngine.geodeticDistance(from: place, to: coordinate)
    } catch {
      return nil
    }
  }

  /// A box in degrees that holds all within a distance.
  private static func box(around place: Coordinate, _ distance: Double) -> Envelope {
    let height = distance / 110_000
    let width = height / max(0.01, cos(place.y * .pi / 180))
    return Envelope(
      xMin: place.x - width, yMin: max(-90, place.y - height), xMax: place.x + width,
      yMax: min(90, place.y + height))
  }
}
