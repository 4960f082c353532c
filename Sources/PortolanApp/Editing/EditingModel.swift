public import Observation
public import PortolanFeatures
public import PortolanGeometry
internal import PortolanMap
internal import PortolanPackages

/// Changes to the features of the open map.
///
/// The data of a layer are opened for editing when the first edit needs them. Each call is stored
/// as one, at once, or not at all; ``undo(_:)`` takes them back, the last one first.
@MainActor
@Observable
public final class EditingModel {
  /// The state of the screen.
  public struct State: Hashable, Sendable, Codable {
    /// The number of edits that can be undone.
    public var undoCount = 0
    /// The last edit that was stored.
    public var lastEdit: FeatureEditResult?
  }

  /// An edit that was stored.
  public struct StoredEdit: Hashable, Sendable, Codable {
    /// Its number among the edits of the open map: ``undo(_:)`` takes back that edit and no other.
    public var number: Int64
    /// The result of the edit.
    public var result: FeatureEditResult

    /// The feature that was edited.
    public var objectID: Int64 { result.objectID }
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
  @ObservationIgnored private var undoable = UndoableEdits()
  @ObservationIgnored private let turns = StoreTurns()
  /// Counts how often the editing has ended: nothing from before can be undone afterwards.
  @ObservationIgnored private var endCount = 0
  /// Whether edits could be undone when the editing ended, as it does where the map is synchronized.
  @ObservationIgnored private var hasEndedEdits = false

  init(map: MapModel) { self.map = map }

  /// The layers and tables with features, in the order of the map.
  public var layers: [LayerEntry] { entries { _, _ in true } }

  /// The ``layers`` whose features can be edited in place; those of a package in one file cannot.
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

  /// Gives a feature another shape; a point keeps its height and its measure, unless another height is given, and
  /// vertices of other shapes that stay where they are keep their measures.
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
  ) async throws(Problem) -> StoredEdit {
    let target = try await target(layerID)
    try await require(seen, of: objectID, in: target)
    let isFlat = !target.schema.hasZ && !target.schema.hasM
    let former = isFlat ? nil : try await feature(objectID, in: target).geometry
    let geometry = try target.geometry(of: sketch, replacing: former)
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
  ) async throws(Problem) -> StoredEdit {
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
  /// - Parameter number: The number of the edit that it must be; `nil` for whichever it is.
  /// - Returns: What was undone.
  /// - Throws: A problem if there is nothing to undo, another edit is the last one, or it cannot be
  ///   written. An edit that can never be undone, as after another user's change, is skipped: undoing again
  ///   takes back the one before it.
  public func undo(_ number: Int64? = nil) async throws(Problem) -> [LocalChange] {
    let edit = try await takeTurn(toUndo: number)
    let ends = endCount
    let held = await edit.store.undoCount()
    let undone: [LocalChange]
    do { undone = try await edit.store.undo() } catch {
      let isSkipped = await edit.store.undoCount() < held
      if ends == endCount, !isSkipped { undoable.add(edit) }
      turns.end(edit.store)
      await forgetSettled(in: edit.store)
      throw failure(error, hasSkipped: isSkipped)
    }
    turns.end(edit.store)
    state.undoCount = undoable.count
    map?.featuresHaveChanged()
    await map?.reloadPopups()
    return undone
  }

  /// The reason why an edit was not undone, and the effect of undoing again where the edit is not
  /// tried any more.
  private func failure(_ error: any Error, hasSkipped isSkipped: Bool) -> Problem {
    var problem = Problem(error)
    guard isSkipped, undoable.count > 0 else { return problem }
    let advice = "Undoing again takes back the edit before it."
    problem.suggestion = [problem.suggestion, advice].compactMap(\.self).joined(separator: " ")
    return problem
  }

  /// Waits until the last edit can be taken back, which is then no longer among those that can be undone.
  ///
  /// - Returns: The edit, whose store is the caller's to change.
  private func takeTurn(toUndo number: Int64?) async throws(Problem) -> UndoableEdits.Entry {
    while true {
      guard number == nil || undoable.count == 0 || number == undoable.nextNumber else {
        throw Problem(
          message: "Something else was changed since.",
          suggestion: "Look at the list of changes, and undo there what was changed last.")
      }
      // A concurrent caller undoes the edit before, and the map may be closed.
      guard let edit = undoable.popLast() else { throw nothingToUndo }
      let ends = endCount
      await turns.begin(edit.store)
      guard ends == endCount else {
        turns.end(edit.store)
        throw nothingToUndo
      }
      // If another edit was stored meanwhile, the store would undo that one.
      guard let later = undoable.numbers(of: edit.store).last, later > edit.number else {
        return edit
      }
      undoable.add(edit)
      turns.end(edit.store)
    }
  }

  private var nothingToUndo: Problem {
    Problem(
      .nothingToUndo, message: "There is nothing to undo.",
      suggestion: hasEndedEdits
        ? "Edits from before the map was synchronized can no longer be undone."
        : "Edits can be undone as long as the map is open.")
  }

  /// Forgets the edits that a store can no longer take back: it holds a limited number, and none from
  /// before another program has changed its data.
  private func forgetSettled(in store: any EditableFeatureStore) async {
    // Of edits that are made or undone while the store is asked, it may have counted some or none.
    let known = undoable.numbers(of: store)
    let kept = await store.undoCount()
    undoable.keepLast(kept, among: known)
    if state.undoCount != undoable.count { state.undoCount = undoable.count }
  }

  /// Closes what was opened for editing; nothing can be undone afterwards.
  func end() async {
    endCount += 1
    hasEndedEdits = hasEndedEdits || undoable.count > 0
    undoable.removeAll()
    state = State()
    await map?.endEditing()
  }

  /// Stores an edit of a form.
  func apply(_ edit: FeatureEdit, to target: EditTarget) async throws(Problem) -> StoredEdit {
    guard target.rights?.allows(edit) != false else {
      throw Problem(FeatureEditError.notAuthored(target.layerTitle))
    }
    let ends = endCount
    await turns.begin(target.store)
    let result: FeatureEditResult?
    do { result = try await target.store.apply([edit]).first } catch {
      turns.end(target.store)
      throw target.problem(error)
    }
    guard let result else {
      turns.end(target.store)
      throw Problem(message: "The edit was not applied.")
    }
    // Before anybody else changes the store.
    let number = undoable.makeNumber()
    if ends == endCount { undoable.add(.init(number: number, store: target.store)) }
    turns.end(target.store)
    state = State(undoCount: undoable.count, lastEdit: result)
    await forgetSettled(in: target.store)
    map?.featuresHaveChanged()
    await map?.reloadPopups()
    return StoredEdit(number: number, result: result)
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
    let title = layer?.title ?? content.schema.alias
    do {
      if case .readOnly(let reason) = try await store.editability(of: content.schema.name) {
        throw reason.naming(layer: title, of: content.schema.name)
      }
      return EditTarget(
        layerID: layerID, layerTitle: title, schema: content.schema, store: store,
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
        FeatureEditError.noSuchRow(objectID: objectID, target.place(of: objectID)))
    }
    return feature
  }
}
