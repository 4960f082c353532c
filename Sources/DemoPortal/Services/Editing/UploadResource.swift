internal import Foundation
internal import PortolanJSON

extension HostedFeatureService {
  /// Takes a whole file, `uploads/upload`.
  func upload(_ request: DemoRequest) throws(DemoFailure) -> JSONValue {
    guard let part = request.parts.first else { throw .badRequest("'file' is missing.") }
    var upload = newUpload(part.fileName, request)
    upload.data = part.body
    try keep(upload)
    return ["success": true, "item": upload.json]
  }

  /// Announces a file that comes in parts, `uploads/register`.
  func registerUpload(_ request: DemoRequest) throws(DemoFailure) -> JSONValue {
    let upload = newUpload(request.parameters["itemName"] ?? "upload", request)
    try keep(upload)
    return ["success": true, "item": upload.json]
  }

  /// Takes a part, `uploads/{id}/uploadPart`.
  func uploadPart(_ request: DemoRequest) throws(DemoFailure) -> JSONValue {
    var upload = try upload(request.capture("upload"))
    guard let number = request.parameters.int("partId") ?? request.parameters.int("partNum"),
      let part = request.parts.first
    else { throw .badRequest("'partId' or 'file' is missing.") }
    upload.parts[number] = part.body
    try keep(upload)
    return ["success": true, "partId": .integer(Int64(number))]
  }

  /// Joins the parts, `uploads/{id}/commit`.
  func commitUpload(_ request: DemoRequest) throws(DemoFailure) -> JSONValue {
    var upload = try upload(request.capture("upload"))
    upload.data = upload.joined
    upload.parts = [:]
    try keep(upload)
    return ["success": true, "item": upload.json]
  }

  /// The upload of an id, `uploads/{id}`.
  func upload(_ id: String) throws(DemoFailure) -> Upload {
    guard let upload = shelf.uploads[id] else { throw .badRequest("There is no upload \(id).") }
    return upload
  }

  /// Forgets an upload, `uploads/{id}/delete`.
  func deleteUpload(_ id: String) throws(DemoFailure) -> JSONValue {
    guard shelf.remove(id) else { throw .badRequest("There is no upload \(id).") }
    return ["success": true]
  }

  private func newUpload(_ name: String, _ request: DemoRequest) -> Upload {
    Upload(
      id: "i" + identifiers.nextID(), name: name,
      description: request.parameters["description"] ?? "", moment: clock.now())
  }

  private func keep(_ upload: Upload) throws(DemoFailure) {
    guard shelf.keep(upload) else {
      throw DemoFailure(code: 413, "Unable to complete operation.", details: ["It is too large."])
    }
  }
}
