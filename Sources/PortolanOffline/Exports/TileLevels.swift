internal import PortolanPortal
internal import PortolanTiles

/// The levels of a service of tiles, by scales.
struct TileLevels {
  private let all: [TileScheme.Level]

  init(_ info: MapServiceInfo) {
    all = (info.tileScheme?.levels ?? []).filter { info.levels?.contains($0.level) ?? true }
  }

  /// The levels between two scales, 0 for no limit; the nearest where there is none.
  func between(_ minScale: Double, _ maxScale: Double) -> [Int] {
    // Scales are rounded differently from program to program.
    let found = all.filter {
      (minScale == 0 || $0.scale <= minScale * 1.000_1)
        && (maxScale == 0 || $0.scale >= maxScale * 0.999_9)
    }
    guard found.isEmpty else { return found.map(\.level).sorted() }
    let wanted = maxScale == 0 ? minScale : maxScale
    let nearest = all.min { abs($0.scale - wanted) < abs($1.scale - wanted) }
    return nearest.map { [$0.level] } ?? []
  }

  /// All levels down to that of a scale, 0 for no limit: of packages of vector tiles readers begin at
  /// the top, and what is farther out is little.
  func fromTop(to maxScale: Double, within minScale: Double = 0) -> [Int] {
    guard let last = between(minScale, maxScale).last else { return [] }
    return all.map(\.level).filter { $0 <= last }.sorted()
  }
}
