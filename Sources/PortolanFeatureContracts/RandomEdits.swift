internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry

/// Makes edits of the tables of a file, valid and invalid ones, the same for a seed.
struct RandomEdits {
  /// A table that is edited.
  struct Table: Sendable {
    let schema: FeatureTableSchema
    /// A shape as it is read after it was written; `nil` if it cannot be stored.
    let roundTrip: @Sendable (Geometry) -> Geometry?
    /// Where shapes are drawn.
    let area: Envelope
    /// The features that there are, and a few that are deleted by now.
    var objectIDs: [Int64]
  }

  private(set) var tables: [Table]
  private var numbers: SplitMix64
  /// The attachments there have been, of which many are removed by now.
  private var attachmentIDs: [Int64] = [1, 2]

  init(_ tables: [Table], seed: UInt64) {
    self.tables = tables
    numbers = SplitMix64(seed: seed)
  }

  /// Whether to go back a group instead of applying another.
  mutating func takesBack() -> Bool { chance(0.12) }

  /// The edits of the next group.
  mutating func group() -> [FeatureEdit] {
    (0..<Int.random(in: 1...5, using: &numbers)).map { _ in edit() }
  }

  /// Remembers which features and attachments were added, and forgets most that were removed.
  mutating func note(_ results: [FeatureEditResult], of group: [FeatureEdit]) {
    for (result, edit) in zip(results, group) {
      guard let index = tables.firstIndex(where: { $0.schema.name == result.table }) else {
        continue
      }
      switch edit {
      case .add: tables[index].objectIDs.append(result.objectID)
      case .delete where chance(0.9):
        tables[index].objectIDs.removeAll { $0 == result.objectID }
      case .addAttachment: attachmentIDs.append(result.attachmentID ?? 1)
      case .deleteAttachment where chance(0.9):
        attachmentIDs.removeAll { $0 == result.attachmentID }
      default: break
      }
    }
  }

  /// Forgets what turns out not to be there.
  mutating func note(_ error: FeatureEditError) {
    switch error {
    case .noSuchRow(let objectID, let place):
      guard let index = tables.firstIndex(where: { $0.schema.name == place.table }) else { return }
      tables[index].objectIDs.removeAll { $0 == objectID }
    case .noSuchAttachment(let id, _): attachmentIDs.removeAll { $0 == id }
    default: break
    }
  }

  /// Remembers the rows that came back.
  mutating func note(undone changes: [LocalChange]) {
    for change in changes where change.kind == .delete {
      guard let index = tables.firstIndex(where: { $0.schema.name == change.table }),
        !tables[index].objectIDs.contains(change.objectID)
      else { continue }
      tables[index].objectIDs.append(change.objectID)
    }
  }

  private mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &numbers) < probability
  }

  private mutating func edit() -> FeatureEdit {
    let index = Int.random(in: tables.indices, using: &numbers)
    let table = tables[index]
    let name = table.schema.name
    let id = table.objectIDs.suffix(200).randomElement(using: &numbers) ?? 1
    switch Double.random(in: 0..<1, using: &numbers) {
    case ..<0.35:
      return .add(NewFeature(attributes: values(table), geometry: shape(table)), table: name)
    case ..<0.75:
      let geometry: GeometryChange =
        chance(0.5) ? .keep : chance(0.15) ? .remove : shape(table).map { .set($0) } ?? .keep
      return .update(.objectID(id), table: name, attributes: values(table), geometry: geometry)
    case ..<0.9 where table.schema.hasAttachments:
      return attachment(of: id, name)
    default: return .delete(.objectID(id), table: name)
    }
  }

  private mutating func attachment(of id: Int64, _ table: String) -> FeatureEdit {
    let bytes = (0..<Int.random(in: 0...40, using: &numbers)).map { UInt8(truncatingIfNeeded: $0) }
    let file = NewAttachment(name: text(20), contentType: "image/png", data: Data(bytes))
    let attachment = attachmentIDs.suffix(30).randomElement(using: &numbers) ?? 1
    switch Int.random(in: 0..<4, using: &numbers) {
    case 0, 1: return .addAttachment(file, to: .objectID(id), table: table)
    case 2: return .updateAttachment(attachment, file, table: table)
    default: return .deleteAttachment(attachment, table: table)
    }
  }

  // MARK: - Values

  private mutating func values(_ table: Table) -> [String: AttributeValue] {
    let validator = FeatureValidator(table.schema)
    var values: [String: AttributeValue] = [:]
    for field in table.schema.fields where validator.whyReadOnly(field) == nil {
      guard chance(field.isNullable ? 0.2 : 0.95) else { continue }
      values[field.name] = field.isNullable && chance(0.15) ? .null : value(field)
    }
    // One in twenty is wrong, and the whole group with it.
    if chance(0.05) { values["NO_SUCH_FIELD"] = .integer(1) }
    return values
  }

  private mutating func value(_ field: Field) -> AttributeValue {
    switch field.domain {
    case .codedValue(let domain):
      return domain.codedValues.randomElement(using: &numbers)?.code ?? .null
    case .range(let domain):
      let (low, high) = (domain.minimum.number ?? 0, domain.maximum.number ?? 0)
      return .double(Double.random(in: low...max(low, high), using: &numbers).rounded(.down))
    case nil: return freeValue(field)
    }
  }

  private mutating func freeValue(_ field: Field) -> AttributeValue {
    switch field.type {
    case .smallInteger: .integer(Int64(Int16.random(in: .min ... .max, using: &numbers)))
    case .objectID, .integer: .integer(Int64(Int32.random(in: .min ... .max, using: &numbers)))
    case .bigInteger: .integer(Int64.random(in: .min ... .max, using: &numbers))
    case .single, .double: .double(Double.random(in: -1e9...1e9, using: &numbers))
    case .date:
      .date(Date(timeIntervalSince1970: Double(Int.random(in: -9999...9999, using: &numbers))))
    case .guid: .text("{00000000-0000-4000-8000-\(100_000_000_000 + Int(numbers.next() % 999))}")
    case .blob: .blob(Data([UInt8.random(in: 0...255, using: &numbers), 0]))
    default: .text(text(min(field.length ?? 20, 20)))
    }
  }

  private mutating func text(_ longest: Int) -> String {
    let letters = Array("aZ09 'ß€\"%_äöü\u{1F33F}")
    return String(
      String.UnicodeScalarView(
        String((0..<longest).map { _ in letters.randomElement(using: &numbers) ?? "a" })
          .unicodeScalars.prefix(Int.random(in: 0...longest, using: &numbers))))
  }

  // MARK: - Shapes

  /// A shape whose coordinates the table can hold, so that it is read as it was written.
  private mutating func shape(_ table: Table) -> Geometry? {
    guard let type = table.schema.geometryType, !chance(0.05) else { return nil }
    let hasZ = table.schema.hasZ
    let raw: Geometry =
      switch type {
      case .point: .point(point(table, hasZ))
      case .multipoint: .multipoint(Multipoint(points: path(table, 1...12, hasZ)))
      case .polyline:
        .polyline(
          Polyline(
            paths: (0..<Int.random(in: 1...3, using: &numbers)).map { _ in
              path(table, 2...30, hasZ)
            }))
      case .polygon, .envelope: .polygon(Polygon(rings: [star(table, hasZ)]))
      }
    return table.roundTrip(raw)
  }

  private mutating func coordinate(_ table: Table) -> Coordinate {
    Coordinate(
      x: Double.random(in: table.area.xMin...table.area.xMax, using: &numbers),
      y: Double.random(in: table.area.yMin...table.area.yMax, using: &numbers))
  }

  private mutating func point(_ table: Table, _ hasZ: Bool) -> Point {
    let place = coordinate(table)
    return Point(
      x: place.x, y: place.y, z: hasZ ? Double(Int.random(in: 0...3000, using: &numbers)) : nil)
  }

  private mutating func path(_ table: Table, _ count: ClosedRange<Int>, _ hasZ: Bool) -> Path {
    let coordinates = (0..<Int.random(in: count, using: &numbers)).map { _ in coordinate(table) }
    return Path(coordinates, z: hasZ ? coordinates.map { _ in 7 } : nil)
  }

  /// A ring around a centre, which does not cross itself.
  private mutating func star(_ table: Table, _ hasZ: Bool) -> Path {
    let center = coordinate(table)
    let count = Int.random(in: 3...20, using: &numbers)
    let reach = max(table.area.width, table.area.height) / 20
    var corners = (0..<count).map { corner in
      let angle = 2 * Double.pi * Double(corner) / Double(count)
      let radius = reach * Double.random(in: 0.3...1, using: &numbers)
      return Coordinate(x: center.x + radius * cos(angle), y: center.y + radius * sin(angle))
    }
    corners.append(corners[0])
    return Path(corners, z: hasZ ? corners.map { _ in 3 } : nil)
  }
}
