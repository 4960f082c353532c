internal import Foundation
internal import PortolanMap
internal import PortolanOffline
package import PortolanPackages

/// The parts of a package that can be read.
package struct PackageReadability: Sendable {
  /// The files and maps that cannot be read, a sentence each, without places that people never see.
  package let failures: [String]
  /// Whether any layer shows something, or there are none.
  package let hasReadableLayers: Bool

  /// Opens what the layers of a package show.
  @concurrent package init(of package: MobileMapPackage) async {
    var files: [String] = []
    var layers: [String: Set<String>] = [:]
    var readableCount = 0
    for map in package.maps {
      let operational = map.webMap.allLayers.count { $0.path != nil }
      for layer in map.webMap.allLayers + map.webMap.basemap.layers {
        let isCounted = operational == 0 || layer.role != .basemap
        switch await map.contents.content(of: layer) {
        case .group: continue
        case .unavailable:
          guard layer.path != nil else { continue }
          let file = layer.file ?? layer.title
          if layers[file] == nil { files.append(file) }
          layers[file, default: []].insert("\"\(layer.title)\"")
        default: if isCounted { readableCount += 1 }
        }
      }
      await map.contents.close()
    }
    hasReadableLayers = readableCount > 0 || files.isEmpty
    failures =
      package.failures.keys.sorted().map { "The map \"\($0)\" cannot be opened." }
      + files.map { file in
        let names = layers[file, default: []].sorted()
        let shown = names.prefix(3).joined(separator: ", ")
        let more = names.count > 3 ? " and \(names.count - 3) more" : ""
        return
          "The file \"\(file)\" is missing or cannot be read; it has the data of \(shown)\(more)."
      }
  }

  /// Looks whether a package that has arrived is of any use.
  ///
  /// - Parameter package: The package.
  /// - Returns: What of it cannot be read, a sentence each.
  /// - Throws: ``OfflineMapError/unusablePackage(reason:)`` if it is none, no map opens,
  ///   or no layer shows anything.
  @concurrent package static func check(
    _ package: MobileMapPackage
  ) async throws -> [String] {
    let title = package.info.title
    guard !package.isMadeOfOther else {
      throw OfflineMapError.unusablePackage(
        reason: "\"\(title)\" is not a mobile map package.")
    }
    guard !package.maps.isEmpty else {
      throw OfflineMapError.unusablePackage(reason: refusal(of: package, named: title))
    }
    let readability = await PackageReadability(of: package)
    guard readability.hasReadableLayers else {
      throw OfflineMapError.unusablePackage(reason: readability.refusal(named: title))
    }
    return readability.failures
  }

  /// The reason why a package without a map that opens is not imported.
  static func refusal(of package: MobileMapPackage, named name: String) -> String {
    let reasons = package.failures.sorted { $0.key < $1.key }.map { name, error in
      "The map \"\(name)\" cannot be opened: \(error.localizedDescription)"
    }
    guard !reasons.isEmpty else { return "\"\(name)\" contains no maps." }
    return "No map in \"\(name)\" can be opened. " + reasons.joined(separator: " ")
  }

  /// The reason why a package of which no layer can be read is not imported.
  func refusal(named name: String) -> String {
    "No layer of \"\(name)\" can be read. " + failures.joined(separator: " ")
  }

  /// The unreadable parts of a package in a place; nothing is said of one that does not open.
  @concurrent package static func failures(
    of opening: @Sendable () async throws(PackageError) -> MobileMapPackage
  ) async -> [String] {
    // If it does not open, that is reported when it is opened.
    guard let package = try? await opening() else { return [] }
    return await PackageReadability(of: package).failures
  }
}
