internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap
internal import PortolanPackages

/// An invented water network on a grid of streets, as a mobile map package with three maps.
struct Waterworks: Sendable {
  static let box = Envelope(xMin: -88.18, yMin: 41.75, xMax: -88.14, yMax: 41.78)
  private static let name = "naperville-water"
  /// Streets in each direction.
  private static let streets = 8
  /// Between two streets, in degrees.
  private static let block = 0.004

  let id: DemoIdentifiers

  /// Writes the package.
  @concurrent
  func writeArchive(to url: URL) async throws {
    let folder = url.deletingLastPathComponent().appending(path: "\(Self.name).parts")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // What stays behind goes with the folder of the portal's files.
    defer { try? FileManager.default.removeItem(at: folder) }
    let geodatabase = folder.appending(path: "\(Self.name).geodatabase")
    try writeGeodatabase(to: geodatabase)
    var writer = MobileMapPackageWriter(
      MobileMapPackageDescription(
        name: Self.name, title: "Naperville Water Company Mapbook",
        summary: "Three maps of an invented water network.", tags: ["water"],
        guid: id.uuid("waterworks"), created: DemoContent.moment, extent: Self.box))
    writer.maps = [
      try map("network", "Water network", [.zones, .mains, .valves, .hydrants]),
      try map("hydrants", "Hydrant inspection", [.hydrants, .mains]),
      try map("zones", "Pressure zones", [.zones, .valves]),
    ]
    writer.files = [geodatabase]
    try writer.writeArchive(to: url)
  }

  private func writeGeodatabase(to url: URL) throws {
    let definition = GeodatabaseDefinition(
      name: "Water network",
      tables: WaterTable.allCases.map {
        GeodatabaseDefinition.Table($0.schema, drawingInfo: $0.drawingInfo)
      })
    var count = 0
    let writer = try GeodatabaseWriter(at: url, definition, now: DemoContent.moment) {
      count += 1
      return id.uuid("waterworks/\(count)")
    }
    let projection = try Projection(from: .wgs84, to: .webMercator)
    for table in WaterTable.allCases {
      for (index, shape) in shapes(of: table).enumerated() {
        try writer.append(
          feature(index + 1, of: table, try projection.project(shape)), to: table.schema.name)
      }
    }
    try writer.finish()
  }

  private func feature(_ number: Int, of table: WaterTable, _ shape: Geometry) -> Feature {
    let name = "\(table.rawValue)/\(number)"
    var attributes = Attributes(FieldList(table.schema.fields))
    attributes["OBJECTID"] = .integer(Int64(number))
    attributes["NAME"] = .text("\(table.singular) \(number)")
    attributes["DIAMETER"] = .integer(Int64(100 + 50 * id.number(name, below: 6)))
    attributes["INSTALLED"] = .integer(Int64(1960 + id.number("year/\(name)", below: 60)))
    attributes["GlobalID"] = .text("{\(id.uuid(name).uuidString)}")
    return Feature(objectID: Int64(number), attributes: attributes, geometry: shape)
  }

  private func map(_ name: String, _ title: String, _ tables: [WaterTable]) throws -> NewMobileMap {
    let layers: [JSONValue] = tables.map { table in
      [
        "id": .string(table.rawValue), "title": .string(table.schema.alias),
        "layerType": "ArcGISFeatureLayer", "visibility": true, "opacity": 1,
        "path": .string("file:./\(Self.name).geodatabase?itemId=\(table.serviceLayerID)"),
      ]
    }
    let document: JSONValue = [
      "operationalLayers": .array(layers), "baseMap": ["title": "None", "baseMapLayers": []],
      "spatialReference": ["wkid": 102_100, "latestWkid": 3857],
      "initialState": [
        "viewpoint": [
          "targetGeometry": [
            "xmin": .number(Self.box.xMin), "ymin": .number(Self.box.yMin),
            "xmax": .number(Self.box.xMax), "ymax": .number(Self.box.yMax),
            "spatialReference": ["wkid": 4326],
          ]
        ]
      ],
      "authoringApp": "Portolan", "authoringAppVersion": "1.0", "version": "2.29",
    ]
    return NewMobileMap(
      name: name, title: title, summary: "A part of the invented network.",
      id: id.uuid("waterworks/map/\(name)"), extent: Self.box, webMap: try WebMap(json: document))
  }
}

extension Waterworks {
  /// A crossing of two streets, in degrees.
  private func crossing(_ column: Int, _ row: Int) -> Coordinate {
    Coordinate(
      x: Self.box.xMin + 0.005 + Double(column) * Self.block,
      y: Self.box.yMin + 0.004 + Double(row) * Self.block * 0.7)
  }

  private func point(_ place: Coordinate) -> Geometry { .point(Point(x: place.x, y: place.y)) }

  private func shapes(of table: WaterTable) -> [Geometry] {
    let numbers = 0..<Self.streets
    switch table {
    case .mains:
      let last = Self.streets - 1
      let columns = numbers.map { Path([crossing($0, 0), crossing($0, last)]) }
      let rows = numbers.map { Path([crossing(0, $0), crossing(last, $0)]) }
      return (columns + rows).map { .polyline(Polyline(paths: [$0])) }
    case .valves:
      return numbers.flatMap { column in numbers.map { point(crossing(column, $0)) } }
    case .hydrants:
      return numbers.dropLast().flatMap { column in
        numbers.map { row in
          let corner = crossing(column, row)
          return point(Coordinate(x: corner.x + Self.block / 2, y: corner.y))
        }
      }
    case .zones:
      return (0..<4).map { quarter in
        let half = (Self.streets - 1) / 2
        let corner = crossing(quarter % 2 * half, quarter / 2 * half)
        return .polygon(
          Envelope(
            xMin: corner.x, yMin: corner.y, xMax: corner.x + Double(half) * Self.block,
            yMax: corner.y + Double(half) * Self.block * 0.7
          ).polygon)
      }
    }
  }
}
