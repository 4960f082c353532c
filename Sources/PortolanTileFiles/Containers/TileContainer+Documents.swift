internal import Foundation
internal import PortolanFiles
internal import PortolanJSON
internal import PortolanTiles
internal import PortolanXML

extension TileContainer {
  /// A JSON document, or `nil` if it is absent.
  func json(at path: String) throws(TileError) -> JSONValue? {
    guard let data = try data(at: path) else { return nil }
    guard data.count <= TileContainerLimits.parsedSize else {
      throw .damaged(file: name, place: path, reason: "it is \(data.count) bytes long")
    }
    do { return try JSONValue(parsing: data) } catch {
      throw .damaged(file: name, place: path, reason: error.plainReason)
    }
  }

  /// The item information of the package, and where it is.
  func itemInformation() throws(TileError) -> (item: ItemInformation, path: String)? {
    if let path = try paths(named: "iteminfo.json").first,
      let object = try json(at: path)?.object
    {
      return (ItemInformation(object), path)
    }
    guard let path = try paths(named: "iteminfo.xml").first, let data = try data(at: path) else {
      return nil
    }
    do { return (ItemInformation(try XMLElement(parsing: data)), path) } catch {
      throw .damaged(file: name, place: path, reason: error.plainReason)
    }
  }

  /// The picture of the package: what the item names, else the standard places.
  func thumbnail() throws(TileError) -> Data? {
    let named = try itemInformation().flatMap { item, path in
      item.thumbnailPath.flatMap { PackagePath.resolve($0, besides: path) }
    }
    if let named, let data = try data(at: named) { return data }
    guard let path = try paths(named: "thumbnail.png").first else { return nil }
    return try data(at: path)
  }
}
