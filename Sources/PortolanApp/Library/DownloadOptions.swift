public import Foundation
internal import PortolanLibrary
internal import PortolanOffline

/// The options of a download; `nil` keeps the option of the last one.
public struct DownloadOptions: Hashable, Sendable {
  /// The mode in which an area is kept up to date; the raw values are Esri's names.
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

  /// Whether the layers that the author of an area's map chose for its basemap are part of it.
  public var includesBasemap: Bool?
  /// A tile package on this device that stands in for the basemap of an area; it is copied.
  public var referenceBasemap: URL?
  /// Whether a part that cannot be loaded leaves the others alone.
  public var continuesOnErrors: Bool?
  /// The mode in which an area is kept up to date.
  public var updateMode: UpdateMode?

  /// Creates options; what is left out is as the area was downloaded before.
  ///
  /// Of an area that was not, everything is downloaded, as far as it can be, and it is kept up to date as
  /// its author has set it up.
  public init(
    includesBasemap: Bool? = nil, referenceBasemap: URL? = nil, continuesOnErrors: Bool? = nil,
    updateMode: UpdateMode? = nil
  ) {
    self.includesBasemap = includesBasemap
    self.referenceBasemap = referenceBasemap
    self.continuesOnErrors = continuesOnErrors
    self.updateMode = updateMode
  }
}

extension DownloadOptions {
  /// The parameters of a job that downloads an area so.
  ///
  /// - Parameters:
  ///   - area: The area, with the map that it is of, and its portal.
  ///   - stored: How it was downloaded before; `nil` if it was not.
  /// - Returns: The parameters.
  func parameters(
    for area: (id: String, webMap: String, portal: URL), asStored stored: StoredAreaOptions?
  ) -> DownloadPreplannedOfflineMapParameters {
    typealias Parameters = DownloadPreplannedOfflineMapParameters
    var parameters = Parameters(
      portal: area.portal, webMap: area.webMap, area: area.id,
      includesBasemap: includesBasemap ?? true, referenceBasemap: referenceBasemap,
      continuesOnErrors: continuesOnErrors ?? stored?.continuesOnErrors ?? true,
      updateMode: updateMode?.parameter
        ?? stored?.keptUpdateMode.flatMap { Parameters.UpdateMode(rawValue: $0) })
    guard includesBasemap == nil, referenceBasemap == nil else { return parameters }
    switch stored?.basemap {
    case .ofMap?, nil: break
    case .leftOut?: parameters.includesBasemap = false
    case .file(let name)?: parameters.keptReferenceBasemap = name
    }
    return parameters
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
