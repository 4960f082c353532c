import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanMap
import Testing

@testable import PortolanConversion

/// The style for vector tiles that follows from the drawing of a map's layers.
struct VectorTileStyleWriterTests {
  private static let kinds = Domain.codedValue(
    CodedValueDomain(
      name: "kinds",
      codedValues: [
        CodedValue(code: .integer(1), name: "Harbor"), CodedValue(code: .integer(2), name: "Light"),
      ]))

  private static let fields: [Field] = [
    Field("OBJECTID", .objectID), Field("NAME", .string), Field("KIND", .integer, domain: kinds),
    Field("N", .double), Field("M", .double),
  ]

  private static func layer(
    _ name: String, _ type: GeometryType, _ drawingInfo: JSONObject = [:]
  ) -> StyledTileLayer {
    StyledTileLayer(
      name,
      schema: FeatureTableSchema(
        name: name, geometryType: type, spatialReference: .wgs84, fields: fields),
      drawingInfo: DrawingInfo(json: drawingInfo))
  }

  private static func labelled(
    _ type: GeometryType, _ classes: [JSONValue]
  ) -> StyledTileLayer {
    var layer = Self.layer("Places", type, ["labelingInfo": .array(classes)])
    layer.showsLabels = true
    return layer
  }

  private static func written(
    _ layer: StyledTileLayer
  ) -> (layers: [JSONValue], notes: [String]) {
    var style = VectorTileStyleWriter(source: "s")
    style.add(layer)
    return (style.json(sourceURL: "x", name: "n")["layers"]?.array ?? [], style.notes)
  }

  private static func symbol(_ red: Int64) -> JSONValue {
    ["type": "esriSFS", "style": "esriSFSSolid", "color": [.integer(red), 0, 0, 255]]
  }

  // MARK: - Symbols

  @Test func `Symbols by value become an expression, whichever case the field is written in`() {
    let (layers, notes) = Self.written(
      Self.layer(
        "by value", .polygon,
        [
          "renderer": [
            "type": "uniqueValue", "field1": "Kind",
            "uniqueValueInfos": [
              ["value": "a", "symbol": Self.symbol(10)], ["value": "b", "symbol": Self.symbol(20)],
            ],
          ]
        ]))
    #expect(layers.count == 2 && notes.isEmpty)
    let match = layers[0]["paint"]?["fill-color"]
    #expect(match?[0]?.string == "match" && match?[3]?.string == "rgb(10,0,0)")
    #expect(match?[1] == ["to-string", ["get", "KIND"]])
  }

  @Test(arguments: [("<Null>", "b", "rgb(10,0,0)"), ("", "b", "rgb(0,0,0)")])
  func `The symbol of features without a value is theirs, and that of an empty text is not`(
    _ first: String, _ second: String, _ absent: String
  ) {
    let (layers, _) = Self.written(
      Self.layer(
        "by value", .polygon,
        [
          "renderer": [
            "type": "uniqueValue", "field1": "Kind", "defaultSymbol": Self.symbol(0),
            "uniqueValueInfos": [
              ["value": .string(first), "symbol": Self.symbol(10)],
              ["value": .string(second), "symbol": Self.symbol(20)],
            ],
          ]
        ]))
    let color = layers[0]["paint"]?["fill-color"]
    #expect(color?[0]?.string == "case" && color?[1] == ["has", "KIND"])
    #expect(color?[2]?[0]?.string == "match" && color?[3]?.string == absent)
  }

  @Test func `Symbols by range become an expression, which leaves out features without a value`() {
    let (layers, notes) = Self.written(
      Self.layer(
        "by range", .polygon,
        [
          "renderer": [
            "type": "classBreaks", "field": "N", "minValue": 0,
            "classBreakInfos": [
              ["classMaxValue": 5, "symbol": Self.symbol(30)],
              ["classMaxValue": 9, "symbol": Self.symbol(40)],
            ],
          ]
        ]))
    let cases = layers[0]["paint"]?["fill-color"]
    #expect(notes.isEmpty && cases?[0]?.string == "case" && cases?[1] == ["!", ["has", "N"]])
    #expect(cases?[6]?.string == "rgb(30,0,0)")
  }

  @Test func `Colors, sizes and transparency that follow a number become ramps`() {
    let (layers, notes) = Self.written(
      Self.layer(
        "ramps", .point,
        [
          "renderer": [
            "type": "simple", "symbol": ["type": "esriSMS", "size": 6, "color": [0, 0, 0, 255]],
            "visualVariables": [
              [
                "type": "colorInfo", "field": "n",
                "stops": [
                  ["value": 10, "color": [255, 0, 0, 255]],
                  ["value": 0, "color": [0, 0, 255, 255]],
                ],
              ],
              [
                "type": "sizeInfo", "field": "N",
                "stops": [["value": 0, "size": 3], ["value": 10, "size": 30]],
              ],
              [
                "type": "transparencyInfo", "field": "M",
                "stops": [["value": 0, "transparency": 50], ["value": 1, "transparency": 0]],
              ],
              ["type": "rotationInfo", "field": "M"],
            ],
          ]
        ]))
    let paint = layers[0]["paint"]
    #expect(
      paint?["circle-color"]?[2]
        == [
          "interpolate", ["linear"], ["to-number", ["coalesce", ["get", "N"], "-"], 0.0],
          0.0, "rgb(0,0,255)", 10.0, "rgb(255,0,0)",
        ])
    #expect(paint?["circle-radius"]?[2]?[6]?.double == 20)
    #expect(paint?["circle-opacity"]?[2]?[4]?.double == 0.5)
    #expect(
      notes == [#"The style draws "ramps" without its visual variables "rotationInfo"."#])
  }

  @Test func `Symbol settings that a style cannot express are reported`() {
    let notes = Self.written(
      Self.layer(
        "Marsh", .polygon,
        ["renderer": ["type": "simple", "symbol": ["type": "esriSFS", "style": "esriSFSCross"]]])
    ).notes
    #expect(notes == [#"The style draws "Marsh" with plain areas for its hatches."#])
  }

  @Test func `Dashes are those of the line`() {
    let (layers, _) = Self.written(
      Self.layer(
        "Paths", .polyline,
        [
          "renderer": [
            "type": "simple",
            "symbol": ["type": "esriSLS", "style": "esriSLSDash", "color": [0, 0, 0, 255]],
          ]
        ]))
    #expect(layers[0]["paint"]?["line-dasharray"] == [4.0, 3.0])
  }

  // MARK: - Layers

  @Test func `A layer is as opaque as the map, its groups and its renderer say`() {
    var layer = Self.layer("Areas", .polygon, ["transparency": 50])
    layer.opacity = 0.5
    let (layers, _) = Self.written(layer)
    #expect(layers[0]["paint"]?["fill-opacity"]?.double == 0.25)
    #expect(layers[1]["paint"]?["line-opacity"]?.double == 0.25)
  }

  @Test func `Ranges of scales become the zooms that they share`() {
    var layer = Self.layer("Areas", .polygon)
    layer.scaleRanges = [
      ScaleRange(minScale: 295_828_763.8 / 8, maxScale: 0),
      ScaleRange(minScale: 295_828_763.8 / 4, maxScale: 295_828_763.8 / 1024),
    ]
    let (layers, _) = Self.written(layer)
    #expect(layers[0]["minzoom"]?.double == 3 && layers[0]["maxzoom"]?.double == 10)
  }

  // MARK: - Labels

  @Test(
    arguments: [
      (["expression": "$feature.NAME"], ["to-string", ["get", "NAME"]]),
      (
        ["expression": "$feature.name + ' (' + $feature.N + ')'"],
        [
          "concat", ["to-string", ["get", "NAME"]], " (", ["to-string", ["get", "N"]], ")",
        ]
      ),
      (
        ["expression": "return `${$feature.NAME}!`"],
        ["concat", ["to-string", ["get", "NAME"]], "!"]
      ),
      (["value": "{NAME}: <BOL>big</BOL>"], ["concat", ["to-string", ["get", "NAME"]], ": big"]),
      (["value": "{OBJECTID}"], ["to-string", ["id"]]),
      (["expression": "'Stop'"], "Stop"), (["value": "Stop {GONE}"], "Stop "),
    ] as [(JSONValue, JSONValue)])
  func `A text of fields becomes an expression`(info: JSONValue, expected: JSONValue) {
    let (layers, _) = Self.written(Self.labelled(.point, [["labelExpressionInfo": info]]))
    #expect(layers.last?["type"]?.string == "symbol")
    #expect(layers.last?["layout"]?["text-field"] == expected)
  }

  @Test(arguments: ["$feature.N + $feature.M", "Round($feature.N, 1)", "$feature.NAME.x"])
  func `An expression that a style cannot express is reported`(expression: String) {
    let (layers, notes) = Self.written(
      Self.labelled(.point, [["labelExpressionInfo": ["expression": .string(expression)]]]))
    #expect(layers.count == 1 && notes.contains { $0.contains("cannot say their expression") })
  }

  @Test func `Codes are shown by their names where the map requests that`() {
    let (layers, _) = Self.written(
      Self.labelled(
        .point, [["labelExpression": "[KIND]", "useCodedValues": true]]))
    let kind: JSONValue = ["to-string", ["get", "KIND"]]
    #expect(
      layers.last?["layout"]?["text-field"] == ["match", kind, "1", "Harbor", "2", "Light", kind])
  }

  @Test func `Classes of labels have their features, scales and letters`() {
    let (layers, _) = Self.written(
      Self.labelled(
        .point,
        [
          [
            "labelExpression": "[NAME]", "where": "N > 5 AND NAME <> 'x'", "minScale": 100_000,
            "labelPlacement": "esriServerPointLabelPlacementAboveRight",
            "symbol": [
              "type": "esriTS", "color": [1, 2, 3, 255], "haloColor": [255, 255, 255, 255],
              "haloSize": 1.5, "font": ["family": "Arial", "size": 12, "weight": "bold"],
            ],
          ],
          ["labelExpression": "[NAME]", "minScale": 50_000],
        ]))
    let number: JSONValue = ["to-number", ["coalesce", ["get", "N"], "-"], 0.0]
    let filter: JSONValue = [
      "all", ["all", ["has", "N"], [">", number, 5.0]],
      ["all", ["has", "NAME"], ["!=", ["to-string", ["get", "NAME"]], "x"]],
    ]
    // The class that goes first lies above.
    #expect(
      layers.map { $0["id"]?.string } == ["Places points", "Places labels 2", "Places labels"])
    let (second, first) = (layers[1], layers[2])
    #expect(first["filter"] == filter && second["filter"] == nil)
    #expect(first["minzoom"]?.double == 11.53 && second["minzoom"]?.double == 12.53)
    #expect(first["layout"]?["text-font"] == ["Arial Bold"])
    #expect(first["layout"]?["text-size"]?.double == 16)
    #expect(first["layout"]?["text-variable-anchor"]?[0]?.string == "bottom-left")
    #expect(first["paint"]?["text-color"]?.string == "rgb(1,2,3)")
    #expect(first["paint"]?["text-halo-width"]?.double == 2)
  }

  @Test func `Labels follow lines above them`() {
    let (layers, _) = Self.written(
      Self.labelled(
        .polyline,
        [["labelExpression": "[NAME]", "labelPlacement": "esriServerLinePlacementAboveAlong"]]))
    let layout = layers.last?["layout"]
    #expect(layout?["symbol-placement"]?.string == "line")
    #expect((layout?["text-offset"]?[1]?[1]?.double ?? 0) < -0.6)
  }

  /// The size of letters is nine points, the gap three.
  @Test(
    arguments: [
      (.point, "esriServerPointLabelPlacementAboveRight", "text-radial-offset", 0.667, 0.5, 2),
      (
        .polyline, "esriServerLinePlacementAboveAlong", "text-offset", ["literal", [0, -1.0]],
        ["literal", [0, -1.1]], ["literal", [0, -2.6]]
      ),
    ] as [(GeometryType, String, String, JSONValue, JSONValue, JSONValue)])
  func `Labels keep clear of symbols whose size follows a number`(
    _ type: GeometryType, _ placement: String, _ property: String, _ other: JSONValue,
    _ first: JSONValue, _ last: JSONValue
  ) {
    let symbol: JSONValue =
      type == .point
      ? ["type": "esriSMS", "size": 6, "color": [0, 0, 0, 255]]
      : ["type": "esriSLS", "style": "esriSLSSolid", "width": 1.2, "color": [0, 0, 0, 255]]
    var layer = Self.layer(
      "Places", type,
      [
        "renderer": [
          "type": "simple", "symbol": symbol,
          "visualVariables": [
            [
              "type": "sizeInfo", "field": "N",
              "stops": [["value": 0, "size": 3], ["value": 10, "size": 30]],
            ]
          ],
        ],
        "labelingInfo": [
          [
            "labelExpression": "[NAME]", "labelPlacement": .string(placement), "offsetDistance": 3,
          ]
        ],
      ])
    layer.showsLabels = true
    let (layers, notes) = Self.written(layer)
    let number: JSONValue = ["to-number", ["coalesce", ["get", "N"], "-"], 0.0]
    #expect(
      layers.last?["layout"]?[property] == [
        "case", ["has", "N"],
        ["interpolate", ["linear"], number, 0.0, first, 10.0, last], other,
      ])
    #expect(!notes.contains { $0.contains("sizeInfo") })
  }

  @Test func `Labels that are off are not written`() {
    var layer = Self.labelled(.point, [["labelExpression": "[NAME]"]])
    layer.showsLabels = false
    #expect(Self.written(layer).layers.count == 1)
  }

  @Test(
    arguments: [
      ("NAME IS NULL", ["!", ["has", "NAME"]]), ("OBJECTID IS NOT NULL", true),
      (
        "NOT (NAME = 'a')",
        ["all", ["has", "NAME"], ["!=", ["to-string", ["get", "NAME"]], "a"]]
      ),
      (
        "5 < OBJECTID OR OBJECTID IN (1)",
        [
          "any", [">", ["to-number", ["id"], 0.0], 5.0],
          ["any", ["==", ["to-number", ["id"], 0.0], 1.0]],
        ]
      ),
      ("NAME LIKE 'a%'", nil), ("N + 1 > 2", nil), ("NAME = KIND", nil), ("NAME >", nil),
    ] as [(String, JSONValue?)])
  func `A condition becomes a filter, or is refused`(clause: String, filter: JSONValue?) {
    let schema = Self.layer("x", .point).schema
    #expect(StyleFilter(schema: schema).filter(clause) == filter)
  }
}
