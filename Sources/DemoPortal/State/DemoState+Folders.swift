internal import Foundation

extension DemoState {
  /// The folders of a user.
  func folders(of owner: String) -> [DemoFolder] { catalogue.folders.filter { $0.owner == owner } }

  /// A folder of a user, by its id or its title; `nil` if there is none.
  func folder(_ name: String, of owner: String) -> DemoFolder? {
    folders(of: owner).first {
      $0.id.lowercased() == name.lowercased() || $0.title.lowercased() == name.lowercased()
    }
  }

  /// Makes a folder.
  ///
  /// - Throws: ``DemoFailure/badRequest(_:)`` if the owner has one of that title.
  func addFolder(_ title: String, of owner: String) throws(DemoFailure) -> DemoFolder {
    try requireFree(title, of: owner)
    let folder = DemoFolder(id: nextID(), owner: owner, title: title, created: clock.now())
    catalogue.put(folder)
    return folder
  }

  /// Gives a folder another title.
  ///
  /// - Throws: ``DemoFailure/badRequest(_:)`` if the owner has another one of that title.
  func rename(_ folder: DemoFolder, to title: String) throws(DemoFailure) -> DemoFolder {
    try requireFree(title, of: folder.owner, except: folder.id)
    var folder = folder
    folder.title = title
    catalogue.put(folder)
    return folder
  }

  private func requireFree(
    _ title: String, of owner: String, except id: String? = nil
  ) throws(DemoFailure) {
    if let other = folder(title, of: owner), other.id != id {
      throw .badRequest("Folder title '\(title)' not available.")
    }
  }

  /// Removes a folder with its items.
  ///
  /// - Throws: ``DemoFailure/protectedItem`` if one of them must not be deleted; nothing is then.
  func remove(_ folder: DemoFolder) throws(DemoFailure) {
    let items = catalogue.items.filter { $0.folder == folder.id }
    guard !items.contains(where: \.isProtected) else { throw .protectedItem }
    for item in items { catalogue[item.id] = nil }
    catalogue.removeFolder(folder.id)
  }
}
