internal import Foundation
internal import Observation
internal import PortolanLibrary
internal import PortolanPackages

extension MapListModel {
  /// Reads the contents of stored packages that have changed since they were last read, and counts
  /// their unsent edits; the rows show both.
  ///
  /// Maps can be deleted meanwhile.
  public func readContents() async {
    var isAnyNew = false
    for map in list.stored where list.contents[map.id.text]?.isOf(map) != true {
      let read = await contents(of: map)
      guard !Task.isCancelled else { return }
      // It may have been deleted or replaced while it was read.
      guard list.stored.contains(where: { $0.id == map.id && read.isOf($0) }) else { continue }
      list.contents[map.id.text] = read
      isAnyNew = true
    }
    do throws(LibraryError) {
      let edits = try await library.maps.unsentEdits()
      isAnyNew = isAnyNew || edits != list.unsentEdits
      list.unsentEdits = edits
    } catch {
      // The rows stay as they were until the catalogue can be read again.
    }
    if isAnyNew { show() }
  }

  /// Reads what stored maps hold now, and whenever others are stored, until the task is cancelled.
  public func followContents() async {
    for await _ in Observations({ self.storedVersions }) { await readContents() }
  }

  /// The facts that change when a map or a version of it is stored or goes, or is closed after it
  /// was edited.
  private var storedVersions: [String] {
    state.items.compactMap { item in
      item.copy.map { "\(item.id) \($0.installed.timeIntervalSince1970) \($0.isOpen)" }
    }
  }

  private func contents(of map: StoredMap) async -> ReadContents {
    let place = library.maps.layout.place(of: map)
    do throws(PackageError) {
      return ReadContents(StoredContents(try await library.packages.openToInspect(place)), of: map)
    } catch {
      return ReadContents(StoredContents(error), of: map)
    }
  }
}
