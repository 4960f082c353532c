internal import PortolanGeometry

/// Guesses the grid of coordinates from where the spatial index has some of the shapes.
///
/// The index holds 32-bit floats, so that a grid is first looked for among the standard ones; only
/// if none fits is one computed, which then is right to about a metre.
///
/// - SeeAlso: Docs/FORMATS.md, 2.7, "Where the numbers come from"
struct PrecisionFit {
  /// The middle of a box of the index.
  struct Center {
    let x: Double
    let y: Double
  }

  /// The grid on which numbers are coordinates.
  private static let wholeNumbers = CoordinatePrecision(xOrigin: 0, yOrigin: 0, xyScale: 1)

  private var samples: [(numbers: Coordinate, center: Center)] = []

  /// Takes a shape and where the index has it; what is no shape is left out.
  mutating func include(_ bytes: UnsafeRawBufferPointer, at center: Center) {
    // A damaged shape says nothing about the others, and is reported when it is read.
    guard let extent = try? unsafe GeometryBlob.extent(of: bytes, precision: Self.wholeNumbers)
    else { return }
    samples.append((extent.center, center))
  }

  /// The grid, if there are enough shapes to tell.
  var precision: CoordinatePrecision? {
    guard !samples.isEmpty else { return nil }
    let standard: [CoordinatePrecision] = [.degrees, .webMercator, .transverseMercator]
    return standard.first(where: fits) ?? computed
  }

  private func fits(_ precision: CoordinatePrecision) -> Bool {
    samples.allSatisfy { sample in
      let x = sample.numbers.x / precision.xyScale + precision.xOrigin
      let y = sample.numbers.y / precision.xyScale + precision.yOrigin
      return abs(x - sample.center.x) <= Self.error(at: sample.center.x)
        && abs(y - sample.center.y) <= Self.error(at: sample.center.y)
    }
  }

  /// How far a number of the index may be from the true one.
  private static func error(at value: Double) -> Double {
    max(abs(value), 1e-3) * 4 * Double(Float.ulpOfOne)
  }

  private var computed: CoordinatePrecision? {
    guard let scale = scale(\.numbers.x, \.center.x) ?? scale(\.numbers.y, \.center.y),
      let first = samples.first
    else { return nil }
    let precision = CoordinatePrecision(
      xOrigin: first.center.x - first.numbers.x / scale,
      yOrigin: first.center.y - first.numbers.y / scale, xyScale: scale)
    return precision.isValid ? precision : nil
  }

  /// The steps a unit between the two samples that are farthest apart along an axis.
  private func scale(
    _ number: KeyPath<(numbers: Coordinate, center: Center), Double>,
    _ center: KeyPath<(numbers: Coordinate, center: Center), Double>
  ) -> Double? {
    guard let low = samples.min(by: { $0[keyPath: center] < $1[keyPath: center] }),
      let high = samples.max(by: { $0[keyPath: center] < $1[keyPath: center] })
    else { return nil }
    let scale =
      (high[keyPath: number] - low[keyPath: number])
      / (high[keyPath: center] - low[keyPath: center])
    guard scale.isFinite, scale > 0 else { return nil }
    let power = Self.powersOfTen.first { abs($0 / scale - 1) < 1e-4 }
    return power ?? scale
  }

  private static let powersOfTen: [Double] = [
    1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12,
  ]
}
