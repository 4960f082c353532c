internal import PortolanGeometry
internal import PortolanJSON

internal import struct Foundation.Date

/// Reads features straight from the tape of a document, without a value for every number in it.
///
/// What is out of the ordinary (members in another order, curves) is read as
/// ``Feature/init(esriJSON:objectID:fields:hasZ:hasM:)`` does.
struct FeatureTapeReader {
  let fieldList: FieldList
  let hasZ: Bool?
  let hasM: Bool?
  private let names: [[UInt8]]
  private let types: [FieldType]

  init(_ fieldList: FieldList, hasZ: Bool?, hasM: Bool?) {
    self.fieldList = fieldList
    self.hasZ = hasZ
    self.hasM = hasM
    names = fieldList.fields.map { Array($0.name.utf8) }
    types = fieldList.fields.map(\.type)
  }

  /// Reads the values of the `attributes` at a place.
  func attributes(_ tape: borrowing JSONTape, at place: Int?) -> Attributes {
    guard let place else { return Attributes(fieldList) }
    if let values = orderlyValues(tape, at: place) { return Attributes(fieldList, values) }
    return Attributes(esriJSON: tape.value(at: place), fields: fieldList)
  }

  /// The values, if the members are those of the fields, in their order.
  private func orderlyValues(_ tape: borrowing JSONTape, at place: Int) -> [AttributeValue]? {
    guard tape.kind(at: place) == .object else { return nil }
    var values: [AttributeValue] = []
    values.reserveCapacity(names.count)
    var name = tape.first(in: place)
    while !tape.isEnd(at: name) {
      let index = values.count
      guard index < names.count, tape.isString(at: name, names[index]) else { return nil }
      let value = tape.value(of: name)
      values.append(self.value(tape, at: value, types[index]))
      name = tape.next(after: value)
    }
    return values.count == names.count ? values : nil
  }

  private func value(
    _ tape: borrowing JSONTape, at place: Int, _ type: FieldType
  ) -> AttributeValue {
    switch (tape.kind(at: place), type) {
    case (.null, _): return .null
    case (.integer, .objectID), (.integer, .integer), (.integer, .smallInteger),
      (.integer, .bigInteger):
      return tape.integer(at: place).map { .integer($0) } ?? .null
    case (.number, .double), (.integer, .double), (.number, .single), (.integer, .single):
      return tape.double(at: place).map { .double($0) } ?? .null
    case (.integer, .date):
      return tape.double(at: place).map { .date(Date(timeIntervalSince1970: $0 / 1000)) } ?? .null
    case (.string, .string):
      return tape.string(at: place).map { .text($0) } ?? .null
    case (.string, .guid), (.string, .globalID):
      return tape.string(at: place).map { .text($0.withGUIDBraces) } ?? .null
    default: return AttributeValue(json: tape.value(at: place), as: type)
    }
  }

  /// Reads the `geometry` at a place; `nil` if there is none.
  func geometry(_ tape: borrowing JSONTape, at place: Int?) throws(GeometryError) -> Geometry? {
    guard let place, tape.kind(at: place) != .null else { return nil }
    if let geometry = orderlyGeometry(tape, at: place) { return geometry }
    return try Geometry(esriJSON: tape.value(at: place), hasZ: hasZ, hasM: hasM)
  }

  /// The shape, if it has one member with rings or paths, or just two with an x and a y.
  private func orderlyGeometry(_ tape: borrowing JSONTape, at place: Int) -> Geometry? {
    guard tape.kind(at: place) == .object else { return nil }
    let name = tape.first(in: place)
    let value = tape.value(of: name)
    let following = tape.next(after: value)
    if tape.isString(at: name, "rings"), tape.isEnd(at: following) {
      return paths(tape, at: value, isReversed: true).map {
        .polygon(Polygon(arranging: $0))
      }
    }
    if tape.isString(at: name, "paths"), tape.isEnd(at: following) {
      return paths(tape, at: value, isReversed: false).map { .polyline(Polyline(paths: $0)) }
    }
    guard tape.isString(at: name, "x"), tape.isString(at: following, "y"),
      tape.isEnd(at: tape.next(after: tape.value(of: following))),
      let x = tape.double(at: value), let y = tape.double(at: tape.value(of: following))
    else { return nil }
    return .point(Point(x: x, y: y))
  }

  private func paths(
    _ tape: borrowing JSONTape, at place: Int, isReversed: Bool
  ) -> [Path]? {
    guard tape.kind(at: place) == .array else { return nil }
    var paths: [Path] = []
    paths.reserveCapacity(tape.elementCount(at: place))
    var element = tape.first(in: place)
    while !tape.isEnd(at: element) {
      guard var path = path(tape, at: element) else { return nil }
      if isReversed { path.reverse() }
      paths.append(path)
      element = tape.next(after: element)
    }
    return paths
  }

  /// The vertices, if all are lists of as many numbers as the flags, or the first, say.
  private func path(_ tape: borrowing JSONTape, at place: Int) -> Path? {
    guard tape.kind(at: place) == .array else { return nil }
    var vertex = tape.first(in: place)
    let width = tape.kind(at: vertex) == .array ? tape.elementCount(at: vertex) : 2
    let hasHeights = hasZ ?? (hasM == true ? width > 3 : width > 2)
    let hasMeasures = hasM ?? (hasHeights && width > 3)
    guard width == 2 + (hasHeights ? 1 : 0) + (hasMeasures ? 1 : 0) else { return nil }
    var path = Path([], z: hasHeights ? [] : nil, m: hasMeasures ? [] : nil)
    path.coordinates.reserveCapacity(tape.elementCount(at: place))
    while !tape.isEnd(at: vertex) {
      guard tape.kind(at: vertex) == .array, tape.elementCount(at: vertex) == width else {
        return nil
      }
      let first = tape.first(in: vertex)
      guard let x = tape.double(at: first), let y = tape.double(at: first + 2) else { return nil }
      path.coordinates.append(Coordinate(x: x, y: y))
      if hasHeights {
        guard let z = tape.double(at: first + 4) else { return nil }
        path.z?.append(z)
      }
      if hasMeasures {
        guard let m = tape.double(at: first + (hasHeights ? 6 : 4)) else { return nil }
        path.m?.append(m)
      }
      vertex = tape.next(after: vertex)
    }
    return path
  }
}

extension Path {
  /// Turns the vertices around.
  fileprivate mutating func reverse() {
    coordinates.reverse()
    z?.reverse()
    m?.reverse()
  }
}
