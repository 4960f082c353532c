internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap
internal import PortolanPackages
internal import PortolanSample

/// The part of the sample inside a box, as files.
struct RegionalPackage: Sendable {
  let contents: SampleContents
  /// The name of the files, without extension.
  let name: String
  let title: String
  let summary: String
  /// In degrees.
  let box: Envelope
  let id: DemoIdentifiers

  /// Writes a mobile map package with one map, without a basemap.
  @concurrent
  func writeArchive(to url: URL) async throws {
    let folder = url.deletingLastPathComponent().appending(path: "\(name).parts")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // Leftovers are removed with the folder of the portal's files.
    defer { try? FileManager.default.removeItem(at: folder) }
    let geodatabase = folder.appending(path: "\(name).geodatabase")
    try writeGeodatabase(to: geodatabase)
    let picture = try contents.backdropPNG(
      of: ProjectedExtent(box).fitting(width: 200, height: 133), width: 200, height: 133)
    var writer = MobileMapPackageWriter(
      MobileMapPackageDescription(
        name: name, title: title, summary: summary, accessInformation: DemoContent.itemCredits,
        tags: ["Maine"], guid: uuid("package"),
        created: DemoContent.moment, extent: box, thumbnail: picture))
    writer.maps = [try map(thumbnail: picture)]
    writer.files = [geodatabase]
    try writer.writeArchive(to: url)
  }

  /// Writes the tables, registered as `replica` if there is one.
  func writeGeodatabase(to url: URL, replica: SyncReplica? = nil) throws {
    let extent = try ProjectedExtent(box).metres
    let definition = GeodatabaseDefinition(
      name: title, summary: summary,
      capabilities: replica == nil ? "Query" : "Create,Delete,Query,Update,Editing,Sync",
      tables: contents.tables.map { table in
        var schema = table.schema
        schema.isChangeTracked = replica != nil
        return GeodatabaseDefinition.Table(
          schema, drawingInfo: table.drawingInfo, copyrightText: DemoContent.credits)
      }, syncReplica: replica)
    var count = 0
    let writer = try GeodatabaseWriter(at: url, definition, now: DemoContent.moment) {
      count += 1
      return uuid("geodatabase/\(count)")
    }
    for table in contents.tables {
      for row in table.rows where row.feature.geometry?.extent.map(extent.intersects) ?? true {
        try writer.append(row.feature, to: table.schema.name, attachments: row.attachments)
      }
      try Task.checkCancellation()
    }
    try writer.finish()
  }

  private func map(thumbnail: Data) throws -> NewMobileMap {
    let document = contents.maps.first { $0.name == "explore_maine" }?.webMap.json ?? [:]
    var map = relocated(.object(document)).object ?? [:]
    map["baseMap"] = ["title": "None", "baseMapLayers": []]
    return NewMobileMap(
      name: "map", title: title, summary: summary, id: uuid("map"), extent: box,
      thumbnail: thumbnail, webMap: try WebMap(json: .object(map)))
  }

  /// `value` with paths that lead into this package's geodatabase.
  private func relocated(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let elements): .array(elements.map(relocated))
    case .object(let object):
      .object(
        JSONObject(
          object.members.map {
            JSONObject.Member(name: $0.name, value: relocated($0.value))
          }))
    case .string(let text):
      .string(text.replacing("./explore-maine.geodatabase", with: "./\(name).geodatabase"))
    case .null, .bool, .integer, .number: value
    }
  }

  private func uuid(_ part: String) -> UUID { id.uuid("\(name)/\(part)") }
}
