package import Foundation
package import PortolanFeatures
package import PortolanGeometry
package import PortolanJSON
package import PortolanMap
internal import PortolanPackages

/// The contents of the sample, for programs that show them in another form than as a package.
package struct SampleContents: Sendable {
  /// A table with its rows, and how they are drawn.
  package struct Table: Sendable {
    /// What the table is.
    package let schema: FeatureTableSchema
    /// The renderer and labels of its layer, as in a layer resource.
    package let drawingInfo: JSONValue?
    /// The rows, numbered from 1.
    package let rows: [Row]
  }

  /// A row with what is attached to it.
  package struct Row: Sendable {
    /// The row.
    package let feature: Feature
    /// The files that belong to it.
    package let attachments: [NewAttachment]
  }

  /// A map of the sample.
  package struct Map: Sendable {
    /// The name of its file, without extension.
    package let name: String
    /// The title for people.
    package let title: String
    /// One or two sentences on what it shows.
    package let summary: String
    /// The web map; the paths of its layers lead into the sample's package.
    package let webMap: WebMap
  }

  /// The tables, in the order of their ids.
  package let tables: [Table]
  /// The maps, in order.
  package let maps: [Map]
  /// The extent of the backdrop, in metres of the Web Mercator.
  package let backdropExtent: Envelope
  /// The extent of the maps, in degrees.
  package let geographicExtent = ExploreMaine.extent
  private let backdrop: Backdrop

  /// Reads the sources that are beside the program.
  ///
  /// - Throws: ``SampleError`` if they are missing or damaged.
  package init() throws { try self.init(SampleSources()) }

  init(_ sources: SampleSources) throws {
    maps = try SampleMaps(sources).maps(thumbnail: Data()).map {
      Map(name: $0.name, title: $0.title, summary: $0.summary, webMap: $0.webMap)
    }
    let layers = maps.flatMap(\.webMap.allLayers)
    tables = try SampleTable.all.map { table in
      Table(
        schema: table.schema,
        drawingInfo: Self.drawingInfo(of: table.schema.serviceLayerID, in: layers),
        rows: try sources.records(table.source).enumerated().map { index, record in
          Row(
            feature: Self.feature(of: table, record, objectID: Int64(index + 1)),
            attachments: table.schema.hasAttachments ? try Self.attachments(of: record) : [])
        })
    }
    backdropExtent = try sources.projected(ExploreMaine.surroundings)
    backdrop = try Backdrop(sources)
  }

  /// A picture of an extent in metres of the Web Mercator, as PNG.
  package func backdropPNG(of ground: Envelope, width: Int, height: Int) throws -> Data {
    try backdrop.pngData(of: ground, width: width, height: height)
  }

  /// As the first of the table's layers that says how.
  private static func drawingInfo(of itemID: Int?, in layers: [Layer]) -> JSONValue? {
    layers.lazy.filter { $0.path?.itemID == itemID }
      .map(\.layerDefinition.drawingInfo.json).first { !$0.isEmpty }.map { .object($0) }
  }

  private static func feature(
    of table: SampleTable, _ record: SampleSources.Record, objectID: Int64
  ) -> Feature {
    let schema = table.schema
    var attributes = Attributes(FieldList(schema.fields))
    for field in schema.fields {
      attributes[field.name] = record.properties[field.name].map {
        AttributeValue(json: $0, as: field.type)
      }
    }
    attributes[schema.objectIDField] = .integer(objectID)
    attributes["GlobalID"] = .text(SampleID.globalID("\(schema.name)/\(record.key)"))
    attributes["LIGHTHOUSE_ID"] = .text(SampleID.globalID("Lighthouses/\(record.name)"))
    return Feature(objectID: objectID, attributes: attributes, geometry: record.geometry)
  }

  /// A picture of the tower, and a note on it.
  private static func attachments(of record: SampleSources.Record) throws -> [NewAttachment] {
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

  /// What distinguishes the record from the others of its source.
  fileprivate var key: String {
    ["NAME", "EVENT"].compactMap { properties[$0]?.string }.joined(separator: "/")
  }
}
