internal import Foundation
internal import PortolanFeatures
internal import PortolanJSON
internal import PortolanTransport

extension ServiceGeodatabase {
  /// Attaches a file to a feature, replaces or removes one.
  func applyToAttachment(
    _ edit: FeatureEdit
  ) async throws(FeatureEditError) -> (FeatureEditResult, AppliedEdits) {
    let table = try table(edit.table)
    let schema = try schema(of: table)
    var place = EditPlace(table: schema.name)
    guard schema.hasAttachments else { throw .noAttachments(place) }
    guard EditingRights(table.table.info).canUpdate || EditingRights(table.table.info).canAdd else {
      throw .tableNotEditable(table: schema.name, reason: "its service allows no changes")
    }
    let request: AttachmentRequest
    switch edit {
    case .addAttachment(let file, let reference, _):
      let feature = try await feature(reference, in: table, at: &place)
      request = AttachmentRequest(
        table: table.table, objectID: feature.objectID, place: place, action: .add(file))
    case .updateAttachment(let id, let file, _):
      request = AttachmentRequest(
        table: table.table, objectID: try parent(of: id, in: table, place), place: place,
        action: .update(id, file))
    case .deleteAttachment(let id, _):
      request = AttachmentRequest(
        table: table.table, objectID: try parent(of: id, in: table, place), place: place,
        action: .delete(id))
    case .add, .update, .delete: throw .noSuchEdit(number: 0, place)
    }
    let id = try await request.send()
    store.note(attachment: id, of: request.objectID, in: table)
    let result = FeatureEditResult(
      table: schema.name, objectID: request.objectID, attachmentID: id)
    if case .add = request.action { return (result, .attached(table, request.objectID, id)) }
    return (result, .irrevocable(place))
  }

  private func parent(
    of id: Attachment.ID, in table: ServiceFeatureStore.Table, _ place: EditPlace
  ) throws(FeatureEditError) -> Int64 {
    guard let objectID = store.parent(of: id, in: table) else {
      throw .noSuchAttachment(id: id, place)
    }
    return objectID
  }
}

/// A request that attaches a file to a feature, replaces or removes one.
struct AttachmentRequest {
  /// The action on an attachment.
  enum Action {
    case add(NewAttachment)
    case update(Attachment.ID, NewAttachment)
    case delete(Attachment.ID)
  }

  let table: ServiceFeatureTable
  let objectID: Int64
  let place: EditPlace
  let action: Action

  /// Sends it.
  ///
  /// - Returns: The id of the attachment.
  /// - Throws: `FeatureEditError`.
  func send() async throws(FeatureEditError) -> Attachment.ID {
    let answer: JSONValue
    let listed: JSONValue?
    switch action {
    case .add(let file):
      answer = try await sendFile(file, "addAttachment", [:])
      listed = answer["addAttachmentResult"]
    case .update(let id, let file):
      answer = try await sendFile(file, "updateAttachment", ["attachmentId": "\(id)"])
      listed = answer["updateAttachmentResult"]
    case .delete(let id):
      answer = try await self.answer { () async throws(PortalError) in
        try await table.client.json(
          address("deleteAttachments"), ["attachmentIds": "\(id)"], method: .post)
      }
      listed = answer["deleteAttachmentResults"]?.array?.first
    }
    guard let entry = listed else {
      throw .unanswered(
        file: table.url.withoutSecrets, reason: "its answer says nothing of it")
    }
    let outcome = EditAnswer(entry)
    guard let isDone = outcome.isDone else {
      throw .unanswered(file: table.url.withoutSecrets, reason: outcome.doubt)
    }
    guard isDone else {
      throw .refused(
        file: table.url.withoutSecrets, reason: outcome.reason ?? "it does not say why", place)
    }
    switch action {
    case .add:
      guard let id = entry["objectId"]?.integer else {
        // Under a number of our own it could be neither found nor undone.
        throw .unanswered(
          file: table.url.withoutSecrets, reason: "it does not say which file it has attached")
      }
      return id
    case .update(let id, _), .delete(let id): return id
    }
  }

  private func address(_ operation: String) -> URL {
    table.url.appending(path: "\(objectID)/\(operation)")
  }

  private func sendFile(
    _ file: NewAttachment, _ operation: String, _ parameters: RESTParameters
  ) async throws(FeatureEditError) -> JSONValue {
    let form = MultipartForm(
      parameters: parameters,
      file: MultipartForm.File(
        field: "attachment", name: file.name, type: file.contentType, contents: file.data))
    let url = address(operation).appending(queryItems: [URLQueryItem(name: "f", value: "json")])
    return try await answer { () async throws(PortalError) in
      try await table.client.json(sending: form.request(to: url))
    }
  }

  private func answer(
    _ ask: () async throws(PortalError) -> JSONValue
  ) async throws(FeatureEditError) -> JSONValue {
    do throws(PortalError) { return try await ask() } catch {
      throw FeatureEditError(sending: table, error)
    }
  }
}
