internal import PortolanFeatures

/// The changes of a layer, whose rows and attachments are read one after the other.
protocol LayerChanges {
  /// The id in the service.
  var layerID: Int { get }
  /// The global ids of rows that were deleted, with braces.
  var deletes: [String] { get }
  /// The global ids of attachments that were deleted, with braces.
  var deletedFiles: [String] { get }
  /// The names of fields that rows came with and the layer does not have.
  var unknownFields: [String] { get }

  /// The fields that new and different rows come with.
  func fieldLists() throws(FeatureStoreError) -> [FieldList]

  /// The rows that are new or different; without shapes those of which only a part can be read are among
  /// the others.
  func rows(withShapes hasShapes: Bool) throws(FeatureStoreError) -> DeltaCursor<DeltaRow>

  /// The attachments that are new or different.
  func files() throws(FeatureStoreError) -> DeltaCursor<GeodatabaseDelta.File>

  /// The global ids of the attachments that are new or different, without their contents being read.
  func fileIDs() throws(FeatureStoreError) -> DeltaCursor<String>
}

/// A row that is new or different.
enum DeltaRow {
  case whole(Feature)
  case incomplete(GeodatabaseDelta.IncompleteRow)

  /// The row, as far as it could be read.
  var feature: Feature {
    switch self {
    case .whole(let feature): feature
    case .incomplete(let row): row.feature
    }
  }
}

/// Reads elements one after the other, so that no more than one is in memory.
final class DeltaCursor<Element> {
  private let advance: () throws(FeatureStoreError) -> Element?

  init(_ advance: @escaping () throws(FeatureStoreError) -> Element?) { self.advance = advance }

  /// The elements of a list.
  convenience init(_ elements: [Element]) {
    var rest = elements[...]
    self.init { () throws(FeatureStoreError) -> Element? in rest.popFirst() }
  }

  /// The elements of several tables, each of which is opened when its turn comes.
  convenience init(
    _ tables: [String],
    opening open: @escaping (String) throws(FeatureStoreError) -> DeltaCursor<Element>
  ) {
    var rest = tables[...]
    var current: DeltaCursor<Element>?
    self.init { () throws(FeatureStoreError) -> Element? in
      while true {
        if let element = try current?.next() { return element }
        guard let table = rest.popFirst() else { return nil }
        current = try open(table)
      }
    }
  }

  /// The next element; `nil` at the end.
  func next() throws(FeatureStoreError) -> Element? { try advance() }
}

extension GeodatabaseDelta.Layer: LayerChanges {
  func fieldLists() -> [FieldList] {
    var lists: [FieldList] = []
    for feature in adds + updates + incomplete.map(\.feature)
    where lists.last !== feature.attributes.fieldList {
      lists.append(feature.attributes.fieldList)
    }
    return lists
  }

  func rows(withShapes hasShapes: Bool) -> DeltaCursor<DeltaRow> {
    var rows: [DeltaRow] = incomplete.map { DeltaRow.incomplete($0) }
    for feature in adds { rows.append(.whole(feature)) }
    for feature in updates { rows.append(.whole(feature)) }
    return DeltaCursor(rows)
  }

  func files() -> DeltaCursor<GeodatabaseDelta.File> { DeltaCursor(addedFiles + updatedFiles) }

  func fileIDs() -> DeltaCursor<String> {
    DeltaCursor((addedFiles + updatedFiles).compactMap(\.attachment.globalID))
  }
}
