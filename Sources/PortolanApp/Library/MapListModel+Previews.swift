internal import Foundation
internal import PortolanLibrary
internal import PortolanOffline

extension MapListModel {
  /// The requirements of downloading a row's map, and whether there is room for it.
  ///
  /// - Parameters:
  ///   - id: The id of the row, or that of an item of the portal in use that is not listed yet.
  ///   - options: How it would be downloaded.
  /// - Returns: The preview.
  /// - Throws: A problem that says why it cannot be loaded.
  public func preview(
    _ id: String, options: DownloadOptions = DownloadOptions()
  ) async throws(Problem) -> DownloadPreview {
    let request = try await downloadRequest(for: id, options)
    do {
      return DownloadPreview(title: request.order.title, try await estimate(of: request))
    } catch {
      throw Problem(error)
    }
  }

  private func estimate(of request: DownloadRequest) async throws -> DownloadEstimate {
    try await library.offline.estimate(request.order)
  }

  /// Refuses a download that there is not enough room for; what else may be in its way is for the
  /// job to find out, which can wait for it.
  func checkRoom(for request: DownloadRequest) async throws(Problem) {
    // A portal that does not answer now may do so when the job's turn comes.
    guard let first = try? await estimate(of: request), !first.fits else { return }
    // The versions before updates are kept until their space is needed.
    do { try await library.maps.reclaimSpace() } catch { throw Problem(error) }
    // Likewise.
    guard let estimate = try? await estimate(of: request), !estimate.fits else { return }
    let missing = ByteCount.text(estimate.shortfall)
    throw Problem(
      .diskFull,
      message:
        "There is not enough free space for \"\(request.order.title)\": it needs \(missing) more.",
      suggestion: "Free some space.", actions: [.init(.freeSpace)])
  }
}
