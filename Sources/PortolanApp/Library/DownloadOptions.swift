public import Foundation
internal import PortolanOffline

/// How something is to be downloaded.
public struct DownloadOptions: Hashable, Sendable {
  /// How an area is to be kept up to date; the raw values are Esri's names.
  public enum UpdateMode: String, Hashable, Sendable, Codable, CaseIterable {
    /// Not at all.
    case noUpdates
    /// With the feature services that it was made from.
    case syncWithFeatureServices
    /// With what the portal packs regularly.
    case downloadScheduledUpdates
    /// With what the portal packs regularly, and sending new features.
    case downloadScheduledUpdatesAndUploadNewFeatures
  }

  /// Whether the layers of an area's basemap are part of it.
  public var includesBasemap: Bool
  /// A tile package on this device that stands in for the basemap of an area; it is copied.
  public var referenceBasemap: URL?
  /// Whether a part that cannot be had leaves the others alone.
  public var continuesOnErrors: Bool
  /// How an area is to be kept up to date.
  public var updateMode: UpdateMode

  /// Creates options; everything is downloaded, as far as it can be, unless told otherwise.
  public init(
    includesBasemap: Bool = true, referenceBasemap: URL? = nil, continuesOnErrors: Bool = true,
    updateMode: UpdateMode = .noUpdates
  ) {
    self.includesBasemap = includesBasemap
    self.referenceBasemap = referenceBasemap
    self.continuesOnErrors = continuesOnErrors
    self.updateMode = updateMode
  }
}

extension DownloadOptions.UpdateMode {
  /// The mode as the job has it.
  var parameter: DownloadPreplannedOfflineMapParameters.UpdateMode {
    switch self {
    case .noUpdates: .noUpdates
    case .syncWithFeatureServices: .syncWithFeatureServices
    case .downloadScheduledUpdates: .downloadScheduledUpdates
    case .downloadScheduledUpdatesAndUploadNewFeatures:
      .downloadScheduledUpdatesAndUploadNewFeatures
    }
  }
}
