import Foundation
import PortolanApp
import PortolanFeatures
import PortolanJSON
import PortolanMap
import PortolanPackages
import Testing

@testable import PortolanREPL

/// The text of a form.
@MainActor
@Suite struct FormPageTests {
  private static let alias = "Height of the tower above the ground, in feet"
  private static let kinds = ["Open to visitors", "Seen from the shore", "Closed in winter"]

  private func text(width: Int, alias: String? = nil) async throws -> String {
    let kind = CodedValueDomain(
      name: "Kind",
      codedValues: Self.kinds.enumerated().map { CodedValue(code: .integer(Int64($0)), name: $1) })
    let schema = FeatureTableSchema(
      name: "lights",
      fields: [
        Field("OBJECTID", .objectID), Field("TOWER_HEIGHT_FT", .double, alias: alias),
        Field("ACCESS", .smallInteger, domain: .codedValue(kind)),
      ])
    let webMap = try WebMap(json: [
      "version": "2.37", "baseMap": ["title": "None"], "operationalLayers": [],
      "tables": [["id": "lights", "title": "Lights", "url": "lights"]],
    ])
    let map = MapModel(
      map: MobileMap(
        name: "m", item: MobileMapItem(json: [:], fallbackTitle: "Map"), webMap: webMap,
        contents: Lights(schema: schema)))
    await map.load()
    let form = try await map.editing.formForNewFeature(in: "lights")
    return TextLayout(width: width, usesColor: false).text(of: FormPage(state: form.state).text)
  }

  @Test(arguments: [60, 80]) func `Names that people type are whole, and so are allowed values`(
    _ width: Int
  ) async throws {
    let text = try await text(width: width, alias: Self.alias)
    #expect(text.contains("TOWER_HEIGHT_FT"))
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("ACCESS takes: \(Self.kinds.joined(separator: " | "))"))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= width })
  }

  @Test func `What fields are called is left out where it is their names`() async throws {
    #expect(try await text(width: 80, alias: Self.alias).contains("label"))
    #expect(!(try await text(width: 80).contains("label")))
  }
}

/// A table without rows.
private struct Lights: LayerContentSource {
  let schema: FeatureTableSchema

  func content(of layer: Layer) async -> LayerContent {
    let store = InMemoryFeatureStore([FeatureTableContents(schema: schema, features: [])])
    return .features([
      FeatureLayerContent(
        store: store, schema: schema, drawingInfo: DrawingInfo(),
        popup: PopupDefinition(schema: schema))
    ])
  }
}
