internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanJSON
internal import PortolanMap

/// Writes the tables of the sample into one geodatabase.
struct SampleGeodatabase {
  let sources: SampleSources
  /// The moment that the file says it was made.
  let moment: Date

  /// Writes the file; each table is drawn as the first of its layers in `maps` that says how.
  func write(to url: URL, drawnAsIn maps: [WebMap]) throws {
    let layers = maps.flatMap(\.allLayers)
    let definition = GeodatabaseDefinition(
      name: "Explore Maine",
      summary: "Towns, lighthouses, parks, lakes, trails and counties of Maine",
      tables: SampleTable.all.map { table in
        GeodatabaseDefinition.Table(
          table.schema, drawingInfo: Self.drawingInfo(of: table.schema.serviceLayerID, in: layers))
      })
    var count = 0
    let writer = try GeodatabaseWriter(at: url, definition, now: moment) {
      count += 1
      return SampleID.uuid("item/\(count)")
    }
    for table in SampleTable.all {
      for record in try sources.records(table.source) {
        try writer.append(
          feature(of: table, record), to: table.schema.name,
          attachments: table.schema.hasAttachments ? attachments(of: record) : [])
      }
    }
    try writer.finish()
  }

  private static func drawingInfo(of itemID: Int?, in layers: [Layer]) -> JSONValue? {
    layers.lazy.filter { $0.path?.itemID == itemID }
      .map(\.layerDefinition.drawingInfo.json).first { !$0.isEmpty }.map { .object($0) }
  }

  private func feature(of table: SampleTable, _ record: SampleSources.Record) -> Feature {
    let schema = table.schema
    var attributes = Attributes(FieldList(schema.fields))
    for field in schema.fields {
      attributes[field.name] = record.properties[field.name].map {
        AttributeValue(json: $0, as: field.type)
      }
    }
    attributes["GlobalID"] = .text(SampleID.globalID("\(schema.name)/\(record.key)"))
    attributes["LIGHTHOUSE_ID"] = .text(SampleID.globalID("Lighthouses/\(record.name)"))
    return Feature(objectID: 0, attributes: attributes, geometry: record.geometry)
  }

  /// A picture of the tower, and a note on it.
  private func attachments(of record: SampleSources.Record) throws -> [NewAttachment] {
    let daymark = Daymark(record.properties)
    let name = record.name
    let file = name.lowercased().replacing(" ", with: "-")
    return [
      NewAttachment(
        name: "\(file).png", contentType: "image/png", data: try daymark.pngData(),
        globalID: SampleID.globalID("picture/\(name)")),
      NewAttachment(
        name: "\(file).txt", contentType: "text/plain", data: Data(daymark.note.utf8),
        globalID: SampleID.globalID("note/\(name)")),
    ]
  }
}

extension SampleSources.Record {
  /// The name of the place.
  var name: String { properties["NAME"]?.string ?? "" }

  /// What tells the record from the others of its source.
  fileprivate var key: String {
    ["NAME", "EVENT"].compactMap { properties[$0]?.string }.joined(separator: "/")
  }
}
