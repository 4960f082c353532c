internal import Foundation
internal import PortolanDrawing
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap

/// The picture below the layers: sea, land, borders, lakes and rivers.
struct Backdrop {
  private let home: [BackdropShape]
  private let neighbours: [BackdropShape]
  private let lakes: [BackdropShape]
  private let rivers: [BackdropLine]
  private let borders: [BackdropLine]

  init(_ sources: SampleSources) throws {
    let land = try sources.records("land.geojson")
    home = land.filter(\.isHome).compactMap(\.shape)
    neighbours = land.filter { !$0.isHome }.compactMap(\.shape)
    borders = land.filter { $0.shape == nil }.flatMap(\.lines)
    lakes = try sources.records("lakes.geojson").compactMap(\.shape)
    rivers = try sources.records("rivers.geojson").flatMap(\.lines)
  }

  /// Draws an extent, in metres of the Web Mercator, as PNG.
  ///
  /// The widths of lines depend on the scale alone, so that neighbouring tiles of a level fit
  /// together.
  func pngData(of extent: Envelope, width: Int, height: Int) throws -> Data {
    try pngData(of: BackdropScene(self, extent, width: width), width: width, height: height)
  }

  /// Draws what lies in an extent.
  func pngData(of scene: BackdropScene, width: Int, height: Int) throws -> Data {
    let canvas = try Canvas(
      of: scene.extent, width: width, height: height, background: scene.background)
    let shores = scene.land.flatMap(\.polygon.rings)
    for (tint, share) in zip(SamplePalette.shallows, [1, 0.6, 0.28]) {
      canvas.stroke(shores, tint, width: scene.vignette * share)
    }
    canvas.stroke(shores, SamplePalette.coast, width: 1.8)
    for (polygon, color) in scene.land { canvas.fill(polygon, color) }
    canvas.stroke(scene.rivers, SamplePalette.river, width: scene.riverWidth)
    for lake in scene.lakes {
      canvas.stroke(lake.rings, SamplePalette.coast, width: 1.4)
      canvas.fill(lake, SamplePalette.lake)
    }
    canvas.stroke(scene.borders, SamplePalette.borderBand, width: 5)
    canvas.stroke(scene.borders, SamplePalette.border, width: 1, dashes: [8, 3, 2, 3])
    return try canvas.pngData(mergesShades: true)
  }
}

/// The part of the backdrop in an extent.
struct BackdropScene {
  let extent: Envelope
  /// The colour of what covers all of the extent.
  private(set) var background = SamplePalette.sea
  private(set) var land: [(polygon: PortolanGeometry.Polygon, color: RGBAColor)] = []
  private(set) var lakes: [PortolanGeometry.Polygon] = []
  let rivers: [Path]
  let borders: [Path]
  /// The widest of the bands along the shore, in pixels.
  let vignette: Double
  let riverWidth: Double

  /// Whether the picture is of the background's colour all over.
  var isPlain: Bool { land.isEmpty && lakes.isEmpty && rivers.isEmpty && borders.isEmpty }

  init(_ backdrop: Backdrop, _ extent: Envelope, width: Int) {
    self.extent = extent
    let metresPerPixel = extent.width / Double(width)
    vignette = min(26, max(7, 9000 / metresPerPixel))
    riverWidth = min(3.2, max(0.9, 700 / metresPerPixel))
    // Shapes end outside the picture, by more than half the width of the widest line.
    let ground = extent.expanded(by: 16 * metresPerPixel)
    rivers = backdrop.rivers(crossing: ground)
    borders = backdrop.borders(crossing: ground)
    for (shape, color) in backdrop.land {
      switch shape.coverage(of: ground) {
      case .none: break
      case .part(let polygon): land.append((polygon, color))
      case .all: (background, land) = (color, [])
      }
    }
    for coverage in backdrop.lakes(within: ground) {
      switch coverage {
      case .none: break
      case .part(let lake): lakes.append(lake)
      case .all: lakes.append(ground.polygon)
      }
    }
  }
}

extension Backdrop {
  /// The areas of land with their colours; later ones lie on earlier ones.
  fileprivate var land: [(BackdropShape, RGBAColor)] {
    neighbours.map { ($0, SamplePalette.neighbours) } + home.map { ($0, SamplePalette.home) }
  }

  fileprivate func rivers(crossing box: Envelope) -> [Path] {
    rivers.filter { $0.mayCross(box) }.map(\.path)
  }

  fileprivate func borders(crossing box: Envelope) -> [Path] {
    borders.filter { $0.mayCross(box) }.map(\.path)
  }

  fileprivate func lakes(within box: Envelope) -> [BackdropShape.Coverage] {
    lakes.map { $0.coverage(of: box) }
  }
}

extension SampleSources.Record {
  fileprivate var isHome: Bool { properties["STATE"]?.string == "Maine" }

  fileprivate var shape: BackdropShape? {
    if case .polygon(let polygon) = geometry { BackdropShape(polygon) } else { nil }
  }

  fileprivate var lines: [BackdropLine] { geometry?.paths.map { BackdropLine($0) } ?? [] }
}
