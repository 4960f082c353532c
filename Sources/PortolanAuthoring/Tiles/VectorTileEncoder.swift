package import Foundation
package import PortolanFeatures
package import PortolanGeometry
internal import PortolanProtobuf

/// Writes features as a Mapbox vector tile.
///
/// - SeeAlso: [Vector Tile Specification 2.1](https://github.com/mapbox/vector-tile-spec/tree/master/2.1)
package struct VectorTileEncoder {
  /// The steps along a side of a tile.
  package static let steps = 4096
  /// How many steps shapes reach beyond the sides.
  package static let margin = 64

  private let ground: Envelope
  private var tile = ProtobufWriter()

  /// Begins the tile of a piece of ground.
  package init(of ground: Envelope) { self.ground = ground }

  /// The ground with its margin: what lies outside is cut off.
  package static func reach(of ground: Envelope) -> Envelope {
    ground.expanded(by: ground.width * Double(margin) / Double(steps))
  }

  /// The tile; empty if no layer has a shape in it.
  package var data: Data { tile.data }

  /// Adds a layer with those of the features that reach into the tile.
  package mutating func add(
    layer name: String, _ features: some Sequence<Feature>
  ) throws {
    var tags = Tags()
    var shapes: [ProtobufWriter] = []
    for feature in features {
      guard let geometry = try clipped(feature.geometry) else { continue }
      let commands = GeometryCommands(geometry, in: ground)
      guard !commands.numbers.isEmpty else { continue }
      var writer = ProtobufWriter()
      writer.unsigned(UInt64(bitPattern: feature.objectID), field: 1)
      writer.packed(tags.numbers(of: feature.attributes), field: 2)
      writer.unsigned(commands.kind, field: 3)
      writer.packed(commands.numbers, field: 4)
      shapes.append(writer)
    }
    guard !shapes.isEmpty else { return }
    tile.message(field: 3) { layer in
      layer.string(name, field: 1)
      for shape in shapes { layer.bytes(shape.data, field: 2) }
      tags.write(to: &layer)
      layer.unsigned(UInt64(Self.steps), field: 5)
      layer.unsigned(2, field: 15)
    }
  }

  private func clipped(_ geometry: Geometry?) throws -> Geometry? {
    guard let geometry, let extent = geometry.extent else { return nil }
    let reach = Self.reach(of: ground)
    guard reach.intersects(extent) else { return nil }
    if reach.contains(extent) || geometry.type == .point { return geometry }
    if case .multipoint(let multipoint) = geometry {
      let inside = multipoint.points.coordinates.filter { reach.contains($0) }
      return inside.isEmpty ? nil : .multipoint(Multipoint(points: Path(inside)))
    }
    let cut = try GeometryEngine.intersection(geometry, .polygon(reach.polygon))
    let type: GeometryType = geometry.type == .envelope ? .polygon : geometry.type
    return cut.isEmpty || cut.type != type ? nil : cut
  }
}

/// The names and values that the features of a layer share.
private struct Tags {
  private var keys: [String: UInt64] = [:]
  private var keyOrder: [String] = []
  private var values: [AttributeValue: UInt64] = [:]
  private var valueOrder: [AttributeValue] = []

  /// The places of a feature's names and values, in pairs; what is `null` has none.
  mutating func numbers(of attributes: Attributes) -> [UInt64] {
    var numbers: [UInt64] = []
    for (field, value) in zip(attributes.fields, attributes.values) where !value.isNull {
      if keys[field.name] == nil {
        keys[field.name] = UInt64(keyOrder.count)
        keyOrder.append(field.name)
      }
      if values[value] == nil {
        values[value] = UInt64(valueOrder.count)
        valueOrder.append(value)
      }
      numbers += [keys[field.name] ?? 0, values[value] ?? 0]
    }
    return numbers
  }

  /// A moment as services write it; 0 for one that no number can hold.
  private static func milliseconds(_ date: Date) -> Int64 {
    Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()) ?? 0
  }

  func write(to layer: inout ProtobufWriter) {
    for key in keyOrder { layer.string(key, field: 3) }
    for value in valueOrder {
      layer.message(field: 4) { message in
        switch value {
        case .text(let text): message.string(text, field: 1)
        case .double(let number): message.double(number, field: 3)
        case .integer(let number): message.zigZag(number, field: 6)
        case .date(let date): message.zigZag(Self.milliseconds(date), field: 6)
        case .blob, .null: break
        }
      }
    }
  }
}

/// A shape as the commands of a pen on the grid of a tile.
private struct GeometryCommands {
  private(set) var numbers: [UInt64] = []
  /// 1 point, 2 line, 3 polygon.
  let kind: UInt64

  private let ground: Envelope
  private var pen = (x: Int64(0), y: Int64(0))

  init(_ geometry: Geometry, in ground: Envelope) {
    self.ground = ground
    switch geometry.type {
    case .point, .multipoint: kind = 1
    case .polyline: kind = 2
    case .polygon, .envelope: kind = 3
    }
    if kind == 1 {
      addPoints(geometry.paths.flatMap(\.coordinates))
    } else {
      for path in geometry.paths { add(path) }
    }
  }

  private mutating func addPoints(_ coordinates: [Coordinate]) {
    let places = coordinates.map(place)
    guard !places.isEmpty else { return }
    numbers.append(command(1, count: places.count))
    for place in places { move(to: place) }
  }

  /// A line or a ring; what has shrunk to nothing is left out.
  private mutating func add(_ path: Path) {
    var places: [(x: Int64, y: Int64)] = []
    for place in path.coordinates.map(place)
    where places.last.map({ $0 != place }) ?? true { places.append(place) }
    if kind == 3, let first = places.first, let last = places.last, places.count > 1, first == last
    {
      places.removeLast()
    }
    guard places.count >= (kind == 3 ? 3 : 2) else { return }
    // On the screen outlines turn clockwise, and holes the other way: else decoders take one for the other.
    if kind == 3 { places.reverse() }
    numbers.append(command(1, count: 1))
    move(to: places[0])
    numbers.append(command(2, count: places.count - 1))
    for place in places.dropFirst() { move(to: place) }
    if kind == 3 { numbers.append(command(7, count: 1)) }
  }

  private func command(_ id: UInt64, count: Int) -> UInt64 { UInt64(count) << 3 | id }

  private mutating func move(to place: (x: Int64, y: Int64)) {
    numbers.append(ProtobufWriter.zigZag(place.x - pen.x))
    numbers.append(ProtobufWriter.zigZag(place.y - pen.y))
    pen = place
  }

  /// The step nearest to a place; rows count downwards.
  private func place(_ coordinate: Coordinate) -> (x: Int64, y: Int64) {
    let steps = Double(VectorTileEncoder.steps)
    return (
      Int64(((coordinate.x - ground.xMin) / ground.width * steps).rounded()),
      Int64(((ground.yMax - coordinate.y) / ground.height * steps).rounded())
    )
  }
}
