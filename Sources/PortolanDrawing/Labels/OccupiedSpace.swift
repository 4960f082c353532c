internal import PortolanGeometry

/// The parts of a picture that something already stands on.
struct OccupiedSpace {
  private static let cellSize = 64.0

  private struct Cell: Hashable {
    let column: Int
    let row: Int
  }

  private let picture: Envelope
  private var boxes: [TurnedBox] = []
  private var cells: [Cell: [Int]] = [:]

  /// Space in `area`, which is the picture or a part of it.
  init(_ area: Envelope) { picture = area }

  /// Whether nothing stands there and all of it is in the picture.
  func isFree(_ box: TurnedBox) -> Bool {
    picture.contains(box.bounds) && !collides(box)
  }

  /// Whether something stands there.
  func collides(_ box: TurnedBox) -> Bool {
    cells(under: box).contains { cell in
      cells[cell]?.contains { boxes[$0].overlaps(box) } ?? false
    }
  }

  /// Takes the place.
  mutating func occupy(_ box: TurnedBox) {
    boxes.append(box)
    for cell in cells(under: box) { cells[cell, default: []].append(boxes.count - 1) }
  }

  private func cells(under box: TurnedBox) -> [Cell] {
    guard let area = box.bounds.intersection(picture) else { return [] }
    let columns = Int(area.xMin / Self.cellSize)...Int(area.xMax / Self.cellSize)
    let rows = Int(area.yMin / Self.cellSize)...Int(area.yMax / Self.cellSize)
    return rows.flatMap { row in columns.map { Cell(column: $0, row: row) } }
  }
}
