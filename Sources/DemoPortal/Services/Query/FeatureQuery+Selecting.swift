internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry

extension FeatureQuery {
  /// The features that match, by object id; page and order do not count.
  func selected(from table: HostedTable, now: Date) throws -> [Feature] {
    let clause: BoundWhereClause
    do throws(FeatureStoreError) {
      clause = try whereClause.bound(to: table.fields, of: table.schema.name, now: now)
    } catch {
      throw DemoFailure(error)
    }
    var features: [Feature] = []
    for feature in candidates(in: table)
    where clause.isAlwaysTrue || clause.matches(feature.attributes) {
      if let time {
        guard case .date(let date)? = feature.attributes[time.field], time.range.contains(date)
        else { continue }
      }
      if let spatialFilter {
        guard try spatialFilter.accepts(feature.geometry) else { continue }
      }
      features.append(feature)
    }
    return features
  }

  /// The page of a query that leaves nothing out and orders by the object id, found without
  /// looking at the rows before it; `nil` for other queries.
  func wholePage(
    of table: HostedTable, limit maximum: Int
  ) -> (features: [Feature], exceedsLimit: Bool)? {
    let text = whereClause.text.filter { !$0.isWhitespace }
    let order = orderBy.map { $0.field.lowercased() }
    guard objectIDs == nil, spatialFilter == nil, time == nil, text.isEmpty || text == "1=1",
      order.isEmpty || order == [table.schema.objectIDField.lowercased()],
      !orderBy.contains(where: \.isDescending)
    else { return nil }
    let rest = table.rows.dropFirst(offset)
    let count = min(limit ?? maximum, maximum)
    return (rest.prefix(count).map(\.feature), rest.count > count)
  }

  /// The page of matching features: its offset and its length.
  ///
  /// - Returns: The features in order, and whether there are more than `limit` allows.
  func page(
    of features: [Feature], in table: HostedTable, limit maximum: Int
  ) throws(DemoFailure) -> (features: ArraySlice<Feature>, exceedsLimit: Bool) {
    let ordered = try self.ordered(features, in: table)
    let rest = ordered.dropFirst(offset)
    let count = min(limit ?? maximum, maximum)
    return (rest.prefix(count), rest.count > count)
  }

  private func candidates(in table: HostedTable) -> [Feature] {
    guard let objectIDs else { return table.rows.map(\.feature) }
    return objectIDs.sorted().compactMap { table.row($0)?.feature }
  }

  /// The features in the order asked for.
  func ordered(
    _ features: [Feature], in table: HostedTable
  ) throws(DemoFailure) -> [Feature] {
    guard !orderBy.isEmpty else { return features }
    var terms: [(position: Int, isDescending: Bool)] = []
    for term in orderBy {
      guard let position = table.fields.position(of: term.field) else {
        throw .badQuery("'Invalid field: \(term.field)' parameter is invalid")
      }
      terms.append((position, term.isDescending))
    }
    return features.sorted { left, right in
      for term in terms {
        let result = left.attributes.values[term.position]
          .sortOrder(right.attributes.values[term.position])
        if result != 0 { return term.isDescending ? result > 0 : result < 0 }
      }
      return left.objectID < right.objectID
    }
  }
}

extension FeatureQuery {
  /// The features as they are to be sent: the fields wanted, shapes in the reference wanted.
  func prepared(
    _ features: some Collection<Feature>, from table: HostedTable, exceedsLimit: Bool
  ) throws -> QueryFeatures {
    let source = table.schema.spatialReference
    let target = spatialReference ?? source
    let shaper = try FeatureShaper(self, from: source, to: target)
    return QueryFeatures(
      schema: table.schema, fields: outFields,
      features: try features.map { feature in
        Feature(
          objectID: feature.objectID, attributes: arranged(feature.attributes, table),
          geometry: returnsGeometry ? try feature.geometry.map(shaper.shape) : nil)
      },
      spatialReference: target, hasGeometry: returnsGeometry, exceedsLimit: exceedsLimit,
      hasZ: returnsZ, hasM: returnsM,
      quantization: quantization.flatMap(Quantization.init(json:)),
      geometryPrecision: geometryPrecision)
  }

  private func arranged(_ attributes: Attributes, _ table: HostedTable) -> Attributes {
    if outFields === table.fields { return attributes }
    return Attributes(outFields, outFields.fields.map { attributes[$0.name] ?? .null })
  }
}

/// Brings shapes into the form that a query wants.
private struct FeatureShaper {
  private let projection: Projection?
  private let maxDeviation: Double?
  private let precision: Int?
  private let keepsZ: Bool
  private let keepsM: Bool

  init(
    _ query: FeatureQuery, from source: SpatialReference?, to target: SpatialReference?
  ) throws {
    maxDeviation = query.maxAllowableOffset
    precision = query.format == .buffer ? nil : query.geometryPrecision
    keepsZ = query.returnsZ
    keepsM = query.returnsM
    guard let source, let target else {
      projection = nil
      return
    }
    do {
      projection = try Projection(from: source, to: target)
    } catch {
      throw DemoFailure.badQuery("'outSR' parameter is invalid: \(error.localizedDescription)")
    }
  }

  func shape(_ geometry: Geometry) throws -> Geometry {
    var shape = try projection?.project(geometry) ?? geometry
    if let maxDeviation, shape.type == .polygon || shape.type == .polyline {
      shape = try GeometryEngine.generalize(shape, maxDeviation: maxDeviation)
    }
    return shape.edited { path in
      Path(
        precision.map { rounded(path.coordinates, places: $0) } ?? path.coordinates,
        z: keepsZ ? path.z : nil, m: keepsM ? path.m : nil)
    }
  }

  private func rounded(_ coordinates: [Coordinate], places: Int) -> [Coordinate] {
    let factor = pow(10, Double(places))
    return coordinates.map {
      Coordinate(x: ($0.x * factor).rounded() / factor, y: ($0.y * factor).rounded() / factor)
    }
  }
}

extension Geometry {
  /// The shape with each of its runs of vertices replaced.
  fileprivate func edited(_ edit: (Path) -> Path) -> Geometry {
    switch self {
    case .point:
      guard let path = paths.first.map(edit), let coordinate = path.coordinates.first else {
        return self
      }
      return .point(
        Point(x: coordinate.x, y: coordinate.y, z: path.z?.first, m: path.m?.first))
    case .multipoint(let multipoint):
      return .multipoint(Multipoint(points: edit(multipoint.points)))
    case .polyline(let polyline): return .polyline(Polyline(paths: polyline.paths.map(edit)))
    case .polygon(let polygon): return .polygon(Polygon(rings: polygon.rings.map(edit)))
    case .envelope: return self
    }
  }
}
