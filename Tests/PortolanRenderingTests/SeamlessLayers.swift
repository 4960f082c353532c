import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanPackages
import PortolanTiles

@testable import PortolanDrawing
@testable import PortolanRendering

/// Layers of every kind around the place where four blocks of tiles meet; lengths in points.
enum SeamlessLayers {
  static let level = 17
  /// The ground of a point at the level.
  static let resolution = 156_543.033_928_000_14 / Double(1 << level)

  static let names = [
    "lines", "long lines", "areas", "hatches", "pictures", "gradients", "markers on lines",
    "markers in areas", "effects on shapes", "point symbols", "heat map", "clusters", "bins",
    "dots",
    "pies", "labels of points", "labels of lines", "labels of areas", "labels that may overlap",
    "tiles", "enlarged tiles", "shapes of vector tiles", "symbols of vector tiles",
    "heat and buildings of vector tiles", "blur", "transparency",
  ]

  /// Kinds whose pixels are the same in all pictures; lines, outlines and pictures that cairo draws
  /// may differ by its rounding.
  static let exact: Set<String> = [
    "markers on lines", "markers in areas", "point symbols", "heat map", "clusters", "bins", "dots",
    "labels of points", "labels that may overlap",
  ]

  static func layers(_ name: String) throws -> [DrawnLayer] {
    switch name {
    case "lines": lines
    case "long lines": longLines
    case "areas": areas
    case "hatches": hatches
    case "pictures": try pictures()
    case "gradients": [layer(.polygon, [blob(0, 0, 190)], cim("CIMPolygonSymbol", gradient))]
    case "markers on lines":
      CIMSymbolTests.linePlacements.map {
        layer(
          .polyline, [wave(0), wave(70)], cim("CIMLineSymbol", CIMSymbolTests.dot($0, size: 9)))
      }
    case "markers in areas":
      CIMSymbolTests.areaPlacements.enumerated().map { index, members in
        var placement = members
        placement["type"] = "CIMMarkerPlacementInsidePolygon"
        return layer(
          .polygon, [blob(Double(index) * 130 - 130, 10, 70)],
          cim("CIMPolygonSymbol", CIMSymbolTests.dot(placement, size: 4)))
      }
    case "effects on shapes":
      CIMSymbolTests.effects.enumerated().map { index, effect in
        layer(
          .polyline, [wave(Double(index) * 40 - 150)],
          cim("CIMLineSymbol", CIMSymbolTests.stroke([200, 60, 40, 255], 1.5, [effect])))
      }
    case "point symbols": pointSymbols
    case "heat map": [heatMap]
    case "clusters", "bins": [reduced(name == "bins")]
    case "dots": [dots]
    case "pies": [pies]
    case "labels of points": [labels(.point, heap(spread: 240, count: 90))]
    case "labels of lines": [labels(.polyline, (0..<7).map { wave(Double($0) * 70 - 210) })]
    case "labels of areas":
      [labels(.polygon, [blob(0, 0, 150), blob(190, 90, 60), blob(-40, 205, 70)])]
    case "labels that may overlap": [labels(.point, heap(spread: 200, count: 30), mayOverlap: true)]
    case "tiles": [try tiles(level: level)]
    case "enlarged tiles": [try tiles(level: level - 3)]
    case "shapes of vector tiles": [try vectorTiles(shapes)]
    case "symbols of vector tiles": [try vectorTiles(symbols)]
    case "heat and buildings of vector tiles": [try vectorTiles(heatAndBuildings)]
    case "blur":
      [layer(.polygon, [blob(0, 0, 90)], fill, ["effect": [["type": "blur", "radius": 6]]])]
    default: [layer(.polygon, [blob(0, 0, 90), blob(40, 30, 90)], fill, ["opacity": 0.5])]
    }
  }

  // MARK: Shapes

  private static func at(_ x: Double, _ y: Double) -> Coordinate {
    Coordinate(x: x * resolution, y: y * resolution)
  }

  private static func feature(_ number: Int, _ geometry: Geometry) -> Feature {
    SmallMap.feature(
      Int64(number), geometry, name: "Place \(number % 37)", value: Double(number % 9) + 1,
      other: Double(number % 5) + 1)
  }

  /// A line that bends, across all blocks.
  private static func wave(_ y: Double) -> Feature {
    let places = (0...40).map { step in
      at(Double(step) * 15 - 300, y + 35 * sin(Double(step) * 0.7 + y))
    }
    return feature(Int(y) + 1000, .polyline(Polyline(paths: [Path(places)])))
  }

  /// An area with many vertices.
  private static func blob(_ x: Double, _ y: Double, _ radius: Double) -> Feature {
    let ring = (0...60).map { step in
      let turn = Double(step % 60) * .pi / 30
      let reach = radius * (1 + 0.2 * sin(turn * 5 + x))
      return at(x + cos(turn) * reach, y + sin(turn) * reach)
    }
    return feature(Int(x + y * 3) + 2000, .polygon(Polyline(paths: [Path(ring)]).asPolygon))
  }

  private static func heap(spread: Double, count: Int) -> [Feature] {
    (0..<count).map { index in
      let (turn, reach) = (Double(index) * 2.399, (Double(index) / Double(count)).squareRoot())
      let place = at(cos(turn) * reach * spread, sin(turn) * reach * spread)
      return feature(index, .point(Point(x: place.x, y: place.y)))
    }
  }

  // MARK: Layers

  private static func layer(
    _ type: GeometryType, _ features: [Feature], _ symbol: JSONObject, _ json: JSONObject = [:]
  ) -> DrawnLayer {
    SmallMap.layer(
      type, features, drawing: ["renderer": ["type": "simple", "symbol": .object(symbol)]],
      json: json)
  }

  private static let fill: JSONObject = [
    "type": "esriSFS", "style": "esriSFSSolid", "color": [90, 140, 60, 200],
    "outline": ["type": "esriSLS", "color": [40, 40, 40, 255], "width": 2],
  ]

  private static func line(_ style: String, _ width: Double) -> JSONObject {
    [
      "type": "esriSLS", "style": .string(style), "color": [150, 30, 90, 180],
      "width": .number(width),
    ]
  }

  private static let lines: [DrawnLayer] =
    ["Solid", "Dash", "DashDot", "Dot", "ShortDashDotDot", "LongDash"].enumerated()
    .map { index, name in
      layer(
        .polyline, [wave(Double(index) * 50 - 130)],
        line("esriSLS\(name)", Double(index) * 0.9 + 0.75))
    }

  private static let longLines: [DrawnLayer] = ["Solid", "Dash"].map { name in
    let ends: [(Double, Double)] = [(3e5, 1e5), (9e3, -4e4), (2e6, 3.1e6)]
    let features = ends.enumerated().map { index, end in
      let places = [at(-end.0, -end.1), at(3 * Double(index), 7), at(end.0, end.1)]
      return feature(index, .polyline(Polyline(paths: [Path(places)])))
    }
    return layer(.polyline, features, line("esriSLS\(name)", 2.5))
  }

  private static let areas: [DrawnLayer] = {
    var dashed = fill
    dashed["outline"] = .object(line("esriSLSDash", 2))
    let wide = Envelope(xMin: -4e5, yMin: -3e5, xMax: 35, yMax: 5e5)
    return [
      layer(
        .polygon,
        [
          feature(
            1,
            .polygon(
              Polygon(
                rings: wide.polygon.rings.map { ring in
                  Path(ring.coordinates.map { at($0.x, $0.y) })
                }))), blob(60, 60, 120),
        ], fill), layer(.polygon, [blob(-30, -20, 180)], dashed),
    ]
  }()

  private static let hatches: [DrawnLayer] = [
    "Horizontal", "Vertical", "ForwardDiagonal", "BackwardDiagonal", "Cross", "DiagonalCross",
  ].enumerated().map { index, name in
    layer(
      .polygon, [blob(Double(index % 3) * 130 - 130, Double(index / 3) * 130 - 65, 75)],
      ["type": "esriSFS", "style": .string("esriSFS\(name)"), "color": [20, 20, 160, 255]])
  }

  private static func pictures() throws -> [DrawnLayer] {
    let canvas = try Canvas(
      of: Envelope(xMin: 0, yMin: 0, xMax: 8, yMax: 8), width: 8, height: 8,
      background: RGBAColor(red: 250, green: 200, blue: 60))
    canvas.fill(
      Envelope(xMin: 2, yMin: 2, xMax: 6, yMax: 5).polygon,
      RGBAColor(red: 150, green: 40, blue: 90))
    let data = JSONValue.string(try canvas.pngData().base64EncodedString())
    let sizes: [(Double, Double)] = [(6, 6), (9, 7), (3, 4)]
    return sizes.enumerated().map { index, size in
      layer(
        .polygon, [blob(Double(index) * 140 - 140, 0, 80)],
        [
          "type": "esriPFS", "imageData": data, "width": .number(size.0),
          "height": .number(size.1), "angle": .number(Double(index) * 20), "xoffset": 3,
        ])
    } + [
      layer(
        .point, heap(spread: 200, count: 30),
        ["type": "esriPMS", "imageData": data, "width": 20, "height": 14, "angle": 20])
    ]
  }

  private static func cim(_ type: String, _ part: JSONObject) -> JSONObject {
    CIMSymbolTests.reference(type, [part])
  }

  private static let gradient: JSONObject = [
    "type": "CIMGradientFill", "gradientMethod": "Linear", "angle": 30,
    "colorRamp": [
      "type": "CIMLinearContinuousColorRamp", "fromColor": [250, 240, 120, 255],
      "toColor": [120, 20, 90, 255],
    ],
  ]

  private static let pointSymbols: [DrawnLayer] = ["Circle", "Square", "Cross", "X", "Triangle"]
    .enumerated().map { index, name in
      layer(
        .point, heap(spread: Double(index) * 30 + 90, count: 25),
        [
          "type": "esriSMS", "style": .string("esriSMS\(name)"), "color": [30, 90, 160, 160],
          "size": .number(Double(index) * 5 + 7), "angle": .number(Double(index) * 11),
          "outline": ["type": "esriSLS", "color": [0, 0, 0, 255], "width": 1],
        ])
    }

  private static let heatMap = SmallMap.layer(
    .point, heap(spread: 230, count: 160),
    drawing: [
      "renderer": [
        "type": "heatmap", "radius": 32,
        "colorStops": [
          ["ratio": 0, "color": [0, 0, 255, 0]], ["ratio": 0.3, "color": [255, 0, 255, 200]],
          ["ratio": 1, "color": [255, 255, 0, 255]],
        ],
      ]
    ])

  private static func reduced(_ isBinned: Bool) -> DrawnLayer {
    let reduction: JSONObject =
      isBinned
      ? ["type": "binning", "fixedBinLevel": 9]
      : [
        "type": "cluster", "clusterRadius": 40, "clusterMinSize": 14, "clusterMaxSize": 34,
        "drawingInfo": ["labelingInfo": FeatureReductionTests.labels],
      ]
    return SmallMap.layer(
      .point, heap(spread: 500, count: 400),
      drawing: [
        "renderer": [
          "type": "simple",
          "symbol": isBinned ? .object(fill) : RendererPictureTests.dot(200, 8),
        ]
      ],
      json: ["layerDefinition": ["featureReduction": .object(reduction)]])
  }

  private static let dots = SmallMap.layer(
    .polygon, [blob(0, 0, 180), blob(-200, 30, 70)],
    drawing: [
      "renderer": [
        "type": "dotDensity", "dotValue": 0.02, "dotSize": 4,
        "backgroundColor": [230, 240, 220, 255],
        "attributes": [["field": "VALUE", "color": [40, 110, 40, 255]]],
      ]
    ])

  private static let pies = SmallMap.layer(
    .polygon, [blob(20, 10, 60), blob(-130, -90, 110), blob(150, 120, 80)],
    drawing: [
      "renderer": [
        "type": "pieChart", "size": 45, "holePercentage": 0.3,
        "backgroundFillSymbol": .object(fill),
        "attributes": [
          ["field": "VALUE", "color": [200, 60, 60, 255]],
          ["field": "OTHER", "color": [60, 60, 200, 255]],
        ],
      ]
    ])

  private static func labels(
    _ type: GeometryType, _ features: [Feature], mayOverlap: Bool = false
  ) -> DrawnLayer {
    let symbol: JSONObject =
      type == .point
      ? ["type": "esriSMS", "size": 6, "color": [200, 40, 40, 255]]
      : type == .polyline ? line("esriSLSSolid", 1) : fill
    return LabelPictureTests.layer(
      type, features, symbol: .object(symbol),
      labels: [
        "labelExpression": "[NAME]",
        "deconflictionStrategy": mayOverlap ? "none" : "static",
        "repeatLabelDistance": 60, "removeDuplicates": "labelClass",
        "removeDuplicatesDistance": 40,
      ])
  }

  /// Tiles with a cross and a colour each, of one level.
  private static func tiles(level: Int) throws -> DrawnLayer {
    var tiles: [TileID: Tile] = [:]
    let middle = 1 << (level - 1)
    for row in (middle - 3)..<(middle + 3) {
      for column in (middle - 3)..<(middle + 3) {
        let ground = Envelope(xMin: 0, yMin: 0, xMax: 256, yMax: 256)
        let canvas = try Canvas(
          of: ground, width: 256, height: 256,
          background: RGBAColor(
            red: UInt8(60 + (row & 7) * 20), green: UInt8(60 + (column & 7) * 20), blue: 120))
        canvas.stroke(
          [Path([Coordinate(x: 20, y: 2), Coordinate(x: 244, y: 250)])], .white, width: 9)
        tiles[TileID(level: level, row: row, column: column)] = Tile(
          data: try canvas.pngData(), format: .png)
      }
    }
    let source = InMemoryTileSource(
      info: TileSourceInfo(
        name: "tiles", scheme: .webMercator(tileSide: 256, levels: level...level),
        levels: level...level, declaredFormat: "PNG"), tiles: tiles)
    // A layer above, for one of tiles alone is handed on as it is.
    return DrawnLayer(
      layer: Layer(json: ["title": "Tiles", "opacity": 0.8]), content: .tiles(source))
  }

  private static func vectorTiles(_ layers: JSONValue) throws -> DrawnLayer {
    let package = try DrawnStyle.package(
      StyledTilePictureTests.style(layers), resources: MadeSprites.resources())
    return DrawnLayer(layer: Layer(json: ["title": "Town"]), content: .vectorTiles(package))
  }

  private static let shapes: JSONValue = [
    [
      "id": "ground", "type": "background",
      "paint": ["background-pattern": "i", "background-opacity": 0.3],
    ],
    [
      "id": "a", "type": "fill", "source-layer": "areas",
      "paint": ["fill-pattern": "i", "fill-opacity": 0.6],
    ],
    [
      "id": "o", "type": "fill", "source-layer": "areas",
      "paint": ["fill-color": "rgba(20,90,160,0.4)", "fill-outline-color": "#103"],
    ],
    StyledTilePictureTests.roads(["line-color": "#668", "line-gap-width": 12, "line-width": 2]),
    StyledTilePictureTests.roads(["line-pattern": "i", "line-width": 6, "line-offset": 20]),
    StyledTilePictureTests.roads([
      "line-color": "#a33", "line-width": 4, "line-dasharray": [3, 1, 1, 1],
    ]),
    [
      "id": "c", "type": "circle", "source-layer": "places",
      "paint": [
        "circle-radius": 40, "circle-color": "#2a2", "circle-blur": 0.6, "circle-stroke-width": 2,
      ],
    ],
  ]

  private static let heatAndBuildings: JSONValue = [
    [
      "id": "f", "type": "fill", "source-layer": "areas",
      "paint": ["fill-color": "rgba(20,90,160,0.4)"],
    ],
    [
      "id": "b", "type": "fill-extrusion", "source-layer": "areas",
      "paint": [
        "fill-extrusion-color": "#864", "fill-extrusion-opacity": 0.5,
        "fill-extrusion-translate": [30, 20],
      ],
    ],
    [
      "id": "h", "type": "heatmap", "source-layer": "roads",
      "paint": ["heatmap-radius": 40, "heatmap-opacity": 0.8],
    ],
  ]

  private static let symbols: JSONValue = [
    [
      "id": "n", "type": "symbol", "source-layer": "roads",
      "layout": [
        "symbol-placement": "line", "text-field": "HILL", "text-font": ["Strokes"],
        "text-size": 18, "symbol-spacing": 90,
      ],
      "paint": ["text-halo-width": 1.5, "text-halo-color": "#fc6"],
    ],
    [
      "id": "p", "type": "symbol", "source-layer": "places",
      "layout": [
        "text-field": "{name}", "text-font": ["DejaVu Sans"], "text-size": 13,
        "icon-image": "i", "text-variable-anchor": ["left", "top", "bottom"],
        "text-radial-offset": 1,
      ],
    ],
    [
      "id": "q", "type": "symbol", "source-layer": "areas",
      "layout": ["icon-image": "s", "icon-size": 3, "icon-allow-overlap": true],
    ],
  ]
}

extension Polyline {
  /// The paths as rings.
  fileprivate var asPolygon: Polygon { Polygon(rings: paths) }
}
