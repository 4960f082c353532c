internal import Foundation
internal import PortolanFiles
internal import PortolanGeometry
internal import PortolanPackages
internal import PortolanPortal

/// The metadata of a file that is shared.
struct SharedFileFacts {
  let kind: PortalItem.Kind
  var title: String
  var snippet: String?
  var details: String?
  var tags: [String] = []
  var credits: String?
  var extent: Envelope?
  var thumbnail: Data?

  /// The types of items by the endings of files.
  private static let kinds: [String: PortalItem.Kind] = [
    "mmpk": .mobileMapPackage, "tpk": .tilePackage, "tpkx": .compactTilePackage,
    "vtpk": .vectorTilePackage, "geodatabase": .sqliteGeodatabase,
    "gpkg": PortalItem.Kind(rawValue: "GeoPackage"),
    "geojson": PortalItem.Kind(rawValue: "GeoJson"), "csv": PortalItem.Kind(rawValue: "CSV"),
  ]

  /// Looks at a file; of a package its title, summary, tags and picture.
  ///
  /// - Throws: ``SharingError`` if there is no such file or portals do not take it; why a package
  ///   cannot be opened, or is damaged.
  init(of url: URL, packages: any PackageOpening) async throws {
    guard FileSystem.live.exists(url) else {
      throw SharingError.noSuchFile(file: url.lastPathComponent)
    }
    guard let kind = Self.kinds[url.pathExtension.lowercased()] else {
      throw SharingError.unknownKind(file: url.lastPathComponent)
    }
    self.kind = kind
    title = url.deletingPathExtension().lastPathComponent
    guard kind == .mobileMapPackage else { return }
    // A package that an import would refuse is not sent to others.
    try await PackageVerifier().verify(url)
    let info = try await packages.open(url).info
    title = info.title
    snippet = info.summary
    details = info.details
    tags = info.tags
    credits = info.accessInformation
    extent = info.extent
    thumbnail = info.thumbnail
  }
}
