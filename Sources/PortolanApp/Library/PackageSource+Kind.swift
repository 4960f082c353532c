internal import Foundation
internal import PortolanFiles
internal import PortolanLibrary
internal import PortolanTileFiles

extension PackageSource {
  /// Refuses what only has the name of a package, and folders of tiles, and says what they are.
  ///
  /// Portolan opens most of such files; but a database could be edited where it is stored, and an
  /// imported package should contain maps. What else is wrong with a file is reported by the code
  /// that looks through it.
  @concurrent func checkIsPackage() async throws(Problem) {
    switch form {
    case .file:
      guard let file = MisnamedFile(at: url) else { return }
      throw Problem(
        .notAPackage,
        message:
          "\"\(name)\" is \(file.title), not a mobile map package, although its name ends in "
          + ".\(url.pathExtension).",
        suggestion: file.suggestion, actions: file.actions(for: name))
    case .folder:
      guard MisnamedFile.isTileCache(url, holding: paths) else { return }
      guard !TilePackageFile.holdsSeveral(url) else {
        throw Problem(InspectionError.severalPackages(file: name))
      }
      throw Problem(
        .notAPackage,
        message: "\"\(name)\" is a folder of tiles, not an unpacked mobile map package.",
        suggestion: NextAction.Kind.importTiles.sentence, actions: [.init(.importTiles)])
    }
  }

  /// The files in the folder, as paths from there.
  private var paths: [String] {
    let root = url.standardizedFileURL
    var paths: [String] = []
    FileTree.visit(root) { file, status in
      guard status.kind == .file else { return }
      paths.append(file.pathComponents.dropFirst(root.pathComponents.count).joined(separator: "/"))
    }
    return paths
  }
}
