internal import Foundation
internal import PortolanApp
internal import PortolanJSON

// Maps of this device that are shared on the portal.
extension WebActions {
  /// Shares a stored map as a package, which is written for it and removed once it is shared.
  ///
  /// One that was not shared to its end stays until the next attempt, which removes what of it has
  /// arrived at the portal.
  func shareMap(_ body: ActionParameters, of maps: MapListModel) async throws(Problem) -> JSONValue
  {
    guard let sharing = app.sharing else {
      throw Problem(message: "This app has no network.", kind: .absence)
    }
    let (id, title) = (try body.text("id"), try body.text("title"))
    let access = try access(body)
    // Before the package is written: that of an upload under way must stay as it is.
    guard !isSharing, sharing.state.canShare else {
      throw Problem(message: "A file is being shared.", suggestion: "Wait until it is finished.")
    }
    isSharing = true
    defer { isSharing = false }
    let folder = try draftFolder(of: id, title)
    let file = folder.appending(path: WebDownloads.name(for: title) + ".mmpk")
    _ = try await maps.export(id, to: file, replacing: true)
    let request = SharingModel.Request(
      file, title: title, summary: body.object["summary"]?.string, tags: body.texts("tags"),
      access: access, groups: body.texts("groups"),
      replacesItem: body.object["overwrite"]?.bool ?? false)
    let result: SharingModel.Result
    do { result = try await sharing.share(request, on: nil) } catch { throw Problem(error) }
    sharedDrafts[id] = nil
    TemporaryFolder.remove(folder)
    return result.json
  }

  /// The sharing level; `nil` for private or, where an item is replaced, for an unchanged one.
  private func access(_ body: ActionParameters) throws(Problem) -> SharingModel.Access? {
    guard let word = body.object["access"]?.string, !word.isEmpty else { return nil }
    guard let access = SharingModel.Access(rawValue: word) else {
      throw body.missing("access")
    }
    return access
  }

  /// The folder in which the package of a map is written: the same for each attempt.
  private func draftFolder(of id: String, _ title: String) throws(Problem) -> URL {
    if let folder = sharedDrafts[id] { return folder }
    let folder = try TemporaryFolder.make(for: title)
    sharedDrafts[id] = folder
    return folder
  }
}

extension SharingModel.State {
  /// The progress of sharing, as a page reads it; `null` while nothing is shared.
  var pageJSON: JSONValue {
    guard case .running(let progress) = self else { return .null }
    return progress?.json ?? [:]
  }
}
