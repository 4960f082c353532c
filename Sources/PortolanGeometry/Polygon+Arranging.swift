extension Polygon {
  /// Brings rings of any order and winding into the order of ``Polygon``.
  ///
  /// The nesting of the rings decides which of them are holes, so that wrong windings are repaired;
  /// rings are closed where they are open, and rings without vertices are left out. Exteriors keep
  /// their order, and so do the holes of each. Rings that already are in order stay as they are,
  /// vertex for vertex. Rings without an area count as exteriors.
  public init(arranging rings: [Path]) {
    let closed = rings.allSatisfy(\.isWellEnded) ? rings : rings.compactMap(\.closed)
    if closed.count == 1 {
      // Most polygons have one ring, and there is nothing to hold it against.
      self.init(rings: closed[0].signedArea < 0 ? [closed[0].reversed()] : closed)
      return
    }
    let arrangement = RingArrangement(closed)
    let (order, mustReverse) = (arrangement.order, arrangement.mustReverse)
    if order.elementsEqual(closed.indices), !mustReverse.contains(true) {
      self.init(rings: closed)
    } else {
      self.init(rings: order.map { mustReverse[$0] ? closed[$0].reversed() : closed[$0] })
    }
  }

  /// An exterior ring and the holes in it.
  public struct Part: Hashable, Sendable {
    /// The outline, counter-clockwise.
    public var exterior: Path
    /// The holes, clockwise.
    public var holes: [Path]

    /// Creates a part.
    public init(exterior: Path, holes: [Path] = []) {
      self.exterior = exterior
      self.holes = holes
    }

    /// The exterior, then the holes.
    public var rings: [Path] { [exterior] + holes }
  }

  /// The areas that the polygon consists of.
  ///
  /// Relies on the order of ``rings``: a clockwise ring belongs to the part before it.
  public var parts: [Part] {
    var parts: [Part] = []
    for ring in rings {
      if ring.signedArea < 0, !parts.isEmpty {
        parts[parts.count - 1].holes.append(ring)
      } else {
        parts.append(Part(exterior: ring))
      }
    }
    return parts
  }

  /// Creates a polygon from parts that are as ``Part`` describes.
  public init(parts: [Part]) { self.init(rings: parts.flatMap(\.rings)) }
}

extension Path {
  /// The smallest box around the vertices; empty if there are none.
  var extent: Envelope {
    var extent = Envelope.empty
    for coordinate in coordinates { extent.include(coordinate) }
    return extent
  }

  /// Whether there are vertices and the last is the first.
  fileprivate var isWellEnded: Bool { count > 0 && coordinates.first == coordinates.last }

  /// The path with its first vertex repeated at the end, or `nil` if there is no vertex.
  var closed: Path? {
    guard let first = coordinates.first else { return nil }
    guard first != coordinates.last else { return self }
    return Path(
      coordinates + [first], z: z.map { $0 + $0.prefix(1) }, m: m.map { $0 + $0.prefix(1) })
  }
}
