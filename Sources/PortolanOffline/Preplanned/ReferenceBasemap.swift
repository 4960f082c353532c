internal import Foundation
internal import PortolanFiles
internal import PortolanLibrary
internal import PortolanMap

/// A tile package on this device that stands in for the basemap of an area.
struct ReferenceBasemap {
  private static let types: [String: LayerType] = [
    "tpk": .tiledMapService, "tpkx": .tiledMapService, "vtpk": .vectorTile,
  ]

  private let source: URL
  private let type: LayerType

  /// The name of the copy beside the packages.
  let fileName: String

  /// Takes a file for a basemap.
  ///
  /// - Throws: ``OfflineMapError/noReferenceBasemap(file:reason:)`` for files of other kinds.
  init(_ source: URL) throws(OfflineMapError) {
    let suffix = source.pathExtension.lowercased()
    guard let type = Self.types[suffix] else {
      throw .noReferenceBasemap(
        file: source.lastPathComponent, reason: "it is no .tpk, .tpkx or .vtpk")
    }
    self.source = source
    self.type = type
    fileName = "basemap.\(suffix)"
  }

  /// The layer that shows it.
  var layer: Layer {
    var layer = Layer(
      type, id: "reference-basemap", title: source.deletingPathExtension().lastPathComponent,
      role: .basemap)
    layer.path = PackagePath("./\(fileName)")
    return layer
  }

  /// The name of the file.
  var name: String { source.lastPathComponent }

  /// The bytes that its copy takes.
  var byteCount: Int? {
    // What cannot be measured is not known.
    try? source.resourceValues(forKeys: [.fileSizeKey]).fileSize
  }

  /// Opens the file where it is.
  ///
  /// - Throws: ``OfflineMapError/noReferenceBasemap(file:reason:)`` if it is damaged; what else keeps it
  ///   from being opened.
  func check(_ environment: OfflineEnvironment) async throws {
    guard let damage = try await environment.damage(of: source) else { return }
    throw OfflineMapError.noReferenceBasemap(
      file: name, reason: (damage as? any LocalizedError)?.errorDescription ?? "it is damaged")
  }

  /// Copies the file into a folder, unless it is there.
  func copy(into folder: URL, check: OfflineEnvironment.Check) async throws {
    let target = folder.appending(path: fileName)
    if FileManager.default.fileExists(atPath: target.path(percentEncoded: false)) {
      try FileManager.default.removeItem(at: target)
    }
    do {
      try FileManager.default.copyItem(at: source, to: target)
    } catch let error as CocoaError where error.code == .fileWriteOutOfSpace {
      throw LibraryError(writing: target, error)
    } catch {
      throw OfflineMapError.noReferenceBasemap(
        file: source.lastPathComponent, reason: error.plainReason)
    }
    _ = try await check(target)
  }
}
