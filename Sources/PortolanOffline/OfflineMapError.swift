public import Foundation
public import PortolanGeometry

/// Why a map cannot be taken offline.
public enum OfflineMapError: Error, Hashable, Sendable {
  /// The portal is still packaging the area.
  case packagingNotComplete(area: String)
  /// The portal could not pack the area.
  case packagingFailed(area: String)
  /// The area consists of nothing that can be stored.
  case noPackages(area: String)
  /// The item is of a type that this is not for.
  case wrongItemType(item: String, type: String, expected: String)
  /// A file that was downloaded is not what it should be.
  case damaged(file: String, reason: String)
  /// Nothing of a package can be used; the reason is a sentence that names it.
  case unusablePackage(reason: String)
  /// The file that is to stand in for the basemap cannot be used.
  case noReferenceBasemap(file: String, reason: String)
  /// The parameters of the job cannot be read.
  case badParameters
  /// The area holds nothing.
  case areaEmpty
  /// The area crosses the 180th meridian.
  case areaCrossesDateline
  /// The area lies outside of the map; with latitude and longitude exchanged it is the box, which lies inside.
  case areaOutside(map: String, exchanged: Envelope?)
  /// Edges of the area cross each other.
  case areaCrossesItself
  /// The options for attachments do not go together.
  case attachmentOptions(returned: String, direction: String)
  /// The scales are in the wrong order.
  case badScales(minimum: Double, maximum: Double)
  /// The owner of the map does not let it be taken offline.
  case offlineDisabled(map: String)
  /// The map has no layer or table of that id or title, which was to be left out.
  case noSuchLayer(String, map: String)
  /// Nothing of the map can be taken offline.
  case nothingToTake(map: String)
  /// A service does not export as many tiles at once as an area takes.
  case tooManyTiles(service: String, count: Int, limit: Int)
  /// A service could not do what it was asked for.
  case serverJobFailed(service: String, reason: String)
  /// A service does not say any more what became of its job.
  case serverJobForgotten(service: String)
  /// The fields of a service are others than when it was asked for its features.
  case serviceChanged(service: String)
  /// No service knows the map, or the geodatabase, as its replica.
  case notSynchronized(file: String)
  /// The area was downloaded with the update mode that synchronizes nothing.
  case keptWithoutUpdates(map: String)
  /// The service does not know the replica any more.
  case replicaForgotten(service: String)
  /// The service makes no replica for a map that has none of its own there, for a reason in the server's
  /// words, which may be empty.
  case replicaRefused(service: String, reason: String)
  /// A synchronization ended, but its answer has no file with changes and does not say that there
  /// are none.
  case changesMissing(service: String)
  /// The portal does not keep the updates any more that the area lacks.
  case updatesPurged(area: String)
  /// This version knows no jobs of that kind.
  case unknownJobKind(String)
}

extension OfflineMapError: LocalizedError {
  /// A scale as maps write it, without what is behind the point.
  private func whole(_ scale: Double) -> String {
    Int(exactly: scale.rounded()).map { "\($0)" } ?? "\(scale)"
  }

  public var errorDescription: String? {
    switch self {
    case .packagingNotComplete(let area): "The portal is still packaging \"\(area)\"."
    case .packagingFailed(let area): "The portal could not package \"\(area)\"."
    case .noPackages(let area): "\"\(area)\" has no packages that could be stored."
    case .wrongItemType(let item, let type, let expected):
      "\"\(item)\" is a \(type), not a \(expected)."
    case .damaged(let file, let reason): "\(file) arrived damaged: \(reason)"
    case .unusablePackage(let reason): reason
    case .noReferenceBasemap(let file, let reason):
      "\(file) cannot be the basemap: \(reason)."
    case .badParameters: "The job does not say what to download."
    case .areaEmpty: "The area is empty."
    case .areaCrossesDateline: "The area crosses the 180th meridian."
    case .areaOutside(let map, nil): "The area lies outside of \"\(map)\"."
    case .areaOutside(let map, _?):
      "The area lies outside of \"\(map)\", and inside with latitude and longitude exchanged."
    case .areaCrossesItself: "Edges of the area cross, so that its interior is ambiguous."
    case .attachmentOptions(let returned, let direction):
      "Attachments cannot be returned for \"\(returned)\" and synchronized \"\(direction)\"."
    case .badScales(let minimum, let maximum):
      "The scales 1:\(whole(minimum)) to 1:\(whole(maximum)) are in the wrong order."
    case .offlineDisabled(let map): "\"\(map)\" may not be taken offline."
    case .noSuchLayer(let name, let map): "\"\(map)\" has no layer or table \"\(name)\"."
    case .nothingToTake(let map): "Nothing of \"\(map)\" can be taken offline."
    case .tooManyTiles(let service, let count, let limit):
      "\"\(service)\" exports \(limit) tiles at most, and the area takes \(count)."
    case .serverJobFailed(let service, let reason): "\(service): \(reason)"
    case .serverJobForgotten(let service):
      "\(service) no longer has the job that was submitted to it."
    case .serviceChanged(let service):
      "The layers of \(service) were changed while its features were fetched."
    case .notSynchronized(let file): "\"\(file)\" is not registered as a replica at any service."
    case .keptWithoutUpdates(let map):
      "\"\(map)\" was downloaded with the update mode noUpdates, in which it is not synchronized."
    case .replicaForgotten(let service):
      "\(service) no longer has this replica; the map and its edits are as they were."
    case .replicaRefused(let service, let reason):
      "\(service) registers no replica of this map, which stays as it is, with its edits"
        + (reason.isEmpty ? "." : ": \(reason)")
    case .changesMissing(let service):
      "\(service) ended the synchronization without the file that has its changes."
    case .updatesPurged(let area):
      "The portal does not keep the updates of \(area) that far back."
    case .unknownJobKind(let kind): "Jobs of the kind \"\(kind)\" are not known here."
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .packagingNotComplete: "Try again in a few minutes."
    case .packagingFailed, .noPackages: "Ask the owner of the map to create the area again."
    case .wrongItemType(_, "Web Map", _): "Download one of its areas instead."
    case .wrongItemType(_, _, "Web Map"): "Search for a web map."
    case .wrongItemType: "Search for an area or a mobile map package."
    case .damaged: "Try again; tell the owner of the map if it happens again."
    case .unusablePackage: "Ask the owner of the package to publish it again."
    case .noReferenceBasemap: "Name a tile package of this device, or leave it out."
    case .badParameters: "Cancel it and download the map again."
    case .areaEmpty: "Give an area with a width and a height."
    case .areaCrossesDateline: "Take two areas, one on each side of it."
    case .areaOutside(_, nil): "Choose an area that the map covers."
    case .areaOutside(_, let box?):
      "Longitudes come first: \(box.xMin),\(box.yMin),\(box.xMax),\(box.yMax)."
    case .areaCrossesItself: "Move its corners so that no edges cross."
    case .attachmentOptions:
      "None goes with none or upload; all layers go with upload or bidirectional."
    case .badScales: "The smallest scale has the largest number."
    case .offlineDisabled: "Ask the owner of the map to allow it."
    case .noSuchLayer: "The capabilities of the map name its layers and tables."
    case .nothingToTake: "The capabilities of the map say why, layer by layer."
    case .tooManyTiles: "Choose a smaller area, or fewer scales."
    case .serverJobFailed: "Try a smaller area, or leave the layer out."
    case .serverJobForgotten, .serviceChanged: "It is asked once more."
    case .notSynchronized:
      "Only an area of a web map that is taken offline with updates, or the folder of a package that was "
        + "made of one, can be synchronized. A prepared area can be downloaded again with another update "
        + "mode; its edits come along."
    case .keptWithoutUpdates:
      "Download the area again with another update mode; its edits come along."
    case .replicaRefused:
      "Ask the owner of the service to let it synchronize. A prepared area can be downloaded again with "
        + "another update mode; its edits come along."
    case .replicaForgotten: "Take the area offline again under another name; the edits stay here."
    case .changesMissing:
      "The map is as it was. Synchronize again later; tell the owner of the service if it happens "
        + "again."
    case .updatesPurged: "Download the area again."
    case .unknownJobKind: "A newer Portolan has submitted it; use that one, or cancel the job."
    }
  }
}
