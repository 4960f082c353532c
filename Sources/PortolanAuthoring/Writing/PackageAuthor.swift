public import Foundation
public import PortolanConversion
internal import PortolanFeatures
internal import PortolanFiles
internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanMap
public import PortolanPackages

/// Makes a mobile map package from a specification.
///
/// The package appears under its name when it is complete and on the disk; making one that fails or
/// is cancelled leaves nothing behind. Memory does not grow with the rows, but for what spatial
/// indexes and classes need.
public struct PackageAuthor: Sendable {
  private let specification: PackageSpecification
  private let environment: ConversionEnvironment
  private let drawing: (any MapDrawing)?
  private let checksBackdrops: Bool

  /// Prepares a package.
  ///
  /// - Parameters:
  ///   - specification: What is in it.
  ///   - environment: Where the clock and the ids come from.
  ///   - drawing: Draws the pictures of its maps; they have none if `nil`, which the result says.
  ///   - checksBackdrops: Whether every tile of the tile packages that become backdrops is read, so
  ///     that damaged ones are reported; for a preview, which is made again and again, that takes too
  ///     long.
  public init(
    _ specification: PackageSpecification,
    environment: ConversionEnvironment = ConversionEnvironment(),
    drawing: (any MapDrawing)? = nil, checksBackdrops: Bool = true
  ) {
    self.drawing = drawing
    self.checksBackdrops = checksBackdrops
    self.specification = specification
    self.environment = environment
  }

  /// Checks the place of a package before anything is read.
  public static func check(_ target: URL, replaces: Bool) throws(AuthoringError) {
    guard target.pathExtension.lowercased() == "mmpk" else {
      throw .unknownTarget(file: target.relativePath)
    }
    let folder = target.deletingLastPathComponent()
    guard FileSystem.live.exists(folder) else { throw .noSuchFolder(file: target.relativePath) }
    guard replaces || !FileSystem.live.exists(target) else {
      throw .targetExists(file: target.relativePath)
    }
  }

  /// Writes the package as a `.mmpk`; cancelling the task stops it.
  ///
  /// - Parameters:
  ///   - target: The file.
  ///   - replaces: Whether an existing file may be replaced.
  ///   - report: Called with the progress.
  /// - Returns: What is in the package, and what could not be taken over.
  /// - Throws: ``AuthoringError``, or the error of the module that reads or writes the format.
  @concurrent public func write(
    to target: URL, replacing replaces: Bool = false,
    reporting report: @escaping @Sendable (AuthoringProgress) -> Void = { _ in }
  ) async throws -> AuthoringResult {
    try Self.check(target, replaces: replaces)
    StagedFile.removeAbandoned(in: target.deletingLastPathComponent())
    // The folder is never put in a place of its own: it goes with all that is in it.
    var workspace = try StagedFolder(target)
    let folders = try PackageFolders(&workspace)
    let draft = try await PackageDraft(
      specification: specification, environment: environment, drawing: drawing,
      folders: folders, checksBackdrops: checksBackdrops
    ).write(report)
    report(.packing)
    try Task.checkCancellation()
    let writer = MobileMapPackageWriter(
      draft.description, maps: draft.maps, files: draft.files)
    do throws(PackageWriterError) {
      try writer.writeArchive(to: target, replacing: replaces)
    } catch {
      // One that has appeared meanwhile stays.
      guard case .alreadyExists = error else { throw error }
      throw AuthoringError.targetExists(file: target.relativePath)
    }
    return result(of: draft, at: target)
  }

  private func result(of draft: PackageDraft.Outcome, at target: URL) -> AuthoringResult {
    AuthoringResult(
      title: specification.title,
      maps: draft.maps.map { map in
        AuthoringResult.Map(
          name: map.name, title: map.title, layerCount: map.webMap.allLayers.count,
          bookmarkCount: map.webMap.bookmarks.count)
      },
      tables: draft.features.tables.map { table in
        AuthoringResult.Table(
          name: table.name, readCount: table.readCount, writtenCount: table.writtenCount)
      }, notes: draft.notes,
      failures: draft.features.failures.map(\.summary),
      failureCount: draft.features.failureCount,
      // The file is there: a size that cannot be read is only not shown.
      size: (try? target.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0)
  }
}

/// The folders of a package's parts before it is assembled.
struct PackageFolders {
  /// An unpacked package, in which the maps can be opened.
  let package: URL
  /// The folder of maps and data in it.
  let data: URL
  /// Files made of others.
  let texts: URL

  init(_ workspace: inout StagedFolder) throws(FileError) {
    package = try workspace.place(for: "package/package.info").deletingLastPathComponent()
    data = try workspace.place(for: "package/p13/data").deletingLastPathComponent()
    texts = try workspace.place(for: "texts/text").deletingLastPathComponent()
  }
}
