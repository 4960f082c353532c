public import Foundation
internal import PortolanLibrary

/// The parts of a preplanned area to download, and their options; stored with the job.
public struct DownloadPreplannedOfflineMapParameters: Hashable, Sendable, Codable {
  /// How the offline map is to be kept up to date.
  public enum UpdateMode: String, Hashable, Sendable, Codable, CaseIterable {
    /// Not at all; edits stay on this device.
    case noUpdates
    /// With the feature services that it was made from: edits of both sides are exchanged.
    case syncWithFeatureServices
    /// With scheduled updates; edits stay on this device.
    case downloadScheduledUpdates
    /// With scheduled updates, and sending new features; other edits stay on this device.
    case downloadScheduledUpdatesAndUploadNewFeatures
  }

  /// The root of the portal.
  public var portal: URL
  /// The item of the web map.
  public var webMap: String
  /// The item of the area.
  public var area: String
  /// Whether the layers of the basemap are part of it.
  public var includesBasemap: Bool
  /// A tile package on this device that stands in for the layers of the basemap; it is copied.
  public var referenceBasemap: URL?
  /// The name of the tile package that stood in for them when the area was stored, where the copy of it
  /// that is there is used again.
  public var keptReferenceBasemap: String?
  /// Whether a package that cannot be loaded leaves the others alone.
  public var continuesOnErrors: Bool
  /// How the offline map is to be kept up to date; `nil` leaves it to the job: as was chosen for a stored
  /// version of the map, else as the author of the area has set it up.
  public var updateMode: UpdateMode?

  /// Creates parameters; by default everything is downloaded, as far as it can be, and synchronized with
  /// the feature services.
  public init(
    portal: URL, webMap: String, area: String, includesBasemap: Bool = true,
    referenceBasemap: URL? = nil, keptReferenceBasemap: String? = nil,
    continuesOnErrors: Bool = true, updateMode: UpdateMode? = .syncWithFeatureServices
  ) {
    self.portal = portal
    self.webMap = webMap
    self.area = area
    self.includesBasemap = includesBasemap
    self.referenceBasemap = referenceBasemap
    self.keptReferenceBasemap = keptReferenceBasemap
    self.continuesOnErrors = continuesOnErrors
    self.updateMode = updateMode
  }
}

extension DownloadPreplannedOfflineMapParameters {
  /// Whether the layers that the author of the map chose for its basemap are fetched.
  var bringsBasemap: Bool {
    includesBasemap && referenceBasemap == nil && keptReferenceBasemap == nil
  }

  /// Opens the tile package that stands in for the basemap, so that nothing is begun with one that is
  /// not there or damaged.
  ///
  /// - Throws: ``OfflineMapError/noReferenceBasemap(file:reason:)``, `FileError.absent(file:)`.
  public func checkReferenceBasemap(in environment: OfflineEnvironment) async throws {
    try await ReferenceBasemap(self)?.check(environment)
  }

  /// What is recorded of them with the map, and of how it is kept up to date and whether that was chosen.
  func storedOptions(keptUpToDate mode: UpdateMode, isChosen: Bool = true) -> StoredAreaOptions {
    let file = referenceBasemap?.lastPathComponent ?? keptReferenceBasemap
    return StoredAreaOptions(
      basemap: file.map { .file($0) } ?? (includesBasemap ? .ofMap : .leftOut),
      continuesOnErrors: continuesOnErrors, updateMode: mode.rawValue,
      isUpdateModeChosen: isChosen)
  }
}

extension DownloadPreplannedOfflineMapParameters.UpdateMode {
  /// What a synchronization does, and what becomes of edits, for the log of a job.
  var sentence: String {
    let effect =
      switch self {
      case .noUpdates: "the map is not synchronized, and edits stay on this device."
      case .syncWithFeatureServices: "edits are exchanged with the services of the map."
      case .downloadScheduledUpdates:
        "scheduled updates are received, and edits stay on this device."
      case .downloadScheduledUpdatesAndUploadNewFeatures:
        "scheduled updates are received and new features sent; other edits stay on this device."
      }
    return "Update mode \(rawValue): \(effect)"
  }
}
