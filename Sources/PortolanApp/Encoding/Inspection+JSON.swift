internal import PortolanFeatures
internal import PortolanGeometry
public import PortolanJSON
internal import PortolanPackages
internal import PortolanTiles

extension Inspection {
  /// The content of a file, as JSON output holds it.
  public var json: JSONValue {
    var members: JSONObject = ["kind": .string(kind.rawValue)]
    members["version"] = version.map(JSONValue.string) ?? .null
    members["title"] = title.map(JSONValue.string)
    members["size"] = size.map { .integer(Int64($0)) }
    members["extent"] = extent.map { JSONValue(orNull: $0) }
    members["maps"] = .array(maps.map(\.json))
    members["layers"] = .array(tables.map(\.json))
    members["tiles"] = .array(tileSets.flatMap(\.levelsJSON))
    members["tileSets"] = .array(tileSets.map(\.json))
    members["warnings"] = .array(warnings.map(JSONValue.string))
    if !unreadableParts.isEmpty {
      members["unreadable"] = .array(unreadableParts.map(JSONValue.string))
    }
    return .object(members)
  }
}

extension Inspection.Map {
  fileprivate var json: JSONValue {
    [
      "name": .string(name), "title": .string(title), "bookmarks": .integer(Int64(bookmarkCount)),
      "layers": .array(layers.map(\.json)),
    ]
  }
}

extension Inspection.MapLayer {
  fileprivate var json: JSONValue {
    var members: JSONObject = [
      "id": .string(id), "title": .string(title), "type": .string(type),
      "depth": .integer(Int64(depth)),
    ]
    members["source"] = source.map(JSONValue.string)
    members["problem"] = problem.map(JSONValue.string)
    return .object(members)
  }
}

extension Inspection.Table {
  fileprivate var json: JSONValue {
    var members: JSONObject = ["name": .string(schema.name)]
    if schema.alias != schema.name { members["alias"] = .string(schema.alias) }
    members["file"] = file.map(JSONValue.string)
    members["geometryType"] = schema.geometryType.map { .string($0.rawValue) } ?? .null
    if schema.mayMixShapes { members["mayMixShapes"] = true }
    members["wkid"] = schema.spatialReference?.currentWKID.map { .integer(Int64($0)) } ?? .null
    members["count"] = .integer(Int64(count))
    members["extent"] = JSONValue(orNull: extent)
    members["hasZ"] = .bool(schema.hasZ)
    members["hasM"] = .bool(schema.hasM)
    members["hasAttachments"] = .bool(schema.hasAttachments)
    members["fields"] = .array(
      schema.fields.map { field in
        [
          "name": .string(field.name), "alias": .string(field.alias),
          "type": .string(field.type.rawValue),
        ]
      })
    members["relationships"] = .array(
      schema.relationships.map { relationship in
        ["name": .string(relationship.name), "table": .string(relationship.relatedTable)]
      })
    return .object(members)
  }
}

extension Inspection.TileSet {
  /// The levels that have tiles, coarsest first.
  fileprivate var levelsJSON: [JSONValue] {
    counts.sorted { $0.key < $1.key }.map { level, count in
      var members: JSONObject = ["level": .integer(Int64(level)), "count": .integer(Int64(count))]
      members["file"] = file.map(JSONValue.string)
      return .object(members)
    }
  }

  fileprivate var json: JSONValue {
    var members: JSONObject = [:]
    members["file"] = file.map(JSONValue.string)
    members["name"] = .string(info.name)
    members["vector"] = .bool(isVector)
    members["format"] = .string(info.declaredFormat)
    members["wkid"] =
      info.scheme.spatialReference.currentWKID.map { .integer(Int64($0)) } ?? .null
    members["tileSize"] = [
      .integer(Int64(info.scheme.tileWidth)), .integer(Int64(info.scheme.tileHeight)),
    ]
    members["extent"] = JSONValue(orNull: info.fullExtent)
    members["attribution"] = info.attribution.map(JSONValue.string)
    if isVector { members["layers"] = .array(layers.map(\.json)) }
    return .object(members)
  }
}

extension SourceLayer {
  fileprivate var json: JSONValue {
    var members: JSONObject = ["name": .string(name)]
    members["description"] = summary.map(JSONValue.string)
    members["geometry"] = geometry.map(JSONValue.string)
    members["count"] = count.map { .integer(Int64($0)) }
    members["levels"] = levels.map {
      [.integer(Int64($0.lowerBound)), .integer(Int64($0.upperBound))]
    }
    members["fields"] = .array(
      fields.map { ["name": .string($0.name), "type": .string($0.type)] })
    return .object(members)
  }
}

extension PackageListing {
  /// The packages, as the documents of shells hold them.
  ///
  /// - Parameter path: Where they were looked for.
  /// - Returns: The document of this folder.
  public func json(of path: String) -> JSONValue {
    [
      "path": .string(path), "packages": .array(entries.map(\.json)),
      "others": JSONValue(orNull: otherCount),
    ]
  }
}

extension PackageListing.Entry {
  fileprivate var json: JSONValue {
    var members: JSONObject = ["name": .string(name), "size": JSONValue(orNull: size)]
    members["damage"] = damage.map(JSONValue.string)
    for member in contents?.members.members ?? [] { members[member.name] = member.value }
    return .object(members)
  }
}

extension PackageListing.Contents {
  fileprivate var members: JSONObject {
    [
      "kind": .string(kind), "title": .string(title), "maps": JSONValue(texts: maps),
      "layers": .array(
        layers.map { ["name": .string($0.name), "extent": $0.extent?.json ?? .null] }),
      "levels": levels.map {
        [JSONValue(orNull: $0.lowerBound), JSONValue(orNull: $0.upperBound)]
      } ?? .null,
      "extent": extent?.json ?? .null,
    ]
  }
}

extension PackageListing.Extent {
  fileprivate var json: JSONValue {
    ["bbox": JSONValue(orNull: envelope), "wkid": JSONValue(orNull: wkid)]
  }
}
