internal import Foundation
internal import PortolanGeometry
internal import PortolanJSON

/// The shape that features are held against, in the layer's spatial reference.
struct SpatialFilter: Sendable {
  /// The spatial relationship of a feature to the shape, by the names of the services.
  enum Relation: String, Sendable {
    case intersects = "esriSpatialRelIntersects"
    case contains = "esriSpatialRelContains"
    case crosses = "esriSpatialRelCrosses"
    case envelopeIntersects = "esriSpatialRelEnvelopeIntersects"
    case indexIntersects = "esriSpatialRelIndexIntersects"
    case overlaps = "esriSpatialRelOverlaps"
    case touches = "esriSpatialRelTouches"
    case within = "esriSpatialRelWithin"
    case disjoint = "esriSpatialRelDisjoint"
  }

  let shape: Geometry
  let relation: Relation
  private let box: Envelope
  private let prepared: PreparedGeometry?

  /// Creates a filter.
  init(_ shape: Geometry, _ relation: Relation = .intersects) throws {
    self.shape = shape
    self.relation = relation
    box = shape.extent ?? .empty
    // A box is compared by its sides, which is faster.
    prepared =
      shape.type == .envelope || relation != .intersects ? nil : try PreparedGeometry(shape)
  }

  /// Reads `geometry` and what belongs to it; `nil` if there is none.
  init?(_ parameters: DemoParameters, _ reference: SpatialReference?) throws {
    guard let text = parameters["geometry"] else { return nil }
    let name = parameters["spatialRel"] ?? Relation.intersects.rawValue
    guard let relation = Relation(rawValue: name) else {
      throw DemoFailure.badQuery("'spatialRel' parameter is invalid")
    }
    let (geometry, own) = try Self.geometry(text)
    let source = try own ?? FeatureQuery.reference(parameters, "inSR") ?? reference
    var shape = geometry
    if case .envelope(let box) = geometry {
      let parts = box.partsWithinWorld(worldWidth: source?.worldWidth)
      if parts.count > 1 { shape = .polygon(Polygon(rings: parts.flatMap(\.polygon.rings))) }
    }
    do {
      if let source, let reference {
        shape = try Projection(from: source, to: reference).project(shape)
      }
      if let distance = parameters.double("distance"), distance > 0 {
        let radius = distance * Self.meters(of: parameters["units"])
        shape = try Self.buffered(shape, radius, reference)
      }
      let isSplit = geometry.type == .envelope && shape.type == .polygon
      // The envelope of a box in two parts is as wide as the world.
      try self.init(shape, isSplit && relation == .envelopeIntersects ? .intersects : relation)
    } catch let error as GeometryError {
      throw DemoFailure.badQuery("'geometry' parameter is invalid: \(error.localizedDescription)")
    }
  }

  /// Whether a feature with that shape is found.
  func accepts(_ geometry: Geometry?) throws -> Bool {
    guard let geometry, let extent = geometry.extent else { return false }
    guard extent.intersects(box) else { return relation == .disjoint }
    switch relation {
    case .envelopeIntersects, .indexIntersects: return true
    case .intersects:
      if case .envelope(let box) = shape { return geometry.intersects(box) }
      return try prepared?.intersects(geometry) ?? false
    case .contains: return try GeometryEngine.isGeometry(area, containing: geometry)
    case .within: return try GeometryEngine.isGeometry(area, within: geometry)
    case .crosses: return try GeometryEngine.isGeometry(area, crossing: geometry)
    case .overlaps: return try GeometryEngine.isGeometry(area, overlapping: geometry)
    case .touches: return try GeometryEngine.isGeometry(area, touching: geometry)
    case .disjoint: return try !GeometryEngine.isGeometry(area, intersecting: geometry)
    }
  }

  private var area: Geometry {
    if case .envelope(let box) = shape { .polygon(box.polygon) } else { shape }
  }
}

extension SpatialFilter {
  /// A shape as clients send it: JSON, `x,y` or `xmin,ymin,xmax,ymax`, with blanks as they like.
  static func geometry(_ text: String) throws(DemoFailure) -> (Geometry, SpatialReference?) {
    let numbers = text.split(separator: ",").map { Double($0.trimmedOfBlanks) }
    if let ordinates = numbers.allNumbers {
      switch ordinates.count {
      case 2: return (.point(Point(x: ordinates[0], y: ordinates[1])), nil)
      case 4:
        return (
          .envelope(
            Envelope(
              west: ordinates[0], south: ordinates[1], east: ordinates[2], north: ordinates[3],
              worldWidth: ordinates.allSatisfy { abs($0) <= 180 } ? 360 : nil)), nil
        )
      default: throw .badQuery("'geometry' parameter is invalid")
      }
    }
    do {
      let json = try JSONValue(parsing: text)
      return (
        try Geometry(esriJSON: json), SpatialReference(esriJSON: json["spatialReference"])
      )
    } catch {
      throw .badQuery("'geometry' parameter is invalid: \(error.localizedDescription)")
    }
  }

  private static func meters(of unit: String?) -> Double {
    switch unit?.lowercased() {
    case "esrisrunit_foot": 0.3048
    case "esrisrunit_kilometer": 1000
    case "esrisrunit_statutemile": 1609.344
    case "esrisrunit_nauticalmile": 1852
    case "esrisrunit_usnauticalmile": 1853.248
    default: 1
    }
  }

  /// Lengths on the Web Mercator grow towards the poles; degrees are about as long everywhere.
  private static func buffered(
    _ shape: Geometry, _ meters: Double, _ reference: SpatialReference?
  ) throws -> Geometry {
    var radius = meters
    if reference?.isWebMercator ?? false {
      radius *= cosh((shape.extent?.center.y ?? 0) / 6_378_137)
    } else if reference?.isWGS84 ?? false {
      radius /= SpatialReferenceProperties.metersPerDegree
    }
    let area: Geometry = if case .envelope(let box) = shape { .polygon(box.polygon) } else { shape }
    return .polygon(try GeometryEngine.buffer(around: area, distance: radius))
  }
}

extension [Double?] {
  /// The numbers, if all are.
  fileprivate var allNumbers: [Double]? {
    let numbers = compactMap { $0 }
    return numbers.count == count && !isEmpty && numbers.allSatisfy(\.isFinite) ? numbers : nil
  }
}
