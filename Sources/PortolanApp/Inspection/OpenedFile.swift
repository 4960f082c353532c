public import Foundation
public import PortolanFeatures
public import PortolanMap
public import PortolanPackages
public import PortolanTiles

/// A file that is open, by what it can be asked for.
public enum OpenedFile: Sendable {
  /// Tables of features.
  case features(any FeatureStore, FileFacts)
  /// Maps with their data.
  case package(MobileMapPackage, FileFacts)
  /// A map document without its data.
  case map(WebMap, FileFacts)
  /// Tiles, of pictures or of vectors as the kind says.
  case tiles(any TileSource, FileFacts)
  /// Tables of features and tables of tiles, of either of which there may be none.
  case geoPackage(GeoPackageContents, FileFacts)
  /// A format that is recognised and cannot be read.
  case closed(FileFacts)

  /// What is known of the file as a whole.
  public var facts: FileFacts {
    switch self {
    case .features(_, let facts), .package(_, let facts), .map(_, let facts),
      .tiles(_, let facts), .geoPackage(_, let facts), .closed(let facts):
      facts
    }
  }
}

/// What a GeoPackage holds.
public struct GeoPackageContents: Sendable {
  /// The tables of features and of attributes; `nil` if there are none.
  public var features: (any FeatureStore)?
  /// The tables of tiles.
  public var tiles: [any TileSource]
  /// What is in the file and cannot be read, in sentences.
  public var problems: [String]

  /// Creates the contents.
  public init(
    features: (any FeatureStore)? = nil, tiles: [any TileSource] = [], problems: [String] = []
  ) {
    self.features = features
    self.tiles = tiles
    self.problems = problems
  }
}

/// What is known of a file as a whole.
public struct FileFacts: Hashable, Sendable {
  /// What kind of file it is.
  public var kind: FileKind
  /// The file as messages name it.
  public var name: String
  /// The version of the format, as the file writes it.
  public var version: String?
  /// The size in bytes; `nil` for a folder.
  public var size: Int?

  /// Creates facts.
  public init(kind: FileKind, name: String, version: String? = nil, size: Int? = nil) {
    self.kind = kind
    self.name = name
    self.version = version
    self.size = size
  }
}

/// Opens files of any kind; the live one reads the disk, tests hand out what they made.
public protocol FileOpening: Sendable {
  /// Opens what is at `url`.
  ///
  /// - Throws: ``InspectionError`` if there is nothing or nothing known, else the error of the
  ///   module that reads the kind of file.
  @concurrent func open(_ url: URL) async throws -> OpenedFile

  /// Opens what is at `url` to use what it holds, which its author may forbid after a date.
  ///
  /// - Throws: As ``open(_:)``, and `PackageError.expired(title:on:message:)`.
  @concurrent func openToUse(_ url: URL) async throws -> OpenedFile
}

extension FileOpening {
  /// Opens it as to look at it: there is nothing that expires.
  @concurrent public func openToUse(_ url: URL) async throws -> OpenedFile { try await open(url) }
}
