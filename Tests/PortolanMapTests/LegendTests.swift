import PortolanJSON
import PortolanMap
import Testing

@Suite struct LegendTests {
  private func legend(_ json: JSONObject) -> [LegendInfo] { Renderer(json: json).legendEntries }

  @Test func `One symbol makes one line`() {
    let lines = legend(["type": "simple", "label": "Trails", "symbol": ["type": "esriSLS"]])
    #expect(lines.map(\.name) == ["Trails"])
    #expect(lines.first?.value == .all)
    #expect(lines.first?.symbol == .simpleLine(SimpleLineSymbol(json: ["type": "esriSLS"])))
  }

  @Test func `Unique values make a line each, under their headings, the others last`() {
    let lines = legend([
      "type": "uniqueValue", "field1": "A", "defaultLabel": "Other",
      "defaultSymbol": ["type": "esriSLS"],
      "uniqueValueGroups": [
        ["heading": "Paved", "classes": [["label": "Road", "values": [["1"], ["2"]]]]],
        ["heading": "Unpaved", "classes": [["values": [["3"]]]]],
      ],
    ])
    #expect(lines.map(\.name) == ["Road", "3", "Other"])
    #expect(lines.map(\.heading) == ["Paved", "Unpaved", nil])
    #expect(lines.map(\.value) == [.values([["1"], ["2"]]), .values([["3"]]), .others])
    #expect(lines[0].swatch == .none)
  }

  @Test func `Classes make a line each, by their range where they have no name`() {
    let infos: JSONValue = [
      ["classMaxValue": 10], ["classMaxValue": 1234.5, "label": "many"],
    ]
    let json: JSONObject = [
      "type": "classBreaks", "field": "A", "minValue": 1, "classBreakInfos": infos,
    ]
    let lines = legend(json)
    #expect(lines.map(\.name) == ["1 – 10", "many"])
    #expect(lines[1].value == .range(minimum: 10, maximum: 1234.5))
    var reversed = json
    reversed["legendOptions"] = ["order": "descendingValues"]
    #expect(legend(reversed).map(\.name) == ["many", "1 – 10"])
  }

  @Test func `A heat map is a ramp from low to high`() {
    let stops: JSONValue = [
      ["ratio": 0, "color": [0, 0, 0, 0]], ["ratio": 1, "color": [255, 0, 0, 255]], ["ratio": 2],
    ]
    var json: JSONObject = ["type": "heatmap", "colorStops": stops]
    #expect(legend(json).map(\.name) == ["Low – High"])
    guard case .ramp(let ramp) = legend(json)[0].swatch else { return recordWrongKind() }
    #expect(ramp.map(\.value) == [0, 1])
    json["legendOptions"] = ["minLabel": "few", "maxLabel": "many"]
    #expect(legend(json).map(\.name) == ["few – many"])
  }

  @Test func `Dots state what they count and what one represents`() {
    let lines = legend([
      "type": "dotDensity", "dotValue": 2500, "legendOptions": ["unit": "people"],
      "attributes": [["field": "A", "label": "Adults", "color": [1, 2, 3, 255]], ["field": "B"]],
    ])
    #expect(lines.map(\.name) == ["Adults", "B", "1 dot = 2,500 people"])
    #expect(lines[0].symbol?.color == RGBAColor(red: 1, green: 2, blue: 3))
    #expect(lines[1].symbol == nil)
  }

  @Test func `Slices of a pie have a line each`() {
    let lines = legend([
      "type": "pieChart", "attributes": [["field": "A", "color": [1, 2, 3, 255]]],
      "othersCategory": ["threshold": 0.1, "color": [9, 9, 9, 255]],
    ])
    #expect(lines.map(\.name) == ["A", "Other"])
    #expect(lines.map(\.value) == [.part, .part])
  }

  @Test func `Colours of a raster have a line each`() {
    let lines = legend([
      "type": "rasterColormap",
      "colormapInfos": [["value": 3, "label": "Forest", "color": [0, 99, 0, 255]], ["value": 4]],
    ])
    #expect(lines.map(\.name) == ["Forest", "4"])
  }

  @Test func `Colours that vary add a ramp`() {
    let stops: JSONValue = [
      ["value": 0, "color": [0, 0, 0, 255]],
      ["value": 99.5, "color": [255, 0, 0, 255], "label": "> 99"],
    ]
    let lines = legend([
      "type": "simple", "symbol": ["type": "esriSMS"],
      "visualVariables": [["type": "colorInfo", "field": "DEPTH", "stops": stops]],
    ])
    #expect(lines.map(\.name) == ["", "0 – > 99"])
    #expect(lines[1].heading == "DEPTH")
  }

  @Test func `A renderer may ask for no legend`() {
    let json: JSONObject = [
      "type": "simple", "symbol": ["type": "esriSMS"], "legendOptions": ["showLegend": false],
    ]
    #expect(legend(json).isEmpty)
  }
}
