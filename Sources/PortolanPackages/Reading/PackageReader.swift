internal import Foundation
internal import PortolanFiles
internal import PortolanJSON
internal import PortolanMap

/// Assembles a package from its files.
struct PackageReader {
  /// The file or folder.
  let url: URL
  /// Its files.
  let contents: any PackageContents
  /// Opens the data of layers.
  let sources: PackageDataSources
  /// The present, for expiry.
  let now: Date
  /// Whether what has expired and may not be used since is refused.
  var refusesExpired = true

  /// Reads the metadata and the maps.
  ///
  /// - Throws: ``PackageError`` if there is no metadata, the version is too new, or the package has
  ///   expired and may not be used since. A map that cannot be read does not stop the others.
  func package() throws(PackageError) -> MobileMapPackage {
    var info = try self.info()
    let documents = mapDocuments(info)
    var maps: [MobileMap] = []
    var failures: [String: PackageError] = [:]
    for document in documents {
      do { maps.append(try map(document)) } catch { failures[document.name] = error }
    }
    // Some packages say it in their maps only.
    info.expiration =
      info.expiration ?? maps.lazy.compactMap { PackageExpiration(anywhereIn: $0.item.json) }.first
    var package = MobileMapPackage(
      url: url, info: info, mapNames: documents.map(\.name), maps: maps, failures: failures,
      area: area(), unreadableParts: UnreadablePart.parts(among: contents.visiblePaths),
      warnings: try warnings(of: info))
    if !contents.isWritable { package.archivedDatabases = ArchivedDatabases(contents) }
    return package
  }

  /// Reads one map document as a package of its own.
  func package(ofMapAt path: String) throws(PackageError) -> MobileMapPackage {
    let map = try self.map(MapDocument(name: PackagePlace(path).stem, path: path))
    return MobileMapPackage(
      url: url, mapNamed: map.name, map.webMap, item: map.item.json, contents: map.contents)
  }

  /// A map of the package: its name, and its file if there is one.
  private struct MapDocument {
    let name: String
    let path: String?
  }

  private func info() throws(PackageError) -> PackageInfo {
    let candidates = contents.rootPaths.filter { $0.lowercased().hasSuffix(".info") }
    guard
      let path = candidates.first(where: { $0.lowercased() == "package.info" })
        ?? candidates.first
    else {
      throw .notAPackage(file: contents.name, reason: "there is no .info file in its root")
    }
    let json = try document(at: path)
    let stem = url.deletingPathExtension().lastPathComponent
    let info = PackageInfo(json: json, fallbackName: stem)
    if let major = info.majorVersion, major > 4 {
      throw .unsupportedVersion(file: contents.name, version: info.version)
    }
    return info
  }

  /// The maps that the metadata name, else all that are there; also all where none of those named is there.
  private func mapDocuments(_ info: PackageInfo) -> [MapDocument] {
    let files = contents.visiblePaths.filter { $0.lowercased().hasSuffix(".mmap") }
    var rest = files
    var counts: [String: Int] = [:]
    let named = info.mapNames.map { name in
      // Of files of one name in several folders, each is a map, which needs a name of its own.
      let path = rest.shallowestPath(ofFileNamed: name + ".mmap")
      rest.removeAll { $0 == path }
      counts[name, default: 0] += 1
      let number = counts[name] ?? 1
      return MapDocument(name: number == 1 ? name : "\(name) (\(number))", path: path)
    }
    guard !named.contains(where: { $0.path != nil }), !files.isEmpty else { return named }
    return files.map { MapDocument(name: PackagePlace($0).stem, path: $0) }
  }

  private func map(_ document: MapDocument) throws(PackageError) -> MobileMap {
    guard let path = document.path else {
      throw .damaged(
        file: contents.name, place: document.name + ".mmap", reason: "the file is missing")
    }
    let json = try self.document(at: path)
    // Some writers put the web map itself where others put a member of that name.
    let map = json["map"]?.object ?? json
    let webMap: WebMap
    do { webMap = try WebMap(json: .object(map)) } catch {
      throw .damaged(
        file: contents.name, place: path, reason: error.plainReason)
    }
    let item = MobileMapItem(json: json["item"]?.object ?? [:], fallbackTitle: document.name)
    return MobileMap(
      name: document.name, item: item, webMap: webMap,
      contents: PackageLayerContents(folder: PackagePlace(path).folder, sources: sources))
  }

  /// The record of the preplanned area; one that cannot be read only serves updates.
  private func area() -> PreplannedAreaRecord? {
    let path = contents.visiblePaths.first { $0.lowercased().hasSuffix(".marea") }
    guard let path else { return nil }
    // The map is as good without it.
    return (try? document(at: path)).map(PreplannedAreaRecord.init)
  }

  private func warnings(of info: PackageInfo) throws(PackageError) -> [String] {
    guard let expiration = info.expiration, expiration.isExpired(at: now) else { return [] }
    let error = PackageError.expired(
      title: info.title, on: expiration.date, message: expiration.message)
    guard expiration.policy == .allowAccess || !refusesExpired else { throw error }
    return [error.errorDescription].compactMap(\.self)
  }

  private func document(at path: String) throws(PackageError) -> JSONObject {
    let data = try contents.data(at: path, limit: PackageLimits.documentSize)
    do {
      if let object = try JSONValue(parsing: data).object { return object }
    } catch {
      throw .damaged(
        file: contents.name, place: path, reason: error.plainReason)
    }
    throw .damaged(file: contents.name, place: path, reason: "an object is missing at the root")
  }
}

/// The parts of a path inside a package.
struct PackagePlace {
  /// The folder, without a slash at its end; empty for the root.
  let folder: String
  /// The last component without extension.
  let stem: String

  /// Takes a path apart.
  init(_ path: String) {
    let components = path.split(separator: "/")
    folder = components.dropLast().joined(separator: "/")
    let name = components.last.map(String.init) ?? ""
    stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
  }
}
