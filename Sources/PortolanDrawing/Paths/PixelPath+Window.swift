package import PortolanGeometry

extension PixelPath {
  /// Vertices farther away than this, in pixels, are not given to cairo, which counts in few bits.
  static let farthest = Double(1 << 16)

  /// The areas without the vertices that cannot be seen.
  ///
  /// No edge that is seen is changed, so it falls on the same fractions of pixels in all pictures.
  package var seenArea: PixelPath {
    guard let window else { return self }
    var path = PixelPath(isClosed: true)
    path.origin = origin
    for run in runs { path.append(SeenPart(window).area(run)) }
    return path
  }

  /// The lines, or the outlines of areas, without the parts that cannot be seen.
  ///
  /// The visible vertices keep their neighbours, so that joints and sides are those of the whole.
  package var seenLines: PixelPath {
    guard let window else { return self }
    let seen = SeenPart(window)
    var path = PixelPath(isClosed: isClosed)
    path.origin = origin
    for (number, run) in runs.enumerated() {
      let isRing = isClosed && !openRuns.contains(number) && run.count > 2
      switch isRing ? seen.ring(run) : seen.line(run) {
      case .whole: path.append(Array(run))
      case .pieces(let pieces): for piece in pieces { path.appendOpen(piece) }
      }
    }
    return path
  }

  /// The shape cut at the sides of its window, as symbols in the middle of the visible part need.
  var cut: PixelPath {
    guard let window else { return self }
    guard isClosed else { return cutLines(to: window) }
    return clipped(to: window)
  }

  /// The parts of lines in a box.
  package func cutLines(to box: Envelope) -> PixelPath {
    var path = PixelPath(isClosed: false)
    path.origin = origin
    for run in runs {
      for piece in LineClipper.clip(Array(run), to: box) { path.append(piece) }
    }
    return path
  }
}
