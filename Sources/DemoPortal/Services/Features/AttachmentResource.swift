internal import Foundation
internal import PortolanFeatures
internal import PortolanJSON

/// Lists attachments and hands them out.
struct AttachmentResource: Sendable {
  let table: HostedTable
  let options: FeatureServiceOptions
  let now: Date

  /// The files of a row, `FeatureServer/0/{objectId}/attachments`.
  func list(of objectID: String) throws(DemoFailure) -> JSONValue {
    let row = try row(objectID)
    return [
      "attachmentInfos": .array(table.files(of: row.objectID).map { info($0, of: row, url: nil) })
    ]
  }

  /// A file's contents.
  func contents(_ id: String, of objectID: String) throws(DemoFailure) -> DemoResponse {
    let row = try row(objectID)
    guard let id = Attachment.ID(id),
      let file = table.files(of: row.objectID).first(where: { $0.id == id })
    else {
      throw DemoFailure(
        code: 404, "Unable to complete operation.", details: ["Attachment not found."])
    }
    return .download(
      .bytes(file.data), name: file.name, type: file.contentType,
      tag: "\(file.globalID)-\(file.changed)")
  }

  /// The files of many rows, `queryAttachments`.
  func query(_ parameters: DemoParameters, base: String) throws -> JSONValue {
    let rows = try self.rows(parameters)
    let addsURL = parameters.bool("returnUrl") ?? false
    let filter = FileFilter(parameters)
    let groups = rows.compactMap { row -> JSONValue? in
      let files = table.files(of: row.objectID).filter(filter.accepts)
      guard !files.isEmpty else { return nil }
      return [
        "parentObjectId": .integer(row.objectID),
        "parentGlobalId": .string(table.globalID(of: row).map(HostedValue.plain) ?? ""),
        "attachmentInfos": .array(
          files.map { file in
            info(
              file, of: row,
              url: addsURL ? "\(base)/\(row.objectID)/attachments/\(file.id)" : nil)
          }),
      ]
    }
    return ["fields": .array(Self.fields), "attachmentGroups": .array(groups)]
  }

  private func row(_ objectID: String) throws(DemoFailure) -> Feature {
    guard let row = Int64(objectID).flatMap(table.row) else {
      throw DemoFailure(code: 404, "Unable to complete operation.", details: ["Feature not found."])
    }
    return row.feature
  }

  private func rows(_ parameters: DemoParameters) throws -> [Feature] {
    var pairs = [(name: "where", value: parameters["definitionExpression"] ?? "1=1")]
    if let ids = parameters["objectIds"] { pairs.append(("objectIds", ids)) }
    let query = try FeatureQuery(DemoParameters(pairs), of: table, in: options)
    let found = try query.selected(from: table, now: now)
    guard parameters["globalIds"] != nil else { return found }
    let wanted = Set(
      parameters.list("globalIds").map {
        HostedValue.plain($0.trimmingCharacters(in: ["'", "\""]))
      })
    return found.filter { row in
      table.globalID(of: row).map { wanted.contains(HostedValue.plain($0)) } ?? false
    }
  }

  private func info(_ file: HostedTable.File, of row: Feature, url: String?) -> JSONValue {
    var members: JSONObject = [
      "id": .integer(file.id), "globalId": .string(HostedValue.plain(file.globalID)),
    ]
    members["parentGlobalId"] = table.globalID(of: row).map { .string(HostedValue.plain($0)) }
    members["name"] = .string(file.name)
    members["contentType"] = .string(file.contentType)
    members["size"] = .integer(Int64(file.data.count))
    members["keywords"] = .string(file.keywords)
    members["exifInfo"] = .null
    members["url"] = url.map { .string($0) }
    return .object(members)
  }

  private static let fields: [JSONValue] = [
    ("id", "attachmentid", FieldType.objectID), ("globalId", "globalid", .globalID),
    ("name", "att_name", .string), ("contentType", "content_type", .string),
    ("size", "data_size", .integer), ("keywords", "keywords", .string),
  ].map { name, column, type in
    ["name": .string(name), "fieldName": .string(column), "type": .string(type.rawValue)]
  }
}

/// The conditions of `queryAttachments`.
private struct FileFilter {
  private let types: [String]
  private let keywords: [String]
  private let least: Int?
  private let most: Int?

  init(_ parameters: DemoParameters) {
    types = parameters.list("attachmentTypes").map { $0.lowercased() }
    keywords = parameters.list("keywords").map { $0.lowercased() }
    let sizes = parameters.list("size").map { Int($0) }
    least = sizes.first ?? nil
    most = sizes.count > 1 ? sizes[1] : nil
  }

  func accepts(_ file: HostedTable.File) -> Bool {
    let type = file.contentType.lowercased()
    let words = file.keywords.lowercased().split(separator: ",").map(\.trimmedOfBlanks)
    return (types.isEmpty || types.contains { type == $0 || type.hasPrefix($0 + "/") })
      && (keywords.isEmpty || keywords.contains(where: words.contains))
      && (least.map { file.data.count >= $0 } ?? true)
      && (most.map { file.data.count <= $0 } ?? true)
  }
}
