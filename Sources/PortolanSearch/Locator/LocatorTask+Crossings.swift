internal import PortolanFeatures
internal import PortolanGeometry

extension LocatorTask {
  /// How many lines of each name are looked at.
  ///
  /// A street may be in hundreds of pieces, of which one meets the other street.
  private static let mostLines = 1024
  /// How many places a pair of names may have.
  private static let mostPlaces = 64
  /// How far apart they are at least, in metres: streets of two roadways cross in four places that are one.
  private static let leastDistance = 200.0

  /// A line with a name.
  private struct NamedLine {
    let label: String
    let source: Int
    let shape: Geometry
    let box: Envelope
  }

  /// The places where lines of the two names meet, also those of two tables: several of a pair of names
  /// where they are apart, as in two towns.
  func crossings(
    of pair: IntersectionText, in sourceIDs: Set<String>?, _ problems: SearchProblems
  ) async throws(SearchError) -> [LocatorResult] {
    let lines = sources.filter { source in
      source.schema.geometryType == .polyline && sourceIDs?.contains(source.id) ?? true
    }
    guard !lines.isEmpty else { return [] }
    let ids = Set(lines.map(\.id))
    let first = try await self.lines(named: pair.first, in: ids, problems)
    guard !first.isEmpty else { return [] }
    let second = try await self.lines(named: pair.second, in: ids, problems)
    // What compares lines, and the second ones as it takes them, for each source of first ones.
    var sides: [Int: (meeting: LineMeeting, others: [NamedLine])] = [:]
    for source in Set(first.map(\.source)) {
      let reference = sources[source].schema.spatialReference ?? .wgs84
      // Lines whose spatial reference is unknown cross nothing that is known.
      guard let meeting = try? LineMeeting(in: reference) else { continue }
      sides[source] = (meeting, projected(second, to: meeting, of: source))
    }
    var places: [String: [Coordinate]] = [:]
    var results: [LocatorResult] = []
    for line in first {
      guard let (meeting, others) = sides[line.source] else { continue }
      try meet(line, others, meeting, &places) { label, place in
        results.append(result(label, at: place, in: sources[line.source]))
      }
    }
    return results
  }

  /// Lines of all sources as those of one of them; those that cannot be projected are left out.
  private func projected(
    _ lines: [NamedLine], to meeting: LineMeeting, of source: Int
  ) -> [NamedLine] {
    var projections: [Int: Projection] = [:]
    return lines.compactMap { line in
      guard line.source != source else { return line }
      let reference = sources[line.source].schema.spatialReference ?? .wgs84
      do throws(GeometryError) {
        if projections[line.source] == nil {
          projections[line.source] = try meeting.projection(from: reference)
        }
        guard let shape = try projections[line.source]?.project(line.shape) else { return nil }
        return shape.extent.map {
          NamedLine(label: line.label, source: line.source, shape: shape, box: $0)
        }
      } catch {
        return nil
      }
    }
  }

  /// Tells the places where a line meets others that are not among those of the same names yet.
  private func meet(
    _ line: NamedLine, _ others: [NamedLine], _ meeting: LineMeeting,
    _ places: inout [String: [Coordinate]], _ tell: (String, Coordinate) -> Void
  ) throws(SearchError) {
    let box = line.box.expanded(by: meeting.margin)
    // Most pieces are nowhere near each other.
    for other in others where other.label != line.label && box.intersects(other.box) {
      guard !Task.isCancelled else { throw .cancelled }
      let label = "\(line.label) & \(other.label)"
      var known = places[label] ?? []
      guard known.count < Self.mostPlaces else { continue }
      for place in meeting.places(where: line.shape, meets: other.shape) {
        let isNear = known.contains {
          GeometryEngine.geodeticDistance(from: $0, to: place) < Self.leastDistance
        }
        guard !isNear, known.count < Self.mostPlaces else { continue }
        known.append(place)
        tell(label, place)
      }
      places[label] = known
    }
  }

  private func lines(
    named name: String, in sourceIDs: Set<String>, _ problems: SearchProblems
  ) async throws(SearchError) -> [NamedLine] {
    let keys = try matches(named: name, in: sourceIDs)
    var lines: [NamedLine] = []
    for (number, source) in sources.enumerated() where sourceIDs.contains(source.id) {
      let mine = keys.map { ($0, index.origin(of: $0.document)) }.filter { $0.1.source == number }
      guard !mine.isEmpty else { continue }
      let shapes = try await shapes(of: mine.map(\.1.objectID), in: source, problems)
      lines += mine.compactMap { key, origin in
        guard let shape = shapes[origin.objectID]?.geometry, let box = shape.extent else {
          return nil
        }
        return NamedLine(
          label: index.label(of: key.document), source: number, shape: shape, box: box)
      }
    }
    return lines
  }

  /// The lines of a name, for a word of which their labels may have a sign: "king and queen" for
  /// "King & Queen Ln".
  private func matches(
    named name: String, in sourceIDs: Set<String>
  ) throws(SearchError) -> [MatchKey] {
    let keys = try matches(of: SearchText(name), limit: Self.mostLines, in: sourceIDs)
    guard keys.isEmpty, let names = IntersectionText.readings(of: name).first else { return keys }
    return try matches(
      of: SearchText("\(names.first) \(names.second)"), inParts: false, limit: Self.mostLines,
      in: sourceIDs)
  }

  private func result(
    _ label: String, at place: Coordinate, in source: LocatorSource
  ) -> LocatorResult {
    LocatorResult(
      label: label, sourceTitle: source.title, score: 98, location: place,
      extent: Envelope(xMin: place.x, yMin: place.y, xMax: place.x, yMax: place.y),
      kind: .intersection)
  }
}
