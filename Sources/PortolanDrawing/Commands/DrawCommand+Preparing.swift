internal import PortolanGeometry

extension DrawCommand {
  /// The distance that areas without gaps to others reach beyond their edge, in pixels.
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
    case .stroke(let path, let style):
      return Self.preparedStroke(path, style, forDocument: isDocument)
    case .clipped(let commands, let area):
      return .clipped(commands.map { $0.prepared(forDocument: isDocument) }, to: area.seenArea)
    case .beginGroup, .endGroup, .image, .marker, .text, .letters: return self
    }
  }

  private static func preparedStroke(
    _ path: PixelPath, _ style: StrokeStyle, forDocument isDocument: Bool
  ) -> DrawCommand {
    var style = style
    let dashes = DashedPath(style.dashes, distanceStep: style.distanceStep)
    let isBeside = style.shearReach != nil && (style.offset != 0 || style.gapWidth > 0)
    // In lines that a document draws itself, square ends would close the gaps between dashes.
    if isDocument, dashes != nil, style.shearReach != nil, style.cap == .square {
      style.cap = .butt
    }
    if isDocument, path.window == nil, !isBeside { return .stroke(path, style) }
    // Areas keep vertices that lines have no use for.
    let path = path.isClosed ? path.thinned : path
    let offset = style.offset
    if isBeside { return .fill(LineRibbon.areas(of: path, style, dashes), .union(style.color)) }
    guard let dashes else {
      if style.shearReach != nil, !isDocument, LineRibbon.isNeeded(for: path, style) {
        return .fill(LineRibbon.areas(of: path, style, nil), .union(style.color))
      }
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
