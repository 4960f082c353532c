internal import PortolanMap
package import PortolanPackages

/// What of a package can be read.
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

  /// What cannot be read of a package in a place; nothing is said of one that does not open.
  @concurrent package static func failures(
    of opening: @Sendable () async throws(PackageError) -> MobileMapPackage
  ) async -> [String] {
    // That it does not open is said by whoever opens it.
    guard let package = try? await opening() else { return [] }
    return await PackageReadability(of: package).failures
  }
}
