internal import Foundation
public import PortolanGeometry
internal import PortolanPackages

/// The packages in a folder, as their metadata declare them.
public struct PackageListing: Hashable, Sendable, Codable {
  /// A package, or a file that should be one.
  public struct Entry: Hashable, Sendable, Codable {
    /// The name in the folder.
    public var name: String
    /// The size in bytes; `nil` for a folder.
    public var size: Int?
    /// The contents; `nil` if they cannot be read.
    public var contents: Contents?
    /// The reason why it cannot be read.
    public var damage: String?
  }

  /// The declared contents of a package.
  public struct Contents: Hashable, Sendable, Codable {
    /// The kind of file, as documents name it.
    public var kind: String
    /// The kind of file, as people name it.
    public var kindTitle: String
    /// The title, or the name of the file where it has none.
    public var title: String
    /// The names of the maps in it.
    public var maps: [String]
    /// The tables in it.
    public var layers: [Layer]
    /// The levels of its tiles, coarsest first.
    public var levels: ClosedRange<Int>?
    /// The extent; `nil` where it is not known, or its layers differ in their references.
    public var extent: Extent?
  }

  /// A table of features or of tiles.
  public struct Layer: Hashable, Sendable, Codable {
    /// The name for people.
    public var name: String
    /// The extent, as the file declares it.
    public var extent: Extent?
  }

  /// A rectangle in map coordinates.
  public struct Extent: Hashable, Sendable, Codable {
    /// The edges, in the units of the spatial reference.
    public var envelope: Envelope
    /// The number of the spatial reference; `nil` where the file has one of its own.
    public var wkid: Int?
  }

  /// The packages, by name.
  public var entries: [Entry]
  /// The number of files that are something else; folders are not counted.
  public var otherCount: Int
  /// Whether there is neither a file nor a folder.
  public var isMissing = false
}

extension PackageListing {
  init(_ listing: PackageFolder.Listing) {
    self.init(
      entries: listing.entries.compactMap(Entry.init), otherCount: listing.otherCount)
  }

  /// The listing of a file that is not there, which others are listed beside.
  init(missing url: URL) {
    let error = InspectionError.noSuchFile(file: url.relativePath)
    self.init(
      entries: [Entry(name: url.lastPathComponent, damage: error.localizedDescription)],
      otherCount: 0, isMissing: true)
  }
}

extension PackageListing.Entry {
  fileprivate init?(_ entry: PackageFolder.Entry) {
    self.init(name: entry.name, size: entry.size)
    switch entry.finding {
    case .package(let summary): contents = PackageListing.Contents(summary)
    case .damaged(let reason): damage = reason
    case .other: return nil
    }
  }
}

extension PackageListing.Contents {
  fileprivate init(_ summary: PackageSummary) {
    self.init(
      kind: summary.kind.rawValue, kindTitle: summary.kind.title, title: summary.title,
      maps: summary.maps,
      layers: summary.layers.map {
        PackageListing.Layer(name: $0.name, extent: $0.extent.map(PackageListing.Extent.init))
      },
      levels: summary.levels, extent: summary.extent.map(PackageListing.Extent.init))
  }
}

extension PackageListing.Extent {
  fileprivate init(_ extent: PackageSummary.Extent) {
    self.init(envelope: extent.envelope, wkid: extent.wkid)
  }
}
