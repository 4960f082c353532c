internal import Foundation
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap
internal import PortolanRendering

/// The picture below the layers: sea, land, lakes, rivers, and lines of longitude and latitude.
struct Backdrop {
  private let home: [PortolanGeometry.Polygon]
  private let neighbours: [PortolanGeometry.Polygon]
  private let lakes: [PortolanGeometry.Polygon]
  private let rivers: [Path]
  private let borders: [Path]
  private let graticule: [Path]

  init(_ sources: SampleSources) throws {
    let land = try sources.records("land.geojson")
    home = land.filter(\.isHome).compactMap(\.polygon)
    neighbours = land.filter { !$0.isHome }.compactMap(\.polygon)
    borders = land.filter { $0.polygon == nil }.flatMap { $0.geometry?.paths ?? [] }
    lakes = try sources.records("lakes.geojson").compactMap(\.polygon)
    rivers = try sources.records("rivers.geojson").flatMap { $0.geometry?.paths ?? [] }
    graticule = try Self.graticule(sources)
  }

  /// Draws a piece of ground, in metres of the Web Mercator, as PNG.
  ///
  /// Lines are as wide whatever the scale, so that neighbouring tiles of a level fit together.
  func pngData(of extent: Envelope, width: Int, height: Int) throws -> Data {
    let canvas = try Canvas(
      of: extent, width: width, height: height, background: SamplePalette.sea)
    let shores = (neighbours + home).flatMap(\.rings)
    canvas.stroke(shores, SamplePalette.shallows, width: 9)
    canvas.stroke(shores, SamplePalette.coast, width: 1.6)
    for shape in neighbours { canvas.fill(shape, SamplePalette.neighbours) }
    for shape in home { canvas.fill(shape, SamplePalette.home) }
    canvas.stroke(rivers, SamplePalette.lake, width: 1.2)
    for lake in lakes {
      canvas.fill(lake, SamplePalette.lake)
      canvas.stroke(lake.rings, SamplePalette.coast, width: 0.8)
    }
    canvas.stroke(borders, SamplePalette.border, width: 1, dashes: [6, 3])
    canvas.stroke(graticule, SamplePalette.graticule, width: 0.7)
    return try canvas.pngData()
  }

  /// A line each degree; in this projection they are straight.
  private static func graticule(_ sources: SampleSources) throws -> [Path] {
    let meridians = stride(from: -80.0, through: -56, by: 1).map {
      Envelope(xMin: $0, yMin: 38, xMax: $0, yMax: 53)
    }
    let parallels = stride(from: 38.0, through: 53, by: 1).map {
      Envelope(xMin: -80, yMin: $0, xMax: -56, yMax: $0)
    }
    return try (meridians + parallels).map { line in
      let ends = try sources.projected(line)
      return Path([
        Coordinate(x: ends.xMin, y: ends.yMin), Coordinate(x: ends.xMax, y: ends.yMax),
      ])
    }
  }
}

extension SampleSources.Record {
  fileprivate var isHome: Bool { properties["STATE"]?.string == "Maine" }

  fileprivate var polygon: PortolanGeometry.Polygon? {
    if case .polygon(let polygon) = geometry { polygon } else { nil }
  }
}
