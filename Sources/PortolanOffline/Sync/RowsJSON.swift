internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanPortal
internal import PortolanTransport

/// Reads rows of a layer, and their attachments, from the JSON of services.
///
/// - SeeAlso: Docs/REST.md, 3
struct RowsJSON {
  let schema: FeatureTableSchema
  /// Where attachments are of which only the address is given.
  let service: FeatureService
  /// Where attachments are kept that are large.
  let folder: URL
  private let fields: FieldList

  init(_ schema: FeatureTableSchema, of service: FeatureService, in folder: URL) {
    self.schema = schema
    self.service = service
    self.folder = folder
    fields = FieldList(schema.fields)
  }

  /// The rows of a list; those whose shapes cannot be read are put beside the others.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - incomplete: The others.
  ///   - needShapes: Whether rows that say nothing of their shapes are among those, since they have one
  ///     already.
  /// - Returns: The rows, with those fields that they name.
  func rows(
    _ list: JSONValue?, _ incomplete: inout [GeodatabaseDelta.IncompleteRow],
    needShapes: Bool = false
  ) -> [Feature] {
    var rows: [Feature] = []
    for entry in list?.array ?? [] {
      var row = Feature(objectID: 0, attributes: attributes(entry["attributes"]))
      if case .integer(let id)? = row.attributes[schema.objectIDField] { row.objectID = id }
      guard schema.geometryType != nil, let shape = entry["geometry"], !shape.isNull else {
        if needShapes, schema.geometryType != nil, entry["geometry"] == nil {
          incomplete.append(
            GeodatabaseDelta.IncompleteRow(row, reason: "the service has left it out"))
        } else {
          rows.append(row)
        }
        continue
      }
      do throws(GeometryError) {
        row.geometry = try Geometry(esriJSON: shape, hasZ: schema.hasZ, hasM: schema.hasM)
        rows.append(row)
      } catch {
        incomplete.append(
          GeodatabaseDelta.IncompleteRow(row, reason: error.errorDescription ?? "it is no shape"))
      }
    }
    return rows
  }

  /// The names of fields that rows have and the layer does not.
  func unknownFields(in lists: [JSONValue?]) -> [String] {
    var names: Set<String> = []
    for entry in lists.flatMap({ $0?.array ?? [] }) {
      for name in entry["attributes"]?.object?.names ?? []
      where fields.position(of: name) == nil && !Field(name, .string).isLeftToService(in: schema) {
        names.insert(name)
      }
    }
    return names.sorted()
  }

  /// The global id of a row; empty where its table has none, `nil` where the row has none.
  func globalID(of row: Feature) -> String? {
    guard let field = schema.globalIDField else { return "" }
    guard case .text(let id)? = row.attributes[field], !id.isEmpty else { return nil }
    return id
  }

  private func attributes(_ json: JSONValue?) -> Attributes {
    // What is not named keeps its value where the row is known already.
    let names = Set((json?.object?.members ?? []).map { $0.name.lowercased() })
    let named = schema.fields.filter { names.contains($0.name.lowercased()) }
    var attributes = Attributes(
      esriJSON: json, fields: named.count == schema.fields.count ? fields : FieldList(named))
    // Services write global ids without braces here.
    for field in schema.fields where field.type == .globalID || field.type == .guid {
      guard case .text(let id)? = attributes[field.name] else { continue }
      attributes[field.name] = .text(id.withGUIDBraces)
    }
    return attributes
  }

  /// The attachments of a list, with their contents.
  ///
  /// Those without an id are passed over where the layer has no place for any: they could be neither stored
  /// nor named.
  ///
  /// - Throws: ``OfflineMapError/damaged(file:reason:)`` for one that does not say which it is, or has no
  ///   contents.
  func files(_ list: JSONValue?) async throws -> [GeodatabaseDelta.File] {
    var files: [GeodatabaseDelta.File] = []
    for entry in list?.array ?? [] {
      guard let json = entry.object, let id = entry.filledGlobalID,
        let parent = json.value(ignoringCase: "parentGlobalId")?.string
      else {
        guard schema.hasAttachments else { continue }
        throw damage("an attachment does not say which it is")
      }
      let attachment = NewAttachment(
        name: json["name"]?.string ?? "",
        contentType: json["contentType"]?.string ?? "application/octet-stream",
        data: try await contents(json), globalID: id.withGUIDBraces)
      let file = GeodatabaseDelta.File(attachment, parentGlobalID: parent.withGUIDBraces)
      files.append(file.onDisk(in: folder))
    }
    return files
  }

  private func contents(_ json: JSONObject) async throws -> Data {
    if let text = json["data"]?.string {
      guard let data = Data(base64Encoded: text) else {
        throw damage("an attachment cannot be decoded")
      }
      return data
    }
    guard let url = json["url"]?.string.flatMap({ service.address($0) }) else {
      throw damage("an attachment has no contents")
    }
    return try await service.client.attachment(
      at: url, named: json["name"]?.string ?? "", contentType: json["contentType"]?.string ?? "")
  }

  /// The global ids of a list of rows that were deleted.
  func ids(_ changes: JSONValue?) throws -> [String] {
    let list = ["deletes", "deleteIds"].flatMap { changes?[$0]?.array ?? [] }
    let ids = list.compactMap { $0.string ?? $0.object?.value(ignoringCase: "globalId")?.string }
    guard ids.count == list.count else {
      throw damage("a row that is gone does not say which it is")
    }
    return ids.map(\.withGUIDBraces)
  }

  private func damage(_ reason: String) -> OfflineMapError {
    .damaged(file: schema.name, reason: reason + ".")
  }
}
