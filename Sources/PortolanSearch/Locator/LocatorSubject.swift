public import Foundation
internal import PortolanFeatures
internal import PortolanFiles
internal import PortolanJSON

/// The map that a locator is for, and the state of its files.
public struct LocatorSubject: Hashable, Sendable {
  /// The map's title, for messages.
  public let title: String
  /// The file or folder that holds the map.
  public let package: URL
  /// The name of the map in it.
  public let name: String
  /// Which file or folder the package was when the map was opened.
  private let opened: FileIdentity?

  /// Describes a map that has just been opened.
  public init(title: String, package: URL, name: String) {
    self.title = title
    self.package = package
    self.name = name
    opened = Self.identity(of: package)
  }

  /// Whether the package is the one that was opened: an index of what is open says nothing of another that
  /// has taken its place since.
  var isInPlace: Bool { opened == Self.identity(of: package) }

  private static func identity(of package: URL) -> FileIdentity? {
    // What cannot be looked at is no other one.
    (try? FileStatus(at: package, links: .followed))?.identity
  }

  /// What identifies maps: where the map is.
  var key: String { "\(package.standardizedFileURL.path(percentEncoded: false))\n\(name)" }

  /// A text that changes with the files of the map, and with what is searched in it.
  ///
  /// The files of databases that only a connection writes beside them count as well, since edits may
  /// be in them.
  func state(of sources: [LocatorSource]) -> [UInt8] {
    var files: [String] = []
    FileTree.visit(package) { url, status in
      guard status.kind == .file, !url.path(percentEncoded: false).hasSuffix("-shm") else { return }
      files.append("\(url.lastPathComponent) \(status.byteCount) \(status.modified)")
    }
    let searched = sources.map { source -> JSONValue in
      [
        "id": .string(source.id), "table": .string(source.schema.name),
        "fields": .array(source.fields.map(JSONValue.string)),
        "where": source.whereClause.map(JSONValue.string) ?? .null,
      ]
    }
    let state: JSONValue = [
      "map": .string(key), "package": .string(package.path(percentEncoded: false)),
      "files": .array(files.map(JSONValue.string)), "sources": .array(searched),
    ]
    return Array(state.text().utf8)
  }
}
