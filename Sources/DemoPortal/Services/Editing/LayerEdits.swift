internal import Foundation
internal import PortolanJSON

/// Edits to one layer, as clients send them.
struct LayerEdits: Sendable {
  /// A file in an edit, by JSON.
  struct File: Sendable {
    var globalID: String?
    var parentGlobalID: String?
    var name: String
    var contentType: String
    var data: Data?
    var uploadID: String?
  }

  var layerID: Int
  var adds: [JSONValue] = []
  var updates: [JSONValue] = []
  /// Object ids or global ids.
  var deletes: [JSONValue] = []
  var addedFiles: [File] = []
  var updatedFiles: [File] = []
  var deletedFiles: [String] = []

  /// Creates a list without edits.
  init(layerID: Int) { self.layerID = layerID }

  /// Reads the parameters of a layer's `applyEdits`, or of `addFeatures` and its siblings.
  init(_ parameters: DemoParameters, layerID: Int) throws(DemoFailure) {
    self.layerID = layerID
    adds = try Self.list(parameters, "adds")
    updates = try Self.list(parameters, "updates")
    deletes = try Self.ids(parameters["deletes"], "deletes")
    if let files = try parameters.json("attachments") { read(files) }
  }

  /// Reads an entry of a service's `applyEdits`.
  init(json: JSONValue) throws(DemoFailure) {
    guard let id = json["id"]?.int else { throw .badRequest("'edits' has no 'id'.") }
    layerID = id
    adds = json["adds"]?.array ?? []
    updates = json["updates"]?.array ?? []
    deletes = json["deletes"]?.array ?? []
    if let files = json["attachments"] { read(files) }
  }

  /// Reads an entry of the edits of a replica, with its features one level deeper.
  init(replicaJSON json: JSONValue) throws(DemoFailure) {
    guard let id = json["id"]?.int ?? json["layerId"]?.int else {
      throw .badRequest("'edits' has no 'id'.")
    }
    layerID = id
    let features = json["features"] ?? json
    adds = features["adds"]?.array ?? []
    updates = features["updates"]?.array ?? []
    deletes = features["deletes"]?.array ?? features["deleteIds"]?.array ?? []
    if let files = json["attachments"] { read(files) }
  }

  /// The number of edits.
  var count: Int {
    adds.count + updates.count + deletes.count + addedFiles.count + updatedFiles.count
      + deletedFiles.count
  }

  private mutating func read(_ files: JSONValue) {
    addedFiles = (files["adds"]?.array ?? []).map(File.init)
    updatedFiles = (files["updates"]?.array ?? []).map(File.init)
    let deletes = files["deletes"]?.array ?? files["deleteIds"]?.array ?? []
    deletedFiles = deletes.compactMap {
      $0.string ?? $0.object?.value(ignoringCase: "globalId")?.string
    }
  }

  /// An array of JSON; a single object counts as one of it.
  static func list(
    _ parameters: DemoParameters, _ name: String
  ) throws(DemoFailure) -> [JSONValue] {
    guard let json = try parameters.json(name) else { return [] }
    return json.array ?? [json]
  }

  /// Ids between commas, or an array of ids in JSON.
  static func ids(_ text: String?, _ name: String) throws(DemoFailure) -> [JSONValue] {
    guard let text else { return [] }
    if text.trimmingPrefix(while: \.isWhitespace).hasPrefix("[") {
      do { return try JSONValue(parsing: text).array ?? [] } catch {
        throw .badRequest("'\(name)' is no list of ids.")
      }
    }
    return text.split(separator: ",").map(\.trimmedOfBlanks).map { id in
      Int64(id).map { .integer($0) } ?? .string(id)
    }
  }
}

extension LayerEdits.File {
  init(_ json: JSONValue) {
    func text(_ name: String) -> String? { json.object?.value(ignoringCase: name)?.string }
    globalID = text("globalId")
    parentGlobalID = text("parentGlobalId")
    name = text("name") ?? "attachment"
    contentType = text("contentType") ?? "application/octet-stream"
    data = text("data").flatMap {
      Data(base64Encoded: $0, options: .ignoreUnknownCharacters)
    }
    uploadID = text("uploadId")
  }
}
