import Foundation
import PortolanApp
import PortolanFeatures
import PortolanGeometry
import PortolanLocks
import PortolanMap
import PortolanPackages

/// Holds back the first who comes, or one of those after, until it is opened.
actor Gate {
  private var skipped: Int
  private var held: CheckedContinuation<Void, Never>?
  private var waiting: CheckedContinuation<Void, Never>?
  private var isUsed = false

  /// Lets some pass before it holds one back.
  init(skipping count: Int = 0) { skipped = count }

  /// Passes; the first who does, after those who are skipped, waits for ``open()``.
  func pass() async {
    guard skipped == 0 else {
      skipped -= 1
      return
    }
    guard !isUsed else { return }
    isUsed = true
    await withCheckedContinuation { continuation in
      held = continuation
      waiting?.resume()
      waiting = nil
    }
  }

  /// Waits until somebody is held back.
  func isReached() async {
    guard held == nil else { return }
    await withCheckedContinuation { waiting = $0 }
  }

  func open() {
    held?.resume()
    held = nil
  }
}

/// A store that is slow to do one thing, the first time that it is asked for.
final class HeldStore: EditableFeatureStore, ForwardingFeatureStore {
  enum Step { case apply, applied, undo, undoCount, attachments }

  let base: InMemoryFeatureStore
  private let step: Step
  private let gate: Gate
  private let failure: Locked<FeatureEditError?>
  private let lastSync: Date?

  /// The first undoing fails with `failure`, if there is one.
  init(
    _ store: InMemoryFeatureStore, holding step: Step, at gate: Gate,
    failing failure: FeatureEditError? = nil, synchronized lastSync: Date? = nil
  ) {
    self.lastSync = lastSync
    base = store
    self.step = step
    self.gate = gate
    self.failure = Locked(failure)
  }

  private func pass(_ step: Step) async { if step == self.step { await gate.pass() } }

  func attachments(
    of objectID: Int64, in table: String
  ) async throws(FeatureStoreError) -> [Attachment] {
    await pass(.attachments)
    return try await base.attachments(of: objectID, in: table)
  }

  func localChanges() async throws(FeatureEditError) -> LocalChanges {
    var changes = try await base.localChanges()
    changes.lastSync = lastSync
    return changes
  }

  func apply(_ edits: [FeatureEdit]) async throws(FeatureEditError) -> [FeatureEditResult] {
    await pass(.apply)
    let results = try await base.apply(edits)
    await pass(.applied)
    return results
  }

  func undoCount() async -> Int {
    await pass(.undoCount)
    return await base.undoCount()
  }

  func undo() async throws(FeatureEditError) -> [LocalChange] {
    await pass(.undo)
    if let failure = failure.withLock({ $0.take() }) { throw failure }
    return try await base.undo()
  }

  func editability(of table: String) async throws(FeatureEditError) -> TableEditability {
    try await base.editability(of: table)
  }

  func validator(of table: String) async throws(FeatureEditError) -> FeatureValidator {
    try await base.validator(of: table)
  }
}

/// A map of layers that share a place and three features, in stores of their own.
struct HeldMap: LayerContentSource {
  private let contents: [String: LayerContent]

  static let schema = FeatureTableSchema(
    name: "places", geometryType: .point, spatialReference: .webMercator,
    fields: [Field("OBJECTID", .objectID), Field("NAME", .string)], displayField: "NAME",
    hasAttachments: true)

  /// Creates a map one of whose layers is special.
  ///
  /// The layer `held` is slow to do something, and fails to undo the first time that it is asked to,
  /// if `failure` says how; it alone was synchronized at some moment. All take back `undoLimit` edits.
  init(
    _ layers: [String], held: String, _ step: HeldStore.Step, at gate: Gate,
    failing failure: FeatureEditError? = nil, synchronized lastSync: Date? = nil,
    undoLimit: Int = 100
  ) {
    let fields = FieldList(Self.schema.fields)
    contents = Dictionary(
      uniqueKeysWithValues: layers.map { layer in
        let rows = (1...3).map { number in
          Feature(
            objectID: Int64(number),
            attributes: Attributes(
              fields, [.integer(Int64(number)), .text("\(layer) \(number)")]),
            geometry: .point(Point(x: Double(number), y: 0)))
        }
        let store = InMemoryFeatureStore(
          [FeatureTableContents(schema: Self.schema, features: rows)], undoLimit: undoLimit)
        let shown: any FeatureStore =
          layer == held
          ? HeldStore(
            store, holding: step, at: gate, failing: failure, synchronized: lastSync) : store
        return (
          layer,
          .features([
            FeatureLayerContent(
              store: shown, schema: Self.schema, drawingInfo: DrawingInfo(),
              popup: PopupDefinition(schema: Self.schema))
          ])
        )
      })
  }

  func content(of layer: Layer) async -> LayerContent {
    layer.id.flatMap { contents[$0] } ?? .unavailable(reason: "There are no data.")
  }

  /// The map, with its layers found.
  @MainActor func model() async throws -> MapModel {
    let whole = try MemoryMap().map(contents.keys.sorted().map { MemoryMap.layer($0) })
    let model = MapModel(
      map: MobileMap(name: "m", item: whole.item, webMap: whole.webMap, contents: self))
    await model.load()
    return model
  }
}
