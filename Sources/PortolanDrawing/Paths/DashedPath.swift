internal import PortolanGeometry

/// Takes a line apart into its dashes, which are counted from where the line begins.
///
/// Cairo would count from where its part of the line begins, which is another place in each picture.
struct DashedPath {
  /// Shorter patterns are grey.
  private static let shortest = 0.5
  /// The gaps that round ends close, as a share of how far these reach: all but their outermost edge,
  /// a 500th of the width.
  private static let closedGap = 1.0 / 8
  /// What a dash without length, which is a dot, is drawn as.
  private static let dot = 0.01

  private let dashes: [Double]
  private let total: Double
  private let distanceStep: Double

  /// `nil` for patterns that leave the line whole.
  init?(_ dashes: [Double], distanceStep: Double = 0) {
    let total = dashes.reduce(0, +)
    guard !dashes.isEmpty, dashes.allSatisfy({ $0 >= 0 && $0.isFinite }), total > Self.shortest
    else { return nil }
    // With an odd number, dashes and gaps change places at each turn.
    self.dashes = dashes.count % 2 == 0 ? dashes : dashes + dashes
    self.total = dashes.count % 2 == 0 ? total : 2 * total
    self.distanceStep = distanceStep
  }

  /// The dashes that are seen; those of rings may be counted from their last vertex on.
  func dashes(of path: PixelPath, countingClosingEdge: Bool = false) -> PixelPath {
    var result = PixelPath(isClosed: false)
    result.origin = path.origin
    let seen = path.window.map(SeenPart.init)
    for (number, run) in path.runs.enumerated() {
      let isRing = path.isClosed && !path.openRuns.contains(number)
      var passed = 0.0
      if countingClosingEdge, isRing, let first = run.first, let last = run.last {
        passed = PixelPath.distance(last, first)
      }
      for piece in pieces(isRing ? run + run.prefix(1) : run, seen, isRing: isRing, passed) {
        result.append(piece)
      }
    }
    return result
  }

  /// The dashes that are seen as areas, sheared at corners; `nil` if that has no room for it.
  func areas(of path: PixelPath, _ style: StrokeStyle, sharpReach: Double) -> PixelPath? {
    var areas = PixelPath(isClosed: true)
    areas.origin = path.origin
    let seen = path.window.map(SeenPart.init)
    for (number, run) in path.runs.enumerated() where run.count > 1 {
      let isRing = path.isClosed && !path.openRuns.contains(number)
      var passed = 0.0
      if style.countsClosingEdge, isRing, let first = run.first, let last = run.last {
        passed = PixelPath.distance(last, first)
      }
      guard
        let strip = MiteredStrip(
          run, isRing: isRing, width: style.width, limit: style.miterLimit, sharpReach: sharpReach,
          distanceStep: distanceStep, grid: style.tileGrid, from: passed)
      else { return nil }
      for piece in strip.pieces {
        let (start, end) = (piece.start, piece.end)
        guard let (low, high) = seen.map({ $0.shares(start.center, end.center) }) ?? (0, 1) else {
          continue
        }
        let length = end.distance - start.distance
        let dashes = self.dashes(
          from: start.distance + low * length, to: start.distance + high * length)
        for area in piece.areas(dashes) { areas.append(area) }
      }
    }
    return areas
  }

  private func pieces(
    _ run: ArraySlice<Coordinate>, _ seen: SeenPart?, isRing: Bool, _ passed: Double
  ) -> [[Coordinate]] {
    var passed = passed
    var pieces: [[Coordinate]] = []
    var piece: [Coordinate] = []
    func flush() {
      guard let last = piece.last else { return }
      if piece.count == 1 { piece.append(Coordinate(x: last.x + Self.dot, y: last.y)) }
      pieces.append(piece)
      piece = []
    }
    for (start, end) in zip(run, run.dropFirst()) {
      let length = PixelPath.distance(start, end)
      guard length > 0 else { continue }
      defer { passed += length }
      let from = MiteredStrip.stepped(passed, by: distanceStep)
      let counted =
        distanceStep > 0
        ? MiteredStrip.stepped(passed + length, by: distanceStep) - from : length
      guard counted > 0 else {
        // A piece in which nothing is counted goes on with a dash, or with a gap.
        if !piece.isEmpty { piece.append(end) }
        continue
      }
      guard let (low, high) = seen.map({ $0.shares(start, end) }) ?? (0, 1) else {
        flush()
        continue
      }
      if low > 0 { flush() }
      for dash in dashes(from: from + low * counted, to: from + high * counted) {
        func point(_ distance: Double) -> Coordinate {
          let share = (distance - from) / counted
          return Coordinate(
            x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share)
        }
        guard dash.lowerBound < from + counted else { continue }
        if dash.lowerBound >= from {
          flush()
          piece = [point(dash.lowerBound)]
        } else if piece.isEmpty {
          piece = [start]
        }
        if dash.upperBound <= from + counted {
          if dash.upperBound > dash.lowerBound { piece.append(point(dash.upperBound)) }
          flush()
        } else {
          piece.append(end)
        }
      }
      if high < 1 { flush() }
    }
    flush()
    return isRing ? joined(pieces, run.first) : pieces
  }

  /// Whether no gap is seen between dashes whose round ends reach so far along the line.
  ///
  /// Without this, each place could be in thousands of ends.
  func isClosed(by rounding: Double) -> Bool {
    dashes.indices.allSatisfy { $0 % 2 == 0 || dashes[$0] <= rounding * Self.closedGap }
  }

  /// The dashes that touch a part of the line, as distances from its start.
  func dashes(from low: Double, to high: Double) -> [ClosedRange<Double>] {
    guard (high - low).isFinite else { return [] }
    var result: [ClosedRange<Double>] = []
    for number in stride(from: (low / total).rounded(.down), through: high / total, by: 1) {
      var place = number * total
      for (index, dash) in dashes.enumerated() {
        let next = place + dash
        if index % 2 == 0, next >= low, place <= high { result.append(place...next) }
        place = next
      }
    }
    return result
  }

  /// A dash that goes on over the place where a ring begins is one.
  private func joined(_ pieces: [[Coordinate]], _ start: Coordinate?) -> [[Coordinate]] {
    guard pieces.count > 1, let first = pieces.first, let last = pieces.last,
      first.first == start, last.last == start
    else { return pieces }
    return [last + first.dropFirst()] + pieces.dropFirst().dropLast()
  }
}

extension DrawCommand {
  /// How far beyond their edge areas reach that leave no gap to others, in pixels.
  private static let spread = 0.5

  /// Whether nothing of the step depends on a whole shape that is seen in part.
  var isPrepared: Bool {
    switch self {
    case .fill(let path, .solid), .fill(let path, .crisp), .fill(let path, .union):
      path.window == nil
    case .beginGroup, .endGroup, .image, .marker, .text, .letters: true
    case .fill, .stroke, .clipped: false
    }
  }

  /// The step with what depends on whole shapes worked out: dashes, where patterns begin, and what
  /// is seen of long shapes.
  ///
  /// In documents, dashes are left to the document where shapes are whole.
  package func prepared(forDocument isDocument: Bool) -> DrawCommand {
    switch self {
    case .fill(let path, .spread(let color)) where isDocument:
      // Documents have no pixels that could show a gap.
      return .fill(path.seenArea, .solid(color))
    case .fill(let path, .spread(let color)):
      return .fill(path.grown(by: Self.spread).seenArea, .spread(color))
    case .fill(let path, let style): return .fill(path.seenArea, style.placed(on: path))
    case .stroke(let path, var style):
      let dashes = DashedPath(style.dashes, distanceStep: style.distanceStep)
      let isBeside = style.shearReach != nil && (style.offset != 0 || style.gapWidth > 0)
      // Of what a document draws itself, square ends would close the gaps between dashes.
      if isDocument, dashes != nil, style.shearReach != nil, style.cap == .square {
        style.cap = .butt
      }
      if isDocument, path.window == nil, !isBeside { return .stroke(path, style) }
      // Areas keep vertices that lines have no use for.
      let path = path.isClosed ? path.thinned : path
      let offset = style.offset
      if isBeside { return .fill(LineRibbon.areas(of: path, style, dashes), .union(style.color)) }
      guard let dashes else {
        (style.offset, style.dashes) = (0, [])
        return .stroke(path.movedAside(by: offset).seenLines, style)
      }
      if let sharpReach = style.shearReach, style.join == .miter, style.cap == .butt,
        let areas = dashes.areas(of: path, style, sharpReach: sharpReach)
      {
        return .fill(areas, .union(style.color))
      }
      if style.shearReach != nil, !isDocument {
        return .fill(LineRibbon.areas(of: path, style, dashes), .union(style.color))
      }
      (style.offset, style.dashes) = (0, [])
      return .stroke(
        dashes.dashes(
          of: path.movedAside(by: offset), countingClosingEdge: style.countsClosingEdge), style)
    case .clipped(let commands, let area):
      return .clipped(commands.map { $0.prepared(forDocument: isDocument) }, to: area.seenArea)
    case .beginGroup, .endGroup, .image, .marker, .text, .letters: return self
    }
  }
}

extension PixelPath {
  fileprivate func movedAside(by distance: Double) -> PixelPath {
    distance == 0 ? self : offset(by: distance)
  }
}

extension FillStyle {
  /// The style with its patterns counted from the zero of the map, and its runs of colours across
  /// all of the area.
  fileprivate func placed(on path: PixelPath) -> FillStyle {
    switch self {
    case .solid, .crisp, .spread, .union: return self
    case .hatch(var hatch):
      hatch.origin = hatch.origin ?? path.origin
      return .hatch(hatch)
    case .picture(var tile):
      tile.origin = tile.origin ?? path.origin
      return .picture(tile)
    case .gradient(var gradient):
      gradient.box = gradient.box ?? path.bounds
      return .gradient(gradient)
    }
  }
}
