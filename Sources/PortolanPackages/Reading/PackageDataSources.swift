internal import Foundation
internal import PortolanArchives
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanSQLite
internal import PortolanTileFiles
internal import PortolanTiles

/// Opens the geodatabases and tile packages of a package, each once, when first requested.
actor PackageDataSources {
  private let contents: any PackageContents
  private let editing: EditingEnvironment?
  private var geodatabases: [String: FeatureFileSlot] = [:]
  private var tilePackages: [String: TilePackageFile] = [:]

  /// Creates sources; without an environment nothing can be edited.
  init(_ contents: any PackageContents, editing: EditingEnvironment?) {
    self.contents = contents
    self.editing = editing
  }

  /// Whether the package is an archive, which is not written to.
  nonisolated var isPacked: Bool { !contents.isWritable }

  /// The geodatabase at a path of the package, not opened yet.
  func geodatabase(at path: String) throws(LayerProblem) -> FeatureFileSlot {
    if let slot = geodatabases[path] { return slot }
    do throws(PackageError) {
      let slot = FeatureFileSlot(try place(of: path))
      geodatabases[path] = slot
      return slot
    } catch {
      throw LayerProblem(error)
    }
  }

  /// Ends editing in all geodatabases.
  func endEditing() async {
    for slot in geodatabases.values { await slot.endEditing() }
  }

  /// Closes all geodatabases; they are opened again when they are requested.
  func close() async {
    for slot in geodatabases.values { await slot.close() }
  }

  private func place(of path: String) throws(PackageError) -> FeatureFileSlot.Place {
    let location = try location(of: path)
    guard contents.isWritable, case .file(let url) = location else {
      return .readOnly(
        location, .geodatabase,
        reason: "the package is an archive; unpack it into a folder, and edit there")
    }
    return .file(url, .geodatabase, editing)
  }

  /// The tile package at a path of the package.
  func tilePackage(at path: String) throws(LayerProblem) -> TilePackageFile {
    if let package = tilePackages[path] { return package }
    // A failure is not kept: a file that cannot be opened now may be read later.
    do {
      let package = try openTilePackage(at: path)
      tilePackages[path] = package
      return package
    } catch {
      throw LayerProblem(error)
    }
  }

  private func openTilePackage(at path: String) throws -> TilePackageFile {
    switch try location(of: path) {
    case .file(let url): return try TilePackageFile.open(url)
    case .region(let region):
      let file = try FileByteSource(at: region.url)
      let range = region.offset..<region.offset + region.length
      return try TilePackageFile.open(SubrangeByteSource(file, range: range, name: path))
    }
  }

  /// The tiles of a package in the style of their layer, which is in a folder or a file at `place`.
  ///
  /// They are in the style of their package, and that is reported, where there is none.
  nonisolated func styling(_ package: VectorTilePackage, at place: String) -> StyledVectorTiles? {
    do throws(PackageStyleResources.Obstacle) {
      let resources = try PackageStyleResources(in: contents, at: place, besides: package)
      return StyledVectorTiles(
        package, style: resources.style, sourceKinds: ["vector"], resources: resources,
        problems: [])
    } catch {
      // The style of the package may be no better, which is reported when the package is drawn.
      guard let style = try? package.style() else { return nil }
      return StyledVectorTiles(
        package, style: style, sourceKinds: ["vector"],
        resources: PackageStyleResources(of: package, style: style),
        problems: ["the style of the layer \(error.clause), so that of its tiles is drawn"])
    }
  }

  private func location(of path: String) throws(PackageError) -> FileLocation {
    guard let spelling = contents.spelling(of: path) else {
      throw .damaged(file: contents.name, place: path, reason: "the file is missing")
    }
    return try contents.location(of: spelling)
  }
}

/// Why the data of a layer cannot be opened, in a sentence.
struct LayerProblem: LocalizedError {
  let sentence: String

  var errorDescription: String? { sentence }

  init(_ sentence: String) { self.sentence = sentence }

  init(_ error: any Error) {
    sentence = (error as? any LocalizedError)?.errorDescription ?? "\(error)"
  }
}
