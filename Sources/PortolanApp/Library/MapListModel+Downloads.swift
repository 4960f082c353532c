internal import Foundation
public import PortolanJobs
internal import PortolanOffline
internal import PortolanPortal

extension MapListModel {
  /// Asks for a row's map, or finds the download that is under way.
  ///
  /// - Parameters:
  ///   - id: The id of the row, or that of an item of the portal in use that is not listed yet.
  ///   - options: How; an area that is stored is downloaded as it was, but for what they say.
  /// - Returns: The job, and whether it is a new one.
  /// - Throws: A problem that says why it cannot be loaded.
  @discardableResult
  public func download(
    _ id: String, options: DownloadOptions = DownloadOptions()
  ) async throws(Problem) -> (job: Job, isNew: Bool) {
    if let transfer = state.items.first(where: { $0.id == id })?.transfer, !transfer.state.isFinal {
      do {
        switch transfer.state {
        // The cause of the job's wait may be over by now.
        case .waiting(.network), .waiting(.signIn), .waiting(.space), .waiting(.editing):
          try await library.queue.resume(transfer.job)
        default: break
        }
        return (try await library.queue.job(transfer.job), false)
      } catch {
        throw Problem(error)
      }
    }
    let request = try await downloadRequest(for: id, options)
    try await checkRoom(for: request)
    do {
      return try await library.queue.submit(request.order)
    } catch {
      throw Problem(error)
    }
  }

  func downloadRequest(
    for id: String, _ options: DownloadOptions
  ) async throws(Problem) -> DownloadRequest {
    do {
      let item = state.items.first { $0.id == id }
      if let item { try check(item) }
      return try await DownloadRequest(
        id, item, item?.portal, portals: portals, options, in: library.offline)
    } catch {
      throw Problem(error)
    }
  }

  /// Throws a problem that says why a row cannot be downloaded.
  private func check(_ item: MapListItem) throws(Problem) {
    guard !item.canDownload else { return }
    guard !item.isDrawn else {
      throw Problem(
        .wrongItemType,
        message:
          "\"\(item.title)\" was made of an area that was drawn, which no portal has to download.",
        suggestion: item.canResume
          ? "Resume the job that makes it."
          : "Synchronize it, or take the same area offline once more.")
    }
    switch item.state {
    case .packaging:
      throw Problem(
        .packagingNotComplete, message: "The portal is still packaging \"\(item.title)\".",
        suggestion: "Try again in a few minutes.", actions: [.init(.retry)])
    case .packagingFailed:
      throw Problem(
        .packagingFailed, message: "The portal could not package \"\(item.title)\".",
        suggestion: "Ask the owner of the map to create the area again.")
    case .online:
      throw Problem(
        .wrongItemType,
        message: "\"\(item.title)\" is a web map, which is opened over the network.",
        suggestion: "Download one of its areas.", actions: [.init(.listAreas, item.id)])
    case .stored(let copy) where copy.isImported:
      throw Problem(
        .wrongItemType,
        message: "\"\(item.title)\" was imported from a file on this device. No portal has it.",
        suggestion: "Import the newer file in its place.")
    case .available, .transferring, .failed, .stored: break
    }
  }
}
