internal import Foundation
internal import PortolanLibrary

/// Measures how much of each package has been written to staging folders.
enum StagedPackages {
  /// The bytes of packages, whole or in part, by the id of their item.
  ///
  /// Files that a stored map has too were there before the job; those of packages that have
  /// changed are about to be replaced.
  static func bytes(in layout: HomeLayout) -> [String: Int] {
    var bytes: [String: Int] = [:]
    let files = FileManager.default.enumerator(
      at: layout.folder(.staging), includingPropertiesForKeys: nil)
    for case let url as URL in files?.allObjects ?? [] {
      guard url.pathExtension != "json",
        // A file that is gone by now holds nothing.
        let attributes = try? FileManager.default.attributesOfItem(
          atPath: url.path(percentEncoded: false)),
        attributes[.type] as? FileAttributeType == .typeRegular,
        attributes[.referenceCount] as? Int == 1, let size = attributes[.size] as? Int,
        // What a killed import was copying is part of no download.
        !url.pathComponents.contains(where: { $0.hasPrefix("import-") }), !layout.isCarried(url),
        let id = url.lastPathComponent.split(separator: ".").first.map(String.init)
      else { continue }
      bytes[id] = max(bytes[id] ?? 0, size)
    }
    return bytes
  }
}
