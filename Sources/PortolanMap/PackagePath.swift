internal import Foundation

/// The path of a layer's data in a package: `file:./x.geodatabase?itemId=1`.
///
/// The path is relative to the folder of the document that holds it (Docs/FORMATS.md, 1.3). It
/// comes from a file, so it may lead anywhere; only ``resolved(relativeTo:)`` may be opened.
public struct PackagePath: Hashable, Sendable {
  /// The relative path, with `/` between its parts and nothing percent-encoded.
  public let path: String

  /// The `ItemId` in `GDB_ServiceItems` of the table, for geodatabases.
  public let itemID: Int?

  /// Creates a path from its parts.
  public init(_ path: String, itemID: Int? = nil) {
    self.path = path
    self.itemID = itemID
  }

  /// Reads a path; `nil` if the text does not begin with `file:` or is not decodable.
  public init?(parsing text: String) {
    guard text.prefix(5).lowercased() == "file:" else { return nil }
    let parts = text.dropFirst(5).split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let encoded = parts.first, !encoded.isEmpty,
      let decoded = String(encoded).removingPercentEncoding, !decoded.contains("\0")
    else { return nil }
    // Packages that were written on Windows may hold its separator.
    path = decoded.replacing("\\", with: "/")
    itemID = parts.count > 1 ? Self.itemID(inQuery: parts[1]) : nil
  }

  /// The path as documents write it.
  public var text: String {
    let encoded = path.addingPercentEncoding(withAllowedCharacters: Self.allowed) ?? path
    return "file:" + encoded + (itemID.map { "?itemId=\($0)" } ?? "")
  }

  /// The file extension, in lower case: `geodatabase`, `tpkx`.
  public var fileExtension: String {
    let name = path.split(separator: "/").last ?? ""
    guard let point = name.lastIndex(of: ".") else { return "" }
    return name[name.index(after: point)...].lowercased()
  }

  /// The path below the package's root, for a document in `folder` below that root.
  ///
  /// - Throws: ``WebMapError/pathLeavesPackage(_:)`` if it is absolute, climbs out of the root
  ///   with `..`, or names no file.
  public func resolved(relativeTo folder: String) throws(WebMapError) -> String {
    guard !path.hasPrefix("/"), !path.dropFirst().hasPrefix(":") else {
      throw .pathLeavesPackage(path)
    }
    var components = folder.split(separator: "/").filter { $0 != "." }
    for component in path.split(separator: "/") where component != "." {
      if component != ".." {
        components.append(component)
      } else if components.popLast() == nil {
        throw .pathLeavesPackage(path)
      }
    }
    let namesFile = path.split(separator: "/").last.map { $0 != "." && $0 != ".." } ?? false
    guard namesFile, !path.hasSuffix("/") else { throw .pathLeavesPackage(path) }
    return components.joined(separator: "/")
  }

  private static let allowed = CharacterSet.urlPathAllowed.subtracting(["?", "#", "%"])

  private static func itemID(inQuery query: Substring) -> Int? {
    for item in query.split(separator: "&") {
      let pair = item.split(separator: "=", maxSplits: 1)
      if pair.count == 2, pair[0].lowercased() == "itemid" { return Int(pair[1]) }
    }
    return nil
  }
}
