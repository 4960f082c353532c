internal import Foundation
internal import PortolanApp
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanTiles

extension Inspection {
  /// The output of `inspect` as text.
  var text: TextDocument {
    var blocks: [TextDocument.Block] = [.heading(heading)]
    if let title, title != heading { blocks.append(.line(title)) }
    if let extent { blocks.append(.line("Covers \(extent.text(decimals: 4))")) }
    for map in maps { blocks += map.blocks }
    if !tables.isEmpty {
      blocks += [.blank, .heading("Feature tables"), .table(tableOfTables)]
      blocks += [.blank, .heading("Fields")]
      blocks += tables.map { .paragraph($0.schema.fieldsText, indent: 2) }
    }
    for tileSet in tileSets { blocks += tileSet.blocks }
    if !warnings.isEmpty { blocks += [.blank, .heading("Note")] }
    blocks += warnings.map { .paragraph($0, indent: 2) }
    if !unreadableParts.isEmpty { blocks += [.blank, .heading("Cannot be read")] }
    blocks += unreadableParts.map { .paragraph($0, indent: 2) }
    return TextDocument(blocks)
  }

  private var heading: String {
    [kindTitle, version.map { "version \($0)" }, size.map(ByteCount.text)].compactMap(\.self)
      .joined(separator: ", ")
  }

  private var tableOfTables: TextTable {
    let hasFiles = tables.contains { $0.file != nil }
    var columns: [TextTable.Column] = [
      .init("name"), .init("shape"), .init("wkid", .right), .init("features", .right),
      .init("extent"),
    ]
    if hasFiles { columns.append(.init("file")) }
    let rows = tables.map { table in
      [
        table.schema.name, table.schema.shapeText,
        table.schema.spatialReference?.currentWKID.map { "\($0)" } ?? "", "\(table.count)",
        table.extent?.text ?? "",
      ] + (hasFiles ? [table.file ?? ""] : [])
    }
    return TextTable(columns, rows: rows)
  }
}

extension Inspection.Map {
  fileprivate var blocks: [TextDocument.Block] {
    let bookmarks =
      switch bookmarkCount {
      case 0: ""
      case 1: ", 1 bookmark"
      default: ", \(bookmarkCount) bookmarks"
      }
    let rows = layers.map { layer in
      [
        String(repeating: "  ", count: layer.depth) + layer.title, layer.type,
        layer.problem ?? layer.source ?? "",
      ]
    }
    let name = title == self.name ? "\"\(title)\"" : "\"\(title)\" (\(self.name))"
    return [
      .blank, .heading("Map \(name)\(bookmarks)"),
      .table(TextTable([.init("layer"), .init("type"), .init("source")], rows: rows)),
    ]
  }
}

extension Inspection.TileSet {
  fileprivate var blocks: [TextDocument.Block] {
    let kind = isVector ? "Vector tiles" : "Tiles"
    let place = file.map { " in \($0)" } ?? ""
    let size = "\(info.scheme.tileWidth) × \(info.scheme.tileHeight)"
    let wkid = info.scheme.spatialReference.currentWKID.map { ", wkid \($0)" } ?? ""
    let rows = counts.sorted { $0.key < $1.key }.map { level, count in
      [
        "\(level)", "\(count)",
        info.scheme.level(level).map { "1:" + DecimalText.text($0.scale, decimals: 0) } ?? "",
      ]
    }
    let levels: [TextDocument.Block] = [
      .blank, .heading("\(kind) \"\(info.name)\"\(place)"),
      .line("\(info.declaredFormat), \(size)\(wkid)"),
      .table(
        TextTable(
          [.init("level", .right), .init("tiles", .right), .init("scale", .right)], rows: rows)),
    ]
    return levels + layerBlocks
  }

  /// The layers in vector tiles; none where they are not listed.
  private var layerBlocks: [TextDocument.Block] {
    guard !layers.isEmpty else { return [] }
    let rows = layers.map { layer in
      [
        layer.name, layer.geometry ?? "", layer.count.map { "\($0)" } ?? "",
        layer.levels.map(TileRegionText.levels) ?? "", layer.summary ?? "",
      ]
    }
    let titles: [TextTable.Column] = [
      .init("layer"), .init("shape"), .init("features", .right), .init("levels"),
      .init("description"),
    ]
    // Columns of which no layer says anything are left out.
    let told = titles.indices.filter { column in rows.contains { !$0[column].isEmpty } }
    let table = TextTable(told.map { titles[$0] }, rows: rows.map { row in told.map { row[$0] } })
    let fields = layers.filter { !$0.fields.isEmpty }.map { layer in
      let fields = layer.fields.map { field in
        field.type.isEmpty ? field.name : "\(field.name) (\(field.type.lowercased()))"
      }
      return TextDocument.Block.paragraph(
        "\(layer.name): \(fields.joined(separator: ", "))", indent: 2)
    }
    let heading: [TextDocument.Block] =
      fields.isEmpty ? [] : [.blank, .heading("Fields of \"\(info.name)\"")]
    let list: [TextDocument.Block] = [
      .blank, .heading("Layers of \"\(info.name)\""), .table(table),
    ]
    return list + heading + fields
  }
}

extension FeatureTableSchema {
  /// The fields with their types and, where they differ, the labels for people.
  fileprivate var fieldsText: String {
    let fields = fields.map { field in
      let label = field.alias == field.name ? "" : " \"\(field.alias)\""
      let length = field.type == .string ? field.length.map { " \($0)" } : nil
      return "\(field.name)\(label) (\(field.type.word)\(length ?? ""))"
    }
    return "\(name): " + fields.joined(separator: ", ")
  }

  /// The kind of shape in a word.
  fileprivate var shapeText: String {
    let shape =
      switch geometryType {
      case _ where mayMixShapes: "any shape"
      case .point: "point"
      case .multipoint: "multipoint"
      case .polyline: "line"
      case .polygon: "area"
      case .envelope: "box"
      case nil: "table"
      }
    return shape + (hasZ ? " Z" : "") + (hasM ? " M" : "")
  }
}

extension Envelope {
  /// The edges in the order of `--bbox`, rounded: degrees need decimals that metres do not.
  fileprivate var text: String {
    let isSmall = [xMin, yMin, xMax, yMax].allSatisfy { abs($0) < 1_000 }
    return text(decimals: isSmall ? 5 : 1)
  }

  /// The edges, to some ten metres where the coordinates are degrees.
  fileprivate func text(decimals: Int) -> String {
    [xMin, yMin, xMax, yMax].map { DecimalText.text($0, decimals: decimals) }
      .joined(separator: ",")
  }
}

extension FieldType {
  /// The type in a word or two.
  fileprivate var word: String {
    switch self {
    case .objectID: "object id"
    case .smallInteger, .integer, .bigInteger: "integer"
    case .single, .double: "number"
    case .string: "text"
    case .date: "date"
    case .dateOnly: "day"
    case .timeOnly: "time"
    case .timestampOffset: "date with offset"
    case .geometry: "shape"
    case .blob: "bytes"
    case .raster: "raster"
    case .guid: "GUID"
    case .globalID: "global id"
    case .xml: "XML"
    }
  }
}
