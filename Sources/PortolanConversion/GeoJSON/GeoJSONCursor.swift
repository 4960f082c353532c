internal import PortolanArchives
internal import PortolanFeatures
internal import PortolanGeometry
internal import Synchronization

internal import struct Foundation.Date

/// A query of a table of a GeoJSON file.
struct GeoJSONQuery {
  let table: GeoJSONTable
  let clause: BoundWhereClause
  let ids: Set<Int64>?
  let outFields: FieldList?
  let parameters: QueryParameters

  init(
    _ query: QueryParameters, of table: GeoJSONTable, now: Date
  ) throws(FeatureStoreError) {
    self.table = table
    parameters = query
    clause = try WhereClause(query.whereClause ?? "").bound(
      to: table.fields, of: table.schema.name, now: now)
    ids = query.objectIDs.map(Set.init)
    outFields = try query.outFields.flatMap { names throws(FeatureStoreError) in
      try Self.fields(names, of: table)
    }
  }

  private static func fields(
    _ names: [String], of table: GeoJSONTable
  ) throws(FeatureStoreError) -> FieldList? {
    guard !names.contains("*") else { return nil }
    var fields: [Field] = []
    for name in names {
      guard let field = table.schema.field(named: name) else {
        throw .noSuchField(name: name, table: table.schema.name)
      }
      fields.append(field)
    }
    return FieldList(fields)
  }

  /// Whether a feature is among those asked for.
  func selects(_ feature: Feature) -> Bool {
    guard ids?.contains(feature.objectID) ?? true else { return false }
    if let extent = parameters.extent {
      guard let box = feature.geometry?.extent, box.intersects(extent) else { return false }
    }
    return clause.isAlwaysTrue || clause.matches(feature.attributes)
  }

  /// The feature as it was requested.
  func shaped(_ feature: Feature) -> Feature {
    var feature = feature
    if !parameters.returnsGeometry { feature.geometry = nil }
    if let outFields {
      let attributes = feature.attributes
      feature.attributes = Attributes(
        outFields, outFields.fields.map { attributes[$0.name] ?? .null })
    }
    return feature
  }
}

/// The features of one walk along a GeoJSON file.
final class GeoJSONCursor: Sendable {
  private struct State {
    var items: GeoJSONItems
    var query: GeoJSONQuery?
    /// How many features of the table came by.
    var number = 0
    /// How many of those asked for came by.
    var foundCount = 0
  }

  private let state: Mutex<State>

  init(_ source: any ByteSource) { state = Mutex(State(items: GeoJSONItems(source))) }

  /// The next features; empty at the end.
  ///
  /// `makeQuery` is called before the first.
  func next(
    _ makeQuery: () throws(FeatureStoreError) -> GeoJSONQuery
  ) throws(FeatureStoreError) -> [Feature] {
    try state.withLock { state throws(FeatureStoreError) in
      let query: GeoJSONQuery
      if let known = state.query { query = known } else { query = try makeQuery() }
      state.query = query
      return try Self.page(&state, query)
    }
  }

  private static func page(
    _ state: inout State, _ query: GeoJSONQuery
  ) throws(FeatureStoreError) -> [Feature] {
    let first = max(0, query.parameters.offset)
    let end = query.parameters.limit.map { first.addingReportingOverflow(max(0, $0)) }
    let last = end.map { $0.overflow ? .max : $0.partialValue } ?? .max
    while state.foundCount < last {
      guard !Task.isCancelled else { throw .cancelled }
      let items = try state.items.next()
      if items.isEmpty { return [] }
      var page: [Feature] = []
      for case .success(let item) in items where query.table.families.contains(item.family) {
        state.number += 1
        let feature = query.table.feature(item, number: state.number)
        guard query.selects(feature) else { continue }
        state.foundCount += 1
        if state.foundCount > first, state.foundCount <= last { page.append(query.shaped(feature)) }
      }
      if !page.isEmpty { return page }
    }
    return []
  }
}
