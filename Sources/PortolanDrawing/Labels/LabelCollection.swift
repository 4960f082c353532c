package import PortolanGeometry

/// The labels that layers ask for, and the markers that they should not cover.
package final class LabelCollection {
  /// A picture has no room for more.
  private static let maximumCount = 20_000

  private var candidates: [LabelCandidate] = []
  private var markers: [Envelope] = []

  package init() {}

  /// Whether no further label is accepted.
  package var isFull: Bool { candidates.count >= Self.maximumCount }

  /// Takes a label down; false if there are too many.
  package func add(_ candidate: LabelCandidate) -> Bool {
    guard !isFull else { return false }
    candidates.append(candidate)
    return true
  }

  package func addMarkers(_ points: [Coordinate], reach: Double) {
    guard markers.count < Self.maximumCount, reach > 0 else { return }
    // Round markers leave the corners of their boxes free.
    let reach = reach * 0.7
    for point in points.prefix(Self.maximumCount) {
      markers.append(
        Envelope(
          xMin: point.x - reach, yMin: point.y - reach, xMax: point.x + reach,
          yMax: point.y + reach))
    }
  }

  /// The labels that find a place, and how many of their letters no font has.
  package func placed(for drawing: DrawingContext) -> (labels: [DrawCommand], unknownGlyphs: Int) {
    let (labels, unknown) = allPlaced(for: drawing)
    return (PlacedLabel.commands(labels), unknown)
  }

  /// The same by the layers of their style, whose number is that of the definition; others keep
  /// clear of what they cover.
  package func placedByDefinition(
    for drawing: DrawingContext, above others: LabelCollection
  ) -> (labels: [Int: [DrawCommand]], unknownGlyphs: Int) {
    let (labels, unknown) = allPlaced(for: drawing)
    others.markers += labels.flatMap(\.covered).prefix(Self.maximumCount)
    let definitions = Dictionary(grouping: labels, by: \.layering.definition)
    return (definitions.mapValues { PlacedLabel.commands($0) }, unknown)
  }

  private func allPlaced(
    for drawing: DrawingContext
  ) -> (labels: [PlacedLabel], unknownGlyphs: Int) {
    if let grid = drawing.labelGrid { return placed(in: grid, pixelRatio: drawing.pixelRatio) }
    guard !candidates.isEmpty,
      var placer = LabelPlacer(
        width: drawing.width, height: drawing.height, pixelRatio: drawing.pixelRatio,
        markers: markers)
    else { return ([], 0) }
    return (placer.place(candidates), placer.unknownGlyphCount)
  }

  /// The labels that find a place in the cells of a grid, each cell for itself.
  private func placed(
    in grid: LabelGrid, pixelRatio: Double
  ) -> (labels: [PlacedLabel], unknownGlyphs: Int) {
    guard !candidates.isEmpty else { return ([], 0) }
    let members = Dictionary(grouping: candidates.indices) { grid.cell(of: candidates[$0].anchor) }
    let always = candidates.indices.filter { candidates[$0].isUnconditional }
    var placed: [(index: Int, label: PlacedLabel)] = []
    var unknown = 0
    for cell in grid.cells {
      let box = grid.box(of: cell)
      let own = Set(members[cell] ?? [])
      guard
        var placer = LabelPlacer(
          area: box, pixelRatio: pixelRatio, markers: markers.filter { $0.intersects(box) })
      else { continue }
      placer.keepsInside = true
      placer.seeksRoom = false
      // A label that is drawn in any case also takes the room of the cells beside its own.
      for index in inOrder(own.union(always)) {
        let label = placer.place(candidates[index])
        if own.contains(index) { placed.append((index, label)) }
      }
      unknown += placer.unknownGlyphCount
    }
    let inside = Set(grid.cells)
    if var placer = LabelPlacer(area: grid.area, pixelRatio: pixelRatio, markers: []) {
      placer.seeksRoom = false
      for index in always
      where !(grid.cell(of: candidates[index].anchor).map(inside.contains) ?? false) {
        placed.append((index, placer.place(candidates[index])))
      }
    }
    let labels = Dictionary(placed, uniquingKeysWith: { first, _ in first })
    return (inOrder(labels.keys).compactMap { labels[$0] }, unknown)
  }

  /// The labels by rank, and as they came.
  private func inOrder(_ indices: some Sequence<Int>) -> [Int] {
    indices.sorted { left, right in
      let (first, second) = (candidates[left].rank, candidates[right].rank)
      return first == second ? left < right : first < second
    }
  }
}
