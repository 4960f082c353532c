public import Foundation
internal import PortolanLibrary
internal import PortolanPortal

/// A web map that can be named by its title: the last search has found it, or it is listed with its areas.
public struct KnownWebMap: Hashable, Sendable, Codable, Identifiable {
  /// The id of its item.
  public var id: String
  /// The title for people.
  public var title: String
  /// Its portal; the one in use if `nil`.
  public var portal: URL?
}

extension AppModel {
  /// The web map that a name means, among those that are listed and those that the last search has
  /// found.
  ///
  /// A whole id is looked for among the results of the search alone, since the list may be
  /// unreadable.
  ///
  /// - Parameter name: Its id or the beginning of it, or its title or the beginnings of words of it; case and
  ///   accents do not count.
  /// - Returns: The only one that it can mean; `nil` if there is none.
  /// - Throws: A problem if there is more than one, or the list cannot be read.
  public func knownWebMap(named name: String) async throws(Problem) -> KnownWebMap? {
    if name.isItemID { return portal?.foundWebMaps.first { $0.id == name } }
    return try await knownWebMaps().named(name)
  }

  /// The web map that a person means, which need not be known if its whole id is given.
  ///
  /// - Throws: A problem if there is none, which suggests the most similar title, or more than one.
  public func webMap(named name: String) async throws(Problem) -> KnownWebMap {
    if name.isItemID { return KnownWebMap(id: name, title: name) }
    let known = try await knownWebMaps()
    if let map = try known.named(name) { return map }
    // If the id is that of another item, the portal says so.
    if let id = portal?.itemID(named: name) { return KnownWebMap(id: id, title: name) }
    throw Problem(
      message: "\"\(name)\" is neither the id of a web map nor the title of one that is listed.",
      suggestion: "Give its id.", kind: .absence, actions: [.init(.findWebMaps)]
    ).suggesting(name, among: known.map(\.title))
  }

  private func knownWebMaps() async throws(Problem) -> [KnownWebMap] {
    var maps: [KnownWebMap] = []
    if let library, library.exists {
      let list = try await library.maps()
      try await list.load()
      maps = list.listedWebMaps
    }
    let listed = Set(maps.map(\.id))
    return maps + (portal?.foundWebMaps ?? []).filter { !listed.contains($0.id) }
  }
}

extension PortalScreens {
  /// The web maps that the last search has found.
  fileprivate var foundWebMaps: [KnownWebMap] {
    guard let state = browser?.state else { return [] }
    return state.rows.filter { $0.kind == PortalItem.Kind.webMap.rawValue }.map {
      KnownWebMap(id: $0.id, title: $0.title, portal: state.portal)
    }
  }
}

extension MapListModel {
  /// The web maps that are listed with their areas.
  var listedWebMaps: [KnownWebMap] {
    list.offers.map(\.map).map { KnownWebMap(id: $0.id, title: $0.title, portal: $0.portal) }
  }
}

extension [KnownWebMap] {
  /// The one that a name means; `nil` if it means none.
  ///
  /// - Throws: A problem if it can mean several.
  func named(_ name: String) throws(Problem) -> KnownWebMap? {
    let beginning = map(\.id).onlyID(startingWith: name)
    let tiers: [(KnownWebMap) -> Bool] = [
      { $0.id == name }, { $0.title == name }, { $0.title.isSameTitle(as: name) },
      { $0.id == beginning }, { $0.title.hasWords(beginningWith: name) },
    ]
    let matches = tiers.lazy.map { self.filter($0) }.first { !$0.isEmpty } ?? []
    guard matches.count > 1 else { return matches.first }
    let ids = matches.prefix(5).map(\.id).joined(separator: ", ")
    throw Problem(
      .ambiguous, message: "\"\(name)\" can mean \(matches.count) web maps.",
      suggestion: "Give the id: \(ids)\(matches.count > 5 ? ", ..." : ".")",
      actions: [.init(.listMaps)])
  }
}
