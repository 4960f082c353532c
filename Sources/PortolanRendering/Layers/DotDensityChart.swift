internal import PortolanDrawing
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap
internal import PortolanSymbols

/// Dots scattered over areas, at places that depend on the object id only.
struct DotDensityChart: FeatureChart {
  /// Dots of one feature; more of them are an area.
  private static let maximumDots = 20_000

  /// Vertices looked at for the dots of one feature; slivers would take many tries.
  private static let maximumWork = 100_000_000

  private let attributes: [ChartAttribute]
  private let dotValue: Double
  private let dot: PixelPath
  private let background: SymbolStyle
  private let transform: PixelTransform
  private let picture: Envelope

  init(_ renderer: DotDensityRenderer, _ session: DrawingSession) {
    let reader = SymbolReader(pixelsPerPoint: session.pixelsPerPoint)
    attributes = renderer.attributes.compactMap(ChartAttribute.init)
    // From the reference scale on, a dot stands for more as the map units of its pixel grow.
    let reference = renderer.json["referenceScale"]?.double ?? 0
    let zoom = reference > 0 ? session.frame.scale / reference : 1
    dotValue = max(renderer.dotValue ?? 1, 1e-9) * zoom * zoom
    dot = .circle(radius: max(reader.pixels(renderer.dotSize), 0.5) / 2)
    background = reader.style(
      for: .simpleFill(
        SimpleFillSymbol(color: renderer.backgroundColor, outline: renderer.outline)))
    transform = session.transform
    picture = Envelope(xMin: 0, yMin: 0, xMax: Double(session.width), yMax: Double(session.height))
      .expanded(by: dot.bounds.width)
  }

  var fields: [String] { attributes.flatMap(\.fields) }

  func draw(
    _ feature: Feature, _ geometry: Geometry, _ pixels: PixelGeometry, size: Double?,
    into commands: inout [DrawCommand]
  ) -> Double {
    guard case .polygon(let polygon) = geometry, let extent = geometry.extent else { return 0 }
    _ = background.draw(pixels, heading: 0, into: &commands)
    let vertices = polygon.rings.reduce(1) { $0 + $1.count }
    var random = DotPlaces(seed: UInt64(bitPattern: feature.objectID))
    for attribute in attributes {
      let wanted = attribute.value(for: feature.attributes) / dotValue
      // Neither a number nor more than none where both are 0 or the scale is no scale.
      let count = wanted > 0 ? Int(min(wanted.rounded(), Double(Self.maximumDots))) : 0
      var dots = PixelPath(isClosed: true)
      var tries = 0
      var placed = 0
      while placed < count, tries < min(count * 50, Self.maximumWork / vertices) {
        tries += 1
        let place = random.next(in: extent)
        guard polygon.contains(place) else { continue }
        placed += 1
        let center = transform(place)
        guard picture.contains(center) else { continue }
        dots.append(dot.points.map { Coordinate(x: $0.x + center.x, y: $0.y + center.y) })
      }
      // One by one: dots that overlap must not cut holes into each other.
      commands += dots.runs.map {
        .fill(PixelPath([Array($0)], isClosed: true), .solid(attribute.color))
      }
    }
    return 0
  }
}

/// Places that look scattered and are the same each time.
struct DotPlaces {
  private var numbers: SplitMix64

  /// The places of a feature.
  ///
  /// The generator counts on from its seed, so that of neighboring seeds one soon has the numbers of the
  /// other: its first number is the seed of another one.
  init(seed: UInt64) {
    var seeds = SplitMix64(seed: seed)
    numbers = SplitMix64(seed: seeds.next())
  }

  mutating func next(in extent: Envelope) -> Coordinate {
    Coordinate(
      x: extent.xMin + numbers.fraction() * extent.width,
      y: extent.yMin + numbers.fraction() * extent.height)
  }
}
