internal import Foundation
internal import PortolanFeatures
internal import PortolanJSON

/// Answers `addAttachment`, `updateAttachment` and `deleteAttachments`.
struct AttachmentEdits: Sendable {
  let service: HostedFeatureService
  let table: HostedTable
  let request: DemoRequest

  func add() async throws(DemoFailure) -> JSONValue {
    let outcome = try await apply(
      .addAttachment(try await file(), to: .objectID(try objectID()), table: table.schema.name))
    return ["addAttachmentResult": outcome.json]
  }

  func update() async throws(DemoFailure) -> JSONValue {
    guard let id = request.parameters.int("attachmentId") else {
      throw .badRequest("'attachmentId' is missing.")
    }
    let outcome = try await apply(
      .updateAttachment(Int64(id), try await file(), table: table.schema.name))
    return ["updateAttachmentResult": outcome.json]
  }

  func delete() async throws(DemoFailure) -> JSONValue {
    var results: [JSONValue] = []
    for text in request.parameters.list("attachmentIds") {
      guard let id = Attachment.ID(text) else {
        throw .badRequest("'attachmentIds' is no list of ids.")
      }
      var outcome = try await apply(.deleteAttachment(id, table: table.schema.name))
      outcome.objectID = id
      results.append(outcome.json)
    }
    return ["deleteAttachmentResults": .array(results)]
  }

  private func apply(_ edit: FeatureEdit) async throws(DemoFailure) -> EditOutcome {
    try await service.apply(
      edit, keywords: request.parameters["keywords"], user: request.viewer.username)
  }

  private func objectID() throws(DemoFailure) -> Int64 {
    guard let id = Int64(request.capture("objectID")) else {
      throw .badRequest("The object id is no number.")
    }
    return id
  }

  /// The file in the form, or one that was uploaded before.
  private func file() async throws(DemoFailure) -> NewAttachment {
    if let part = request.parts.first(where: { $0.name.lowercased() == "attachment" })
      ?? request.parts.first
    {
      return NewAttachment(
        name: part.fileName, contentType: part.contentType ?? "application/octet-stream",
        data: part.body)
    }
    guard let id = request.parameters["uploadId"], let upload = await service.shelf.uploads[id],
      let data = upload.data
    else { throw .badRequest("'attachment' is missing.") }
    return NewAttachment(
      name: upload.name, contentType: "application/octet-stream", data: data)
  }
}
