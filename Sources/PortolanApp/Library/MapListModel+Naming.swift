public import Foundation
internal import PortolanLibrary

// The resolution of names: people name maps by id, by title, or by words of it.
extension MapListModel {
  /// The stored map that a person means.
  ///
  /// - Parameters:
  ///   - name: Its id or the beginning of it, or its title or the beginnings of words of it.
  ///   - isExact: Whether only the id and the whole title count, as where no question is asked
  ///     before something is done that matters.
  /// - Returns: Its row.
  /// - Throws: A problem if there is none, which suggests the most similar title, or more than one.
  public func storedItem(
    named name: String, exactly isExact: Bool = false
  ) throws(Problem) -> MapListItem {
    let stored = state.items.filter(\.canOpenOffline)
    return try Problem.suggesting(name, among: stored.map(\.title)) { () throws(Problem) in
      try item(named: name, among: stored, exactly: isExact)
    }
  }

  /// The id of what a person wants to download: that of a row, or one that no row has yet.
  ///
  /// - Throws: A problem if the name is neither.
  public func downloadID(named name: String) throws(Problem) -> String {
    let rows = knownItems.filter { $0.kind != .webMap || $0.id == name }
    do { return try item(named: name, among: rows).id } catch {
      if name.isItemID { return name }
      guard error.kind == .absence else { throw error }
      throw Problem(
        message: "There is no area or package \"\(name)\" on the list.",
        suggestion: "Check the areas of the web map.", kind: .absence,
        actions: [.init(.listAreas)])
    }
  }

  /// Asks a portal for the areas of a web map, or the portals for those of all that are listed.
  ///
  /// - Parameters:
  ///   - name: The id of the web map, or of one that is listed the beginning of it, the title, or the
  ///     beginnings of words of that; all if `nil`.
  ///   - portal: The portal of a web map that is not listed yet; the one in use if `nil`.
  /// - Returns: The rows of the areas, also if the portal of a map that is listed did not answer;
  ///   then the banner says why.
  /// - Throws: A problem if nothing is known of the web map, the name can mean several, or there is no
  ///   network and no area on this device.
  public func areas(
    of name: String?, portal: URL? = nil
  ) async throws(Problem) -> [MapListItem] {
    guard let name else {
      await refresh()
      return try listed(state.items.filter { $0.kind == .area })
    }
    let known = try listedWebMaps.named(name)
    guard let id = known?.id ?? (name.isItemID ? name : nil) else {
      throw Problem(
        message: "There is no web map \"\(name)\" on the list.",
        suggestion: "Give its id.", kind: .absence, actions: [.init(.findWebMaps)]
      ).suggesting(name, among: listedWebMaps.map(\.title))
    }
    do { try await add(webMap: id, portal: known?.portal ?? portal) } catch {
      guard known != nil, error.kind != .cancellation else { throw error }
      refreshProblem = error
      show()
    }
    return try listed(state.items.filter { $0.webMap == id })
  }

  /// The areas; that none is here says nothing of those that portals have, if they cannot be asked.
  private func listed(_ areas: [MapListItem]) throws(Problem) -> [MapListItem] {
    guard areas.isEmpty, !list.isOnline else { return areas }
    throw Problem(
      message:
        "There is no network to ask a portal for areas, and none is on this device.",
      kind: .network, actions: [.init(.goOnline)])
  }

  /// All rows, also those that are not shown while there is no network.
  private var knownItems: [MapListItem] {
    var list = list
    list.isOnline = true
    return list.items
  }

  /// The row that a person means, shown or not.
  ///
  /// - Parameter name: Its id or the beginning of it, or its title or the beginnings of words of it.
  /// - Returns: The only row that it can mean.
  /// - Throws: A problem if there is none, or more than one.
  public func item(named name: String) throws(Problem) -> MapListItem {
    try item(named: name, among: knownItems)
  }

  /// The row that a person means to use: of a web map and the copy of it with its title the copy, which is
  /// on this device; the web map has an id.
  ///
  /// - Throws: A problem if there is none, or more than one.
  public func usableItem(named name: String) throws(Problem) -> MapListItem {
    do { return try item(named: name) } catch {
      guard error.code == .ambiguous else { throw error }
      let copies = state.items.filter { $0.canOpenOffline && $0.title == name }
      guard copies.count == 1 else { throw error }
      return copies[0]
    }
  }

  func item(
    named name: String, among rows: [MapListItem], exactly isExact: Bool = false
  ) throws(Problem) -> MapListItem {
    let exact = rows.filter { $0.id == name || $0.title == name }
    let whole = rows.filter { row in
      let isSame =
        isExact
        ? row.title.lowercased() == name.lowercased() : row.title.isSameTitle(as: name)
      return isSame || name.isBeginning(ofID: row.id)
    }
    let similar = isExact ? [] : rows.filter { $0.title.hasWords(beginningWith: name) }
    let matches = [exact, whole, similar].first { !$0.isEmpty } ?? []
    if matches.count > 1 {
      let tellsTitles = Set(matches.map(\.title)).count > 1
      let ids = matches.prefix(5)
        .map { tellsTitles ? "\($0.id) (\"\($0.title)\")" : $0.id }.joined(separator: ", ")
      throw Problem(
        .ambiguous, message: "\"\(name)\" can mean \(matches.count) maps.",
        suggestion: "Give the id: \(ids)\(matches.count > 5 ? ", ..." : ".")",
        actions: [.init(.listMaps)])
    }
    guard let item = matches.first else { throw Problem(LibraryError.noSuchMap(name)) }
    return item
  }
}

extension String {
  /// Whether this is a name as another text writes it: case and accents do not count.
  func isSameTitle(as text: String) -> Bool { nameFolded == text.nameFolded }

  /// Whether this text contains another from the beginning of a word on, without case and accents.
  func hasWords(beginningWith text: String) -> Bool {
    let (own, wanted) = (nameFolded, text.nameFolded)
    guard !wanted.isEmpty else { return false }
    return own.ranges(of: wanted).contains { range in
      guard range.lowerBound > own.startIndex else { return true }
      let before = own[own.index(before: range.lowerBound)]
      return !before.isLetter && !before.isNumber
    }
  }

  private var nameFolded: String {
    folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
  }

  /// Whether this can be the id of a portal's item.
  var isItemID: Bool { count == 32 && allSatisfy(\.isHexDigit) }
}
