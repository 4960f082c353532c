internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON

/// Others' changes to a feature that was also changed here, in the parts that were not changed
/// here.
///
/// It is taken over where the edit made here holds, so that this does not undo theirs.
struct OthersChanges {
  private(set) var values: [String: AttributeValue] = [:]
  private(set) var shape = GeometryChange.keep

  /// Whether there is nothing to take over.
  var isEmpty: Bool { values.isEmpty && shape == .keep }

  /// Compares the three states of a feature.
  ///
  /// - Parameters:
  ///   - theirs: What others have made of it.
  ///   - mine: What it is here.
  ///   - before: What it was before.
  ///   - table: Its table.
  init(_ theirs: Feature, mine: Feature, before: JSONText, in table: EditedTable) {
    // Both as documents, so that nothing counts as changed by being written and read.
    let (own, old) = (JSONText(mine, in: table).json, before.json)
    let fields = [table.schema.objectIDField, table.schema.globalIDField].compactMap(\.self)
    for field in table.schema.fields
    where !fields.contains(field.name) && table.storage.column(named: field.name) != nil {
      let (attributes, others) = (own["attributes"], old["attributes"])
      guard attributes?[field.name] == others?[field.name],
        let value = theirs.attributes[field.name], value != mine.attributes[field.name] ?? .null
      else { continue }
      values[field.name] = value
    }
    guard table.storage.geometry != nil, own["geometry"] == old["geometry"],
      theirs.geometry != mine.geometry
    else { return }
    shape = theirs.geometry.map { .set($0) } ?? .remove
  }
}
