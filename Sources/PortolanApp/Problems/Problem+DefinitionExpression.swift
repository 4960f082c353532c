internal import PortolanFeatures

extension Problem {
  /// The problem that the condition which a map sets on one of its layers cannot be applied, so
  /// that no query of the layer can be answered; `nil` for other errors.
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
