internal import Foundation
public import PortolanOffline

extension MapListModel {
  /// What downloading a row's map would bring, and whether there is room for it.
  ///
  /// - Parameters:
  ///   - id: The id of the row, or that of an item of the portal in use that is not listed yet.
  ///   - options: How it would be downloaded.
  /// - Returns: The plan.
  /// - Throws: A problem that says why it cannot be had.
  public func plan(
    _ id: String, options: DownloadOptions = DownloadOptions()
  ) async throws(Problem) -> DownloadPlan {
    try await plan(for: try await downloadRequest(for: id, options))
  }

  func plan(for request: DownloadRequest) async throws(Problem) -> DownloadPlan {
    do {
      let parameters = try JSONDecoder().decode(
        DownloadPreplannedOfflineMapParameters.self, from: request.parameters)
      return try await PreplannedDownload(library.offline).plan(parameters)
    } catch {
      throw Problem(error)
    }
  }

  /// Refuses a download that there is not enough room for; what else may be in its way is for the
  /// job to find out, which can wait for it.
  func checkRoom(for request: DownloadRequest) async throws(Problem) {
    // A portal that does not answer now may do so when the job's turn comes.
    guard let plan = try? await plan(for: request), !plan.fits else { return }
    throw Problem(OfflineMapError.noRoom(area: plan.title, missing: plan.missingByteCount))
  }
}
