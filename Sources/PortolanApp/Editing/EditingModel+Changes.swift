public import Foundation
public import PortolanFeatures
internal import PortolanMap
internal import PortolanPackages

// The edits since the map was synchronized.
extension EditingModel {
  /// The edits of a table that are not synchronized.
  public struct TableChanges: Hashable, Sendable, Codable {
    /// The name of the table.
    public var table: String
    /// The title of the layer that shows it.
    public var layerTitle: String
    /// The changes, by object id.
    public var changes: [LocalChange]
    /// The titles of the changed features that are still there, by object id.
    public var titles: [Int64: String] = [:]
    /// Whether the table keeps a history; else only edits made with Portolan are known.
    public var hasHistory: Bool
  }

  /// The differences from the last synchronized state.
  public struct Changes: Hashable, Sendable, Codable {
    /// The date at which the data were synchronized last; `nil` if they never were, or not all at
    /// once.
    public var lastSync: Date?
    /// The tables, in the order of the map.
    public var tables: [TableChanges]

    /// All changes.
    public var all: [LocalChange] { tables.flatMap(\.changes) }

    /// The number of edits.
    public var count: EditCount { EditCount(of: all) }
  }

  /// The differences from the last synchronized state, in all layers of the map.
  ///
  /// - Throws: A problem if a file that may hold edits cannot be read.
  public func changes() async throws(Problem) -> Changes {
    try await map?.checkEdits()
    var tables: [TableChanges] = []
    var syncs: Set<Date?> = []
    var seen: Set<ObjectIdentifier> = []
    for (_, content) in map?.editableLayers ?? [] {
      guard let store = content.store as? any ChangeTrackingStore,
        seen.insert(ObjectIdentifier(store)).inserted
      else { continue }
      do {
        let found = try await store.localChanges()
        syncs.insert(found.lastSync)
        tables += await titled(try await self.tables(of: store, found), in: store)
      } catch {
        throw Problem(error)
      }
    }
    return Changes(lastSync: syncs.count == 1 ? syncs.first.flatMap { $0 } : nil, tables: tables)
  }

  /// The title of a table: that of the first layer that shows it; its name where none does, or
  /// layers of several files have tables of that name.
  public func layerTitle(ofTable table: String) -> String {
    let shown = (map?.editableLayers ?? []).filter { $0.content.schema.name == table }
    let stores = Set(
      shown.compactMap { layer in
        (layer.content.store as? any ChangeTrackingStore).map { ObjectIdentifier($0) }
      })
    guard let first = shown.first, stores.count < 2 else { return table }
    return map?.tree.node(first.key)?.layer.title ?? first.content.schema.alias
  }

  private func tables(
    of store: any ChangeTrackingStore, _ found: LocalChanges
  ) async throws(FeatureStoreError) -> [TableChanges] {
    let titles = map?.layerTitles(of: store) ?? [:]
    let byTable = Dictionary(grouping: found.changes, by: \.table)
    return try await store.schemas().compactMap { schema in
      let changes = byTable[schema.name] ?? []
      guard let title = titles[schema.name] ?? (changes.isEmpty ? nil : schema.alias) else {
        return nil
      }
      return TableChanges(
        table: schema.name, layerTitle: title, changes: changes,
        hasHistory: !found.tablesWithoutHistory.contains(schema.name))
    }
  }
}
