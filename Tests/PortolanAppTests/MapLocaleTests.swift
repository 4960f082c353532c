import Foundation
import PortolanApp
import PortolanFeatureContracts
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanPackages
import PortolanTestSupport
import Testing

/// One map, open in two locales beside each other.
@MainActor
@Suite struct MapLocaleTests {
  private func popup(_ locale: Locale?) async throws -> [String] {
    let whole = try MemoryMap().map([MemoryMap.layer("wells")])
    let map = MobileMap(
      name: whole.name, item: whole.item, webMap: whole.webMap, contents: Wells())
    let model = MapModel(map: map, timeZone: .gmt, locale: locale)
    await model.load()
    await model.identify.identify(longitude: 0, latitude: 0)
    try await model.popups.select(0)
    let selection = try #require(model.popups.state.selection)
    guard case .fields(let fields) = selection.popup.elements.first else { return [] }
    return [selection.popup.title] + fields.values.map(\.text)
  }

  @Test func `Popups have the numbers and dates of the locale that the map was given`() async throws
  {
    let german = try await popup(Locale(identifier: "de_DE"))
    let american = try await popup(Locale(identifier: "en_US"))
    #expect(german == ["Am 21.12.1997", "1.234,50", "21.12.1997"])
    #expect(american == ["Am 12/21/1997", "1,234.50", "12/21/1997"])
    #expect(try await popup(nil) == american)
  }
}

/// A layer with a well that has a depth and a day.
private struct Wells: LayerContentSource {
  private static let schema = FeatureTableSchema(
    name: "wells", geometryType: .point, spatialReference: .webMercator,
    fields: [Field("OBJECTID", .objectID), Field("DEPTH", .double), Field("DAY", .date)])
  private static let popup = PopupDefinition(json: [
    "title": "Am {DAY}",
    "fieldInfos": [
      ["fieldName": "DEPTH", "visible": true, "format": ["places": 2, "digitSeparator": true]],
      ["fieldName": "DAY", "visible": true, "format": ["dateFormat": "shortDate"]],
    ],
  ])

  func content(of layer: Layer) async -> LayerContent {
    let feature = Feature(
      objectID: 1,
      attributes: Attributes(
        FieldList(Self.schema.fields),
        [.integer(1), .double(1234.5), .date(Date(timeIntervalSince1970: 882_727_205))]),
      geometry: .point(Point(x: 0, y: 0)))
    let store = InMemoryFeatureStore([
      FeatureTableContents(schema: Self.schema, features: [feature])
    ])
    return .features([
      FeatureLayerContent(
        store: store, schema: Self.schema, definitionExpression: nil, drawingInfo: DrawingInfo(),
        popup: Self.popup)
    ])
  }
}
