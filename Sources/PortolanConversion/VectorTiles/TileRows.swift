internal import Foundation
package import PortolanFeatures
package import PortolanGeometry
package import PortolanJSON

/// The rows of a layer as vector tiles hold them: ids, and values of which each is kept once.
package struct TileRows: Sendable {
  /// The name of the layer.
  let name: String
  /// The names of the fields that the tiles have.
  let fields: [String]
  /// The coarsest level whose tiles have the layer.
  let minLevel: Int
  /// Whether all values of a field are numbers.
  private(set) var isNumeric: [Bool]
  /// The ids of the rows.
  private(set) var ids: [Int64] = []
  /// For each row and field the number of the value; -1 for none.
  private(set) var values: [Int32] = []
  /// Each value, encoded as a message of a vector tile.
  private(set) var encoded: [[UInt8]] = []
  private(set) var content = TileLayerContent()
  /// How many rows have no shape, or none that Web Mercator shows.
  private(set) var withoutShape = 0

  private var known: [AttributeValue: Int32] = [:]

  /// Creates a layer without any row.
  ///
  /// Object ids become the ids of the features in the tiles, and are not repeated as values.
  package init(name: String, fields: [Field], minLevel: Int = 0) {
    self.name = name
    self.minLevel = minLevel
    let withoutValues: [FieldType] = [.blob, .raster, .geometry, .objectID]
    self.fields = fields.filter { !withoutValues.contains($0.type) }.map(\.name)
    isNumeric = self.fields.map { _ in true }
  }

  /// Whether no row has a shape.
  package var isEmpty: Bool { content.isEmpty }

  /// The extent of the shapes on the Web Mercator; empty without any.
  package var extent: Envelope {
    var extent = Envelope.empty
    for point in content.points { extent.include(TileGrid.coordinate(of: point.place)) }
    for shape in content.shapes {
      extent.include(TileGrid.coordinate(of: shape.low))
      extent.include(TileGrid.coordinate(of: shape.high))
    }
    return extent
  }

  /// The layer as a member of `vector_layers` in the metadata of tiles of some levels.
  package func metadata(_ levels: ClosedRange<Int>) -> JSONValue {
    let members = zip(fields, isNumeric).map { name, isNumeric in
      JSONObject.Member(name: name, value: .string(isNumeric ? "Number" : "String"))
    }
    return [
      "id": .string(name), "minzoom": .integer(Int64(max(minLevel, levels.lowerBound))),
      "maxzoom": .integer(Int64(levels.upperBound)), "fields": .object(JSONObject(members)),
    ]
  }

  /// Adds a row; `projected` is its shape on the Web Mercator.
  package mutating func add(_ feature: Feature, _ fieldPositions: [Int], _ projected: Geometry?) {
    let row = Int32(ids.count)
    let before = (content.points.count, content.shapes.count)
    if let projected { add(projected, row) }
    guard (content.points.count, content.shapes.count) != before else {
      withoutShape += 1
      return
    }
    ids.append(feature.objectID)
    for (number, position) in fieldPositions.enumerated() {
      let value =
        feature.attributes.values.indices.contains(position)
        ? feature.attributes.values[position] : .null
      values.append(self.number(of: value, field: number))
    }
  }

  /// Where the fields are in features with such attributes.
  package func fieldPositions(in attributes: Attributes) -> [Int] {
    fields.map { name in attributes.fields.firstIndex { $0.name == name } ?? -1 }
  }

  private mutating func number(of value: AttributeValue, field: Int) -> Int32 {
    if case .null = value { return -1 }
    if value.number == nil { isNumeric[field] = false }
    if let number = known[value] { return number }
    guard let message = Self.message(value) else { return -1 }
    let number = Int32(encoded.count)
    encoded.append(message)
    known[value] = number
    return number
  }

  /// Drops what is needed only while rows are added.
  package mutating func finish() { known = [:] }

  private static func message(_ value: AttributeValue) -> [UInt8]? {
    var writer = TileMessage()
    switch value {
    case .null, .blob: return nil
    case .text(let text): writer.bytes(1, Array(text.utf8))
    case .date(let date): writer.bytes(1, Array(date.momentText.utf8))
    case .double(let number):
      guard number.isFinite else { return nil }
      writer.double(3, number)
    case .integer(let number):
      if number >= 0 {
        writer.number(5, UInt64(number))
      } else {
        writer.number(6, UInt64(bitPattern: (number << 1) ^ (number >> 63)))
      }
    }
    return writer.data
  }

  private mutating func add(_ geometry: Geometry, _ row: Int32) {
    switch geometry {
    case .point(let point): add([point.coordinate], row)
    case .multipoint(let multipoint): add(multipoint.points.coordinates, row)
    case .polyline(let polyline): add(polyline.paths, isArea: false, row)
    case .polygon(let polygon): add(polygon.rings, isArea: true, row)
    case .envelope(let envelope): add(envelope.polygon.rings, isArea: true, row)
    }
  }

  private mutating func add(_ places: [Coordinate], _ row: Int32) {
    for place in places {
      guard let point = TileGrid.point(place) else { continue }
      content.points.append(TilePoint(row: row, place: point))
    }
  }

  private mutating func add(_ paths: [Path], isArea: Bool, _ row: Int32) {
    let grid = paths.compactMap { path -> [GridPoint]? in
      let points = path.coordinates.compactMap(TileGrid.point)
      guard points.count >= (isArea ? 4 : 2) else { return nil }
      // With y downwards, outlines turn clockwise on the screen the other way round.
      return isArea ? points.reversed() : points
    }
    if let shape = TileShape(row: row, isArea: isArea, paths: grid) { content.shapes.append(shape) }
  }
}
