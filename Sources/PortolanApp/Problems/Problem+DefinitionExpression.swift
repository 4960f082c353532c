internal import PortolanFeatures

extension Problem {
  /// That the condition which a map has for one of its layers cannot be applied, so that nothing that
  /// a query asks of the layer can be answered; `nil` for other errors.
  init?(definitionExpression error: any Error) {
    let reason: String
    switch error {
    case FeatureStoreError.badWhereClause(let fault, let offset):
      reason = "it is wrong at character \(offset + 1): \(fault)."
    case FeatureStoreError.noSuchField(let name, let table):
      reason = "the table \"\(table)\" has no field \"\(name)\"."
    default: return nil
    }
    self.init(
      .malformed,
      message: "The condition that the map has for the layer cannot be applied: \(reason)",
      suggestion: "Tell the owner of the map.")
  }
}
