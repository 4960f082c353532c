internal import Foundation
internal import PortolanFeatures
internal import PortolanJSON

/// The result of one edit.
struct EditOutcome: Sendable {
  var objectID: Int64?
  var globalID: String?
  /// The reason why it was not carried out.
  var failure: EditFailure?

  /// The entry in the answer.
  var json: JSONValue {
    var members: JSONObject = [:]
    members["objectId"] = objectID.map { .integer($0) }
    members["uniqueId"] = objectID.map { .integer($0) }
    members["globalId"] = globalID.map { .string(HostedValue.plain($0)) } ?? .null
    members["success"] = .bool(failure == nil)
    if let failure {
      members["error"] = [
        "code": .integer(Int64(failure.code)), "description": .string(failure.description),
      ]
    }
    return .object(members)
  }
}

/// The reason why an edit was not carried out, in the words of services.
struct EditFailure: Error, Hashable, Sendable {
  let code: Int
  let description: String

  /// Another edit of the group failed.
  static let rolledBack = EditFailure(code: 1003, description: "Operation rolled back.")

  /// There is no such row.
  static let noSuchRow = EditFailure(code: 1019, description: "Object not found.")

  init(code: Int = 1000, description: String) {
    self.code = code
    self.description = description
  }

  init(_ error: FeatureEditError) {
    switch error {
    case .noSuchRow, .noSuchAttachment: self = .noSuchRow
    default: self.init(description: error.localizedDescription)
    }
  }
}

/// The results of the edits of one layer.
struct LayerEditResults: Sendable {
  var layerID: Int
  var adds: [EditOutcome] = []
  var updates: [EditOutcome] = []
  var deletes: [EditOutcome] = []
  var addedFiles: [EditOutcome] = []
  var updatedFiles: [EditOutcome] = []
  var deletedFiles: [EditOutcome] = []

  /// Whether any of them was not carried out.
  var hasFailure: Bool {
    [adds, updates, deletes, addedFiles, updatedFiles, deletedFiles]
      .contains { $0.contains { $0.failure != nil } }
  }

  /// The same results when everything was rolled back.
  func rolledBack() -> LayerEditResults {
    func undone(_ outcomes: [EditOutcome], isNew: Bool = false) -> [EditOutcome] {
      outcomes.map { outcome in
        guard outcome.failure == nil else { return outcome }
        return EditOutcome(
          objectID: isNew ? nil : outcome.objectID, globalID: outcome.globalID,
          failure: .rolledBack)
      }
    }
    var results = LayerEditResults(layerID: layerID)
    results.adds = undone(adds, isNew: true)
    results.updates = undone(updates)
    results.deletes = undone(deletes)
    results.addedFiles = undone(addedFiles, isNew: true)
    results.updatedFiles = undone(updatedFiles)
    results.deletedFiles = undone(deletedFiles)
    return results
  }

  /// The answer to `applyEdits`, the results of files only where there are any.
  func json(moment: Int64?) -> JSONObject {
    var members: JSONObject = [
      "addResults": .array(adds.map(\.json)), "updateResults": .array(updates.map(\.json)),
      "deleteResults": .array(deletes.map(\.json)),
    ]
    if !(addedFiles.isEmpty && updatedFiles.isEmpty && deletedFiles.isEmpty) {
      members["attachments"] = [
        "addResults": .array(addedFiles.map(\.json)),
        "updateResults": .array(updatedFiles.map(\.json)),
        "deleteResults": .array(deletedFiles.map(\.json)),
      ]
    }
    members["editMoment"] = moment.map { .integer($0) }
    return members
  }
}
