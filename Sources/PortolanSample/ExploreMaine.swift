public import Foundation
internal import PortolanGeometry
internal import PortolanMap
internal import PortolanPackages

/// The sample that ships: a mobile map package on the state of Maine, with one of everything.
///
/// It is built from small text files by the writers that are for everyone, and has the same
/// bytes wherever and whenever it is built with the same libraries.
///
/// - SeeAlso: Docs/SAMPLE.md
public enum ExploreMaine {
  /// The name of the package, without extension.
  public static let name = "explore-maine"

  /// The title of the package, for people.
  public static let title = "Explore Maine"

  /// The names of the maps, in order.
  public static let mapNames = ["explore_maine", "lighthouses", "parks_and_trails"]

  static let credits = """
    Land: United States Census Bureau. Facts compiled for the Portolan project; drawn by Portolan.
    """
  static let license = "Part of Portolan, under the Apache License 2.0."

  /// The moment that everything in the package says it was made: 15 March 2026, noon in UTC.
  static let moment = Date(timeIntervalSince1970: 1_773_576_000)

  /// The extent of the maps, in degrees.
  static let extent = Envelope(xMin: -71.3, yMin: 42.95, xMax: -66.75, yMax: 47.6)

  /// The extent of the backdrop, in degrees: as much around the maps as wide and high
  /// screens show.
  static let surroundings = Envelope(xMin: -77, yMin: 41, xMax: -61, yMax: 49.5)

  /// Builds the package as a `.mmpk` at `url`, replacing any file there.
  ///
  /// Takes about a second, and may be cancelled. The file appears complete or not at all.
  ///
  /// - Throws: ``SampleError`` if the sources are not beside the program, else the error of the
  ///   writer that failed.
  @concurrent
  public static func write(to url: URL) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "portolan-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // What stays behind is in the folder for temporary files, which the system empties.
    defer { try? FileManager.default.removeItem(at: folder) }
    try write(to: url, staging: folder, SampleSources())
  }

  static func write(to url: URL, staging folder: URL, _ sources: SampleSources) throws {
    let backdrop = try Backdrop(sources)
    let ground = try sources.projected(extent)
    let picture = try thumbnail(backdrop, of: ground)
    let maps = try SampleMaps(sources).maps(thumbnail: picture)
    let geodatabase = folder.appending(path: "\(name).geodatabase")
    try SampleGeodatabase(contents: SampleContents(sources), moment: moment)
      .write(to: geodatabase)
    try Task.checkCancellation()
    let tiles = folder.appending(path: "\(name).tpkx")
    try SampleTilePackage(
      backdrop: backdrop, extent: ground, surroundings: sources.projected(surroundings),
      geographicSurroundings: surroundings, thumbnail: picture
    ).write(to: tiles)
    try MobileMapPackageWriter(
      description(thumbnail: picture), maps: maps, files: [geodatabase, tiles]
    ).writeArchive(to: url)
  }

  private static func description(thumbnail: Data) -> MobileMapPackageDescription {
    MobileMapPackageDescription(
      name: name, title: title,
      summary: "Towns, lighthouses, parks, lakes and trails of Maine, for use offline.",
      details: "<p>Three maps that show what Portolan can do with no network.</p>",
      accessInformation: credits, licenseInfo: license,
      tags: ["Maine", "lighthouses", "parks", "sample"], guid: SampleID.uuid("package"),
      created: moment, extent: extent, thumbnail: thumbnail)
  }

  /// A picture of 200 pixels' width, with the proportions of the extent.
  private static func thumbnail(_ backdrop: Backdrop, of ground: Envelope) throws -> Data {
    let height = Int((200 * ground.height / ground.width).rounded())
    return try backdrop.pngData(of: ground, width: 200, height: height)
  }
}
