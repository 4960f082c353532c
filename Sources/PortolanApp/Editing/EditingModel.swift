public import Foundation
public import Observation
public import PortolanFeatures
public import PortolanGeometry
internal import PortolanMap
internal import PortolanPackages

/// Changes to the features of the open map.
///
/// The data of a layer are opened for editing when the first edit needs them. Each call is stored
/// as one, at once, or not at all; ``undo()`` takes them back, the last one first.
@MainActor
@Observable
public final class EditingModel {
  /// What the screen shows.
  public struct State: Hashable, Sendable, Codable {
    /// How many edits can be undone.
    public var undoCount = 0
    /// The last edit that was stored.
    public var lastEdit: FeatureEditResult?
  }

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

  /// What differs from what was synchronized last.
  public struct Changes: Hashable, Sendable, Codable {
    /// When the data were synchronized last; `nil` if they never were, or not all at once.
    public var lastSync: Date?
    /// The tables, in the order of the map.
    public var tables: [TableChanges]

    /// All changes.
    public var all: [LocalChange] { tables.flatMap(\.changes) }

    /// How many there are.
    public var count: EditCount { EditCount(of: all) }
  }

  /// A layer or table with features.
  public struct LayerEntry: Hashable, Sendable, Codable, Identifiable {
    /// The key in the map.
    public var id: String
    /// The title for people.
    public var title: String
    /// The name of the table in its file.
    public var table: String
    /// The kind of its shapes; `nil` for a table without.
    public var geometryType: GeometryType?
  }

  /// The current state; observe this.
  public private(set) var state = State()

  @ObservationIgnored private(set) weak var map: MapModel?
  /// The stores of the edits that can be undone, the last one last.
  @ObservationIgnored private var undoStores: [any EditableFeatureStore] = []
  /// Counts how often the editing has ended: nothing from before can be undone afterwards.
  @ObservationIgnored private var endCount = 0
  /// Whether edits could be undone when the editing ended, as it does where the map is synchronized.
  @ObservationIgnored private var hasEndedEdits = false

  init(map: MapModel) { self.map = map }

  /// The layers and tables with features, in the order of the map.
  public var layers: [LayerEntry] { entries { _, _ in true } }

  /// Those of ``layers`` whose features can be edited where they are, which those of a package in one
  /// file cannot.
  public var editableLayers: [LayerEntry] {
    entries { key, content in map?.canEdit(key, content) == true }
  }

  private func entries(
    where isIncluded: (_ key: String, FeatureLayerContent) -> Bool
  ) -> [LayerEntry] {
    (map?.editableLayers ?? []).filter { isIncluded($0.key, $0.content) }.map { key, content in
      LayerEntry(
        id: key, title: map?.tree.node(key)?.layer.title ?? content.schema.alias,
        table: content.schema.name, geometryType: content.schema.geometryType)
    }
  }

  // MARK: - Forms

  /// A form for a new feature of a layer, given by its key.
  ///
  /// - Throws: A problem if the layer cannot be edited.
  public func formForNewFeature(in layerID: String) async throws(Problem) -> FeatureFormModel {
    FeatureFormModel(try await target(layerID), editing: self, feature: nil)
  }

  /// A form for a feature that is there.
  ///
  /// - Throws: A problem if the layer cannot be edited or has no such feature.
  public func form(
    for objectID: Int64, in layerID: String
  ) async throws(Problem) -> FeatureFormModel {
    let target = try await target(layerID)
    let feature = try await feature(objectID, in: target)
    return FeatureFormModel(target, editing: self, feature: feature)
  }

  // MARK: - Edits

  /// Gives a feature another shape.
  ///
  /// - Parameters:
  ///   - objectID: The feature.
  ///   - layerID: The key of its layer.
  ///   - sketch: The shape.
  ///   - seen: What the user saw of it, if it is to be left alone once it is different.
  /// - Returns: What was stored.
  /// - Throws: A problem if the sketch makes no such shape, the feature was changed since it was seen,
  ///   or the store refuses it; the feature is as it was then.
  @discardableResult
  public func move(
    _ objectID: Int64, in layerID: String, to sketch: Sketch, ifStill seen: SeenFeature? = nil
  ) async throws(Problem) -> FeatureEditResult {
    let target = try await target(layerID)
    try await require(seen, of: objectID, in: target)
    let geometry = try sketch.geometry(for: target.schema)
    return try await apply(
      .update(
        .objectID(objectID), table: target.schema.name, attributes: [:], geometry: .set(geometry)),
      to: target)
  }

  /// Removes a feature, with its attachments and the records that are part of it.
  ///
  /// - Parameters:
  ///   - objectID: The feature.
  ///   - layerID: The key of its layer.
  ///   - seen: What the user saw of it, if it is to be left alone once it is different.
  /// - Returns: What was removed.
  /// - Throws: A problem if the feature was changed since it was seen, or the store refuses it.
  @discardableResult
  public func remove(
    _ objectID: Int64, in layerID: String, ifStill seen: SeenFeature? = nil
  ) async throws(Problem) -> FeatureEditResult {
    let target = try await target(layerID)
    try await require(seen, of: objectID, in: target)
    return try await apply(.delete(.objectID(objectID), table: target.schema.name), to: target)
  }

  /// Refuses to continue with a feature that is not what the user saw.
  private func require(
    _ seen: SeenFeature?, of objectID: Int64, in target: EditTarget
  ) async throws(Problem) {
    guard let seen, SeenFeature(try await feature(objectID, in: target)) != seen else { return }
    throw Problem(
      .changedMeanwhile, message: "The feature was changed meanwhile.",
      suggestion: "Look at it again, and repeat what you wanted to do if it is still needed.",
      actions: [.init(.openPopup)])
  }

  /// Takes back the last edit that was not undone yet.
  ///
  /// - Returns: What was undone.
  /// - Throws: A problem if there is nothing to undo, or it cannot be written.
  public func undo() async throws(Problem) -> [LocalChange] {
    // A concurrent caller undoes the edit before, and the map may be closed.
    guard let store = undoStores.popLast() else {
      throw Problem(
        .nothingToUndo, message: "There is nothing to undo.",
        suggestion: hasEndedEdits
          ? "Edits from before the map was synchronized can no longer be undone."
          : "Edits can be undone as long as the map is open.")
    }
    let ends = endCount
    let undone: [LocalChange]
    do { undone = try await store.undo() } catch {
      if ends == endCount { undoStores.append(store) }
      throw Problem(error)
    }
    state.undoCount = undoStores.count
    map?.featuresHaveChanged()
    await map?.reloadPopups()
    return undone
  }

  /// What differs from what was synchronized last, in all layers of the map.
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

  /// Closes what was opened for editing; nothing can be undone afterwards.
  func end() async {
    endCount += 1
    hasEndedEdits = hasEndedEdits || !undoStores.isEmpty
    undoStores = []
    state = State()
    await map?.endEditing()
  }

  /// Stores an edit of a form.
  func apply(
    _ edit: FeatureEdit, to target: EditTarget
  ) async throws(Problem) -> FeatureEditResult {
    guard target.rights?.allows(edit) != false else {
      throw Problem(FeatureEditError.notAuthored(target.layerTitle))
    }
    let ends = endCount
    let result: FeatureEditResult?
    do { result = try await target.store.apply([edit]).first } catch { throw Problem(error) }
    guard let result else { throw Problem(message: "The edit was not applied.") }
    if ends == endCount { undoStores.append(target.store) }
    state = State(undoCount: undoStores.count, lastEdit: result)
    map?.featuresHaveChanged()
    await map?.reloadPopups()
    return result
  }

  // MARK: - Stores

  /// The layer with that key, open for editing.
  func target(_ layerID: String) async throws(Problem) -> EditTarget {
    guard let map else { throw .mapWasClosed }
    let layer = map.tree.node(layerID)?.layer
    let rights = layer.map(AuthoredRights.init)
    guard rights?.isReadOnly != true else {
      throw Problem(FeatureEditError.notAuthored(layer?.title ?? layerID))
    }
    let content = try await map.openForEditing(layerID)
    guard let store = content.store as? any EditableFeatureStore else {
      throw Problem(
        FeatureEditError.tableNotEditable(
          table: content.schema.alias, reason: "its data are read only"))
    }
    do {
      if case .readOnly(let reason) = try await store.editability(of: content.schema.name) {
        throw reason
      }
      return EditTarget(
        layerID: layerID, layerTitle: layer?.title ?? content.schema.alias,
        schema: content.schema, store: store,
        validator: try await store.validator(of: content.schema.name), rights: rights)
    } catch {
      throw Problem(error)
    }
  }

  /// The feature as it is stored now.
  ///
  /// - Throws: A problem if it cannot be read or is gone.
  func feature(
    _ objectID: Int64, in target: EditTarget
  ) async throws(Problem) -> Feature {
    let query = QueryParameters(objectIDs: [objectID])
    let found: [Feature]
    do {
      found = try await target.store.features(in: target.schema.name, matching: query).collect()
    } catch {
      throw Problem(error)
    }
    guard let feature = found.first else {
      throw Problem(
        FeatureEditError.noSuchRow(
          objectID: objectID, EditPlace(table: target.schema.name, objectID: objectID)))
    }
    return feature
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
