internal import Foundation
internal import PortolanArchives
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanSQLite
internal import PortolanTileFiles
internal import PortolanTiles

/// Opens the geodatabases and tile packages of a package, each once, when first asked for.
actor PackageDataSources {
  private let contents: any PackageContents
  private var geodatabases: [String: Result<Geodatabase, LayerProblem>] = [:]
  private var tilePackages: [String: Result<TilePackageFile, LayerProblem>] = [:]

  init(_ contents: any PackageContents) { self.contents = contents }

  /// The geodatabase at a path of the package.
  func geodatabase(at path: String) throws(LayerProblem) -> Geodatabase {
    let opened =
      geodatabases[path]
      ?? Result { () throws(LayerProblem) in
        do {
          switch try location(of: path) {
          case .file(let url): return try Geodatabase.open(at: url)
          case .region(let region): return try Geodatabase.open(at: region)
          }
        } catch {
          throw LayerProblem(error)
        }
      }
    geodatabases[path] = opened
    return try opened.get()
  }

  /// The tile package at a path of the package.
  func tilePackage(at path: String) throws(LayerProblem) -> TilePackageFile {
    let opened =
      tilePackages[path]
      ?? Result { () throws(LayerProblem) in
        do {
          switch try location(of: path) {
          case .file(let url): return try TilePackageFile.open(url)
          case .region(let region):
            let file = try FileByteSource(at: region.url)
            let range = region.offset..<region.offset + region.length
            return try TilePackageFile.open(SubrangeByteSource(file, range: range, name: path))
          }
        } catch {
          throw LayerProblem(error)
        }
      }
    tilePackages[path] = opened
    return try opened.get()
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
