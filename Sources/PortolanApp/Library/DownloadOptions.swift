public import Foundation
public import PortolanOffline

/// How something is to be downloaded.
public struct DownloadOptions: Hashable, Sendable {
  /// Whether the layers of an area's basemap are part of it.
  public var includesBasemap: Bool
  /// A tile package on this device that stands in for the basemap of an area; it is copied.
  public var referenceBasemap: URL?
  /// Whether a part that cannot be had leaves the others alone.
  public var continuesOnErrors: Bool
  /// How an area is to be kept up to date.
  public var updateMode: DownloadPreplannedOfflineMapParameters.UpdateMode

  /// Creates options; everything is downloaded, as far as it can be, unless told otherwise.
  public init(
    includesBasemap: Bool = true, referenceBasemap: URL? = nil, continuesOnErrors: Bool = true,
    updateMode: DownloadPreplannedOfflineMapParameters.UpdateMode = .noUpdates
  ) {
    self.includesBasemap = includesBasemap
    self.referenceBasemap = referenceBasemap
    self.continuesOnErrors = continuesOnErrors
    self.updateMode = updateMode
  }
}
