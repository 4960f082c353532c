import PortolanJSON
import PortolanMap
import Testing

@testable import PortolanOffline

/// The titles that a map gives the tables of its geodatabases.
struct LayerTitlesTests {
  private static func layer(_ title: String, _ path: String) -> JSONValue {
    [
      "id": .string(title), "title": .string(title), "layerType": "ArcGISFeatureLayer",
      "path": .string(path),
    ]
  }

  private static func titles() throws -> LayerTitles {
    let group: JSONValue = [
      "id": "group", "title": "Coast", "layerType": "GroupLayer",
      "layers": [layer("Lights of the coast", "file:./data/a.geodatabase?itemId=1")],
    ]
    let operational = [
      layer("Below", "file:./data/b.geodatabase?itemId=1"), group,
      layer("Above", "file:data/b.geodatabase?itemId=1"),
      layer("Whole", "file:./data/Whole.geodatabase"),
    ]
    let map = try WebMap(json: [
      "version": "2.31", "operationalLayers": .array(operational),
      "baseMap": ["title": "Basemap", "baseMapLayers": []],
      "tables": [layer("Visits to lights", "file:./data/a.geodatabase?itemId=2")],
    ])
    return LayerTitles([map])
  }

  @Test(
    arguments: [
      (1, "p13/data/a.geodatabase", "Lights of the coast"),
      (2, "p13/data/a.geodatabase", "Visits to lights"),
      // The topmost layer, and tables of several files are told apart.
      (1, "p13/data/b.geodatabase", "Above"),
      (3, "p13/data/a.geodatabase", nil), (1, "p13/data/c.geodatabase", nil),
      (nil, "p13/data/a.geodatabase", nil),
    ] as [(Int?, String, String?)])
  func `A table is called as the first layer that shows it`(
    _ serviceLayerID: Int?, _ path: String, _ title: String?
  ) throws {
    #expect(try Self.titles()[serviceLayerID, path, isOnly: false] == title)
  }

  @Test func `A layer that names no table shows the only one of its geodatabase`() throws {
    let titles = try Self.titles()
    #expect(titles[nil, "p13/data/whole.geodatabase", isOnly: true] == "Whole")
    #expect(titles[nil, "p13/data/whole.geodatabase", isOnly: false] == nil)
  }
}
