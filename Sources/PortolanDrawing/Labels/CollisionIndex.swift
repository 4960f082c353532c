internal import PortolanGeometry

/// The boxes that placed labels occupy, by cells of the picture, to find collisions.
struct CollisionIndex {
  private static let cellSize = 64.0

  private struct Cell: Hashable {
    let column: Int
    let row: Int
  }

  private let picture: Envelope
  /// The same with what around it keeps others from standing at its sides.
  private let surroundings: Envelope
  private var boxes: [(box: RotatedBox, mayBeCovered: Bool)] = []
  private var cells: [Cell: [Int]] = [:]

  /// Space in `area`, which is the picture or a part of it, and around that.
  init(_ area: Envelope, margin: Double = 0) {
    picture = area
    surroundings = area.expanded(by: margin)
  }

  /// Whether all boxes are in the picture, or any of them is at least near it.
  func holds(_ boxes: [RotatedBox], inPart: Bool) -> Bool {
    inPart
      ? boxes.contains { surroundings.intersects($0.bounds) }
      : !boxes.isEmpty && boxes.allSatisfy { picture.contains($0.bounds) }
  }

  /// Whether a place is occupied, or by something that must not be covered.
  func collides(_ box: RotatedBox, withAll: Bool = true) -> Bool {
    cells(under: box).contains { cell in
      cells[cell]?.contains { index in
        (withAll || !boxes[index].mayBeCovered) && boxes[index].box.overlaps(box)
      } ?? false
    }
  }

  /// Occupies the place, which others may cover.
  mutating func occupy(_ box: RotatedBox, mayBeCovered: Bool = false) {
    boxes.append((box, mayBeCovered))
    for cell in cells(under: box) { cells[cell, default: []].append(boxes.count - 1) }
  }

  private func cells(under box: RotatedBox) -> [Cell] {
    guard let area = box.bounds.intersection(surroundings) else { return [] }
    func cell(_ place: Double) -> Int { Int((place / Self.cellSize).rounded(.down)) }
    let columns = cell(area.xMin)...cell(area.xMax)
    let rows = cell(area.yMin)...cell(area.yMax)
    return rows.flatMap { row in columns.map { Cell(column: $0, row: row) } }
  }
}
