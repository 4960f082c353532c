public import Foundation
internal import PortolanAuthoring
internal import PortolanConversion
internal import PortolanFiles
package import PortolanGeometry
internal import PortolanRendering
internal import Synchronization

/// *Naperville Water Company Mapbook*: the worked example of making packages, three maps of a
/// made-up water network of some 20,000 parts.
///
/// - SeeAlso: Docs/AUTHORING.md
public enum NapervilleMapbook {
  /// The name of the package, without extension.
  public static let name = "naperville-water-company-mapbook"

  /// The title of the package, for people.
  public static let title = "Naperville Water Company Mapbook"

  /// The extent of the maps, in degrees.
  package static let extent = TownPlan.extent

  /// Draws the middle of the town as PNG, as the item of the package shows it.
  ///
  /// - Throws: `RenderingError` for unusable sizes.
  package static func picture(width: Int, height: Int) throws -> Data {
    try TownPlan().pngData(width: width, height: height)
  }

  /// Writes the specification and the files that it names into a folder, which is made.
  ///
  /// - Returns: The specification.
  /// - Throws: ``SampleError`` if the specification is not beside the program, else why a file
  ///   cannot be written.
  @discardableResult
  public static func writeSources(to folder: URL) throws -> URL {
    try FileSystem.live.createFolder(folder)
    let specification = folder.appending(path: "\(name).json")
    try FileSystem.live.write(try SampleSources().data("\(name).json"), to: specification)
    for file in WaterNetwork().files {
      try FileSystem.live.write(file.data, to: folder.appending(path: file.name))
      try Task.checkCancellation()
    }
    return specification
  }

  /// Writes the same into a new folder, which is there when all is in it.
  ///
  /// - Parameter folder: Where nothing but an empty folder may be.
  /// - Returns: The specification.
  /// - Throws: `FileError.alreadyExists(file:)`, and as ``writeSources(to:)`` does.
  @concurrent
  public static func writeExample(to folder: URL) async throws -> URL {
    var staged = try StagedFolder(folder)
    let specification = try staged.place(for: "\(name).json")
    try writeSources(to: specification.deletingLastPathComponent())
    try staged.commit()
    return folder.appending(path: "\(name).json")
  }

  /// Makes the package as a `.mmpk`, replacing any file at `url`.
  ///
  /// It has the same bytes wherever and whenever it is made with the same libraries.
  ///
  /// - Throws: ``SampleError``, `AuthoringError`, or the error of the writer that failed.
  @concurrent
  public static func write(to url: URL) async throws {
    var workspace = try StagedFolder(url)
    let folder = try workspace.place(for: "sources/specification").deletingLastPathComponent()
    let specification = try PackageSpecification(at: writeSources(to: folder))
    let count = Mutex(0)
    _ = try await PackageAuthor(
      specification,
      environment: ConversionEnvironment(
        now: { ExploreMaine.moment },
        makeID: {
          let number = count.withLock { count in
            count += 1
            return count
          }
          return SampleID.uuid("naperville/\(number)")
        }), drawing: PictureDrawing()
    ).write(to: url, replacing: true)
  }
}
