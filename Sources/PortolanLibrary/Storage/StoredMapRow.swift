internal import Foundation
internal import PortolanSQLite

/// The columns that a stored map is read from when thousands are listed: its record holds the same,
/// but takes ten times as long to read.
///
/// A row without them, or with what this Portolan does not know, is read from its record.
struct StoredMapRow {
  /// The columns in the order that they are written and read.
  static let columns = "\(firstColumns), version, deleted_on, options"

  private static let firstColumns = """
    id, title, record, form, origin, origin_map, origin_item, summary, portal, installed,
    source_modified, byte_count, omissions, deleted
    """

  /// The columns as a catalogue of an older version has them, where it can only be read.
  static func columns(inVersion version: Int) -> String {
    switch version {
    case ..<StorageSchema.firstWithVersions: "\(firstColumns), NULL, NULL, NULL"
    case ..<StorageSchema.firstWithOptions: "\(firstColumns), version, deleted_on, NULL"
    default: columns
    }
  }

  /// The portal that was read last: few different ones are read very often.
  private var portal: (text: String, url: URL?) = ("", nil)

  /// The values of the columns for a map.
  static func values(of map: StoredMap) throws -> [SQLValue] {
    let (kind, webMap, item) = OriginColumns.values(of: map.origin)
    return [
      .text(map.id.text), .text(map.title), .blob(try StorageRecord.data(map)),
      .text(map.form.rawValue), .text(kind), webMap.map(SQLValue.text) ?? .null,
      item.map(SQLValue.text) ?? .null, map.summary.map(SQLValue.text) ?? .null,
      map.portal.map { .text($0.absoluteString) } ?? .null, .date(map.installed),
      map.sourceModified.map(SQLValue.date) ?? .null, .integer(Int64(map.byteCount)),
      map.omissions.isEmpty ? .null : .blob(try StorageRecord.data(map.omissions)),
      map.deleted.map(SQLValue.date) ?? .null, .integer(Int64(map.version)),
      map.deletedOn.map { .integer(Int64($0)) } ?? .null,
      try map.options.map { .blob(try StorageRecord.data($0)) } ?? .null,
    ]
  }

  /// The map in the current row; `nil` if a newer Portolan wrote what is not understood.
  mutating func map(_ query: borrowing Query) -> StoredMap? {
    guard let id = MapID(query.text(at: 0)), let form = StoredMap.Form(rawValue: query.text(at: 3)),
      let origin = OriginColumns.origin(
        query.text(at: 4), query.optionalText(at: 5), query.optionalText(at: 6)),
      let omissions = Self.omissions(query)
    else { return StorageRecord.value(StoredMap.self, from: query.blob(at: 2)) }
    return StoredMap(
      id: id, origin: origin, form: form, title: query.text(at: 1),
      summary: query.optionalText(at: 7), portal: url(query),
      installed: Date(timeIntervalSinceReferenceDate: query.real(at: 9)),
      sourceModified: query.date(at: 10), byteCount: Int(query.integer(at: 11)),
      omissions: omissions, options: Self.options(query), deleted: query.date(at: 13),
      deletedOn: query.isNull(at: 15) ? nil : Int(query.integer(at: 15)),
      version: Int(query.integer(at: 14)))
  }

  private mutating func url(_ query: borrowing Query) -> URL? {
    guard let text = query.optionalText(at: 8) else { return nil }
    if portal.text != text { portal = (text, URL(string: text)) }
    return portal.url
  }

  /// How an area was downloaded; options that a newer Portolan wrote, and that are not understood, are
  /// taken from its package.
  private static func options(_ query: borrowing Query) -> StoredAreaOptions? {
    query.isNull(at: 16)
      ? nil : StorageRecord.value(StoredAreaOptions.self, from: query.blob(at: 16))
  }

  private static func omissions(_ query: borrowing Query) -> [String]? {
    query.isNull(at: 12) ? [] : StorageRecord.value([String].self, from: query.blob(at: 12))
  }
}

/// The origin of a map, in three columns.
private enum OriginColumns {
  static func values(
    of origin: StoredMap.Origin
  ) -> (kind: String, webMap: String?, item: String?) {
    switch origin {
    case .preplannedArea(let webMap, let area): ("preplanned-area", webMap, area)
    case .onDemandArea(let webMap): ("on-demand-area", webMap, nil)
    case .portalItem(let id): ("portal-item", nil, id)
    case .imported(let name): ("imported", nil, name)
    }
  }

  static func origin(_ kind: String, _ webMap: String?, _ item: String?) -> StoredMap.Origin? {
    switch (kind, webMap, item) {
    case ("preplanned-area", let webMap?, let area?): .preplannedArea(webMap: webMap, area: area)
    case ("on-demand-area", let webMap?, nil): .onDemandArea(webMap: webMap)
    case ("portal-item", nil, let id?): .portalItem(id)
    case ("imported", nil, let name?): .imported(name)
    default: nil
    }
  }
}

extension SQLValue {
  fileprivate static func date(_ date: Date) -> SQLValue {
    .real(date.timeIntervalSinceReferenceDate)
  }
}

extension Query {
  fileprivate func optionalText(at column: Int) -> String? {
    isNull(at: column) ? nil : text(at: column)
  }

  fileprivate func date(at column: Int) -> Date? {
    isNull(at: column) ? nil : Date(timeIntervalSinceReferenceDate: real(at: column))
  }
}
