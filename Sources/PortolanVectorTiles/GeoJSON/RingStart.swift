internal import PortolanGeometry

/// The point where dashes and symbols along rings of GeoJSON begin.
///
/// MapLibre Native makes areas anew in each tile: their rings begin at the top, wherever they did before.
/// The specification says nothing of it.
enum RingStart {
  /// The number of the vertex of a ring without its last one, which is the first.
  ///
  /// That is the topmost vertex, of several the one farthest right. Of a level top, of several the one farthest
  /// right, it is the right end where the ring goes clockwise on the map, else the vertex beside the left end.
  static func index(_ ring: [Coordinate], isClockwise: Bool) -> Int {
    guard let top = ring.lazy.map(\.y).min() else { return 0 }
    func next(_ index: Int, _ step: Int) -> Int { (index + step + ring.count) % ring.count }
    var best: (isLevel: Bool, right: Double, start: Int)?
    for index in ring.indices where ring[index].y == top && ring[next(index, -1)].y != top {
      var last = index
      while ring[next(last, 1)].y == top { last = next(last, 1) }
      let (first, end) = (ring[index].x, ring[last].x)
      let isLevel = first != end
      var start = index
      if isLevel {
        let (left, right) = first < end ? (next(index, -1), last) : (next(last, 1), index)
        start = isClockwise ? right : left
      }
      let right = max(first, end)
      if best.map({ ($0.isLevel ? 1 : 0, $0.right) < (isLevel ? 1 : 0, right) }) ?? true {
        best = (isLevel, right, start)
      }
    }
    return best?.start ?? 0
  }
}
