internal import PortolanFeatures
internal import PortolanGeometry

extension LocatorTask {
  /// How many lines of each name are looked at.
  ///
  /// A street may be in hundreds of pieces, of which one meets the other street.
  private static let mostLines = 1024

  /// A line with a name.
  private struct NamedLine {
    let label: String
    let source: Int
    let shape: Geometry
    let box: Envelope
  }

  /// The places where lines of the two names meet, each pair of names once.
  func crossings(
    of pair: IntersectionText, in sourceIDs: Set<String>?
  ) async throws(SearchError) -> [LocatorResult] {
    let lines = sources.filter { source in
      source.schema.geometryType == .polyline && sourceIDs?.contains(source.id) ?? true
    }
    guard !lines.isEmpty else { return [] }
    let ids = Set(lines.map(\.id))
    let first = try await self.lines(named: pair.first, in: ids)
    guard !first.isEmpty else { return [] }
    let second = try await self.lines(named: pair.second, in: ids)
    var results: [LocatorResult] = []
    for line in first {
      for other in second where other.source == line.source && other.label != line.label {
        // Most pieces are nowhere near each other.
        guard line.box.intersects(other.box) else { continue }
        guard !Task.isCancelled else { throw .cancelled }
        let label = "\(line.label) & \(other.label)"
        guard !results.contains(where: { $0.label == label }),
          let place = place(where: line.shape, meets: other.shape)
        else { continue }
        results.append(result(label, at: place, in: sources[line.source]))
      }
    }
    return results
  }

  private func lines(
    named name: String, in sourceIDs: Set<String>
  ) async throws(SearchError) -> [NamedLine] {
    let keys = try matches(of: SearchText(name), limit: Self.mostLines, in: sourceIDs)
    var lines: [NamedLine] = []
    for (number, source) in sources.enumerated() where sourceIDs.contains(source.id) {
      let mine = keys.map { ($0, index.origin(of: $0.document)) }.filter { $0.1.source == number }
      guard !mine.isEmpty else { continue }
      let shapes = try await shapes(of: mine.map(\.1.objectID), in: source)
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

  private func place(where line: Geometry, meets other: Geometry) -> Coordinate? {
    // Lines that cannot be compared have no crossing that is known.
    let common = try? GeometryEngine.intersection(line, other)
    return common?.paths.first?.coordinates.first
  }

  private func result(
    _ label: String, at place: Coordinate, in source: LocatorSource
  ) -> LocatorResult {
    let shape = PlacedShape(
      .point(Point(x: place.x, y: place.y)), in: source.schema.spatialReference)
    return LocatorResult(
      label: label, sourceTitle: source.title, score: 98, location: shape.location,
      extent: shape.extent, kind: .intersection)
  }
}
