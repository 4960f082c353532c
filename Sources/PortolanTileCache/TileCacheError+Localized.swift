public import Foundation
internal import PortolanTiles
internal import PortolanTransport

extension TileCacheError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .cancelled: "It was cancelled."
    case .badZoom(let zoom): "There is no level \(zoom); levels go from 0 to 30."
    case .badLatitude(let latitude): "Latitude \(latitude) is beyond Web Mercator."
    case .badLongitude(let longitude): "Longitude \(longitude) is not between -180 and 180."
    case .badTile(let tile): "There is no tile \(tile.address)."
    case .badTemplate(let template, let reason): "\(template) is no tile address: \(reason)."
    case .badSource(let name, let reason): "\(name) does not describe tiles: \(reason)."
    case .outsideSource(let tile, let levels):
      "Tile \(tile.address) is outside of the source, which has levels \(levels.lowerBound) to "
        + "\(levels.upperBound)."
    case .notCached(let tile): "Tile \(tile.address) is not in the cache."
    case .signInNeeded(let address, 403):
      "\(address) asks for a sign-in or a key, refuses that, or does not have it (status 403)."
    case .signInNeeded(let address, let status):
      "\(address) asks for a sign-in or a key, or refuses that (status \(status))."
    case .tooManyRequests(let address, _): "\(address) is asked too often."
    case .refused(let address, 412): "\(address) has changed while it was read."
    case .refused(let address, let status): "\(address) answered with status \(status)."
    case .nothingThere(let address): "\(address) says that there is no tile."
    case .notATile(let address, let reason): "\(address) sent no tile: \(reason)."
    case .noParts(let address):
      "\(address) cannot be read where it is: its server does not send parts of files."
    case .transport(let error): error.errorDescription
    case .forbidden(let source, let reason): "\(source): \(reason)."
    case .levelsForbidden(let source, let levels):
      levels.count == 1
        ? "\(source): regions may have level \(levels.lowerBound) only."
        : "\(source): regions may have levels \(levels.lowerBound) to \(levels.upperBound)."
    case .tooManyTiles(let count, let limit):
      "The region has \(count) tiles; at most \(limit) are taken at once."
    case .emptyRegion: "The region has no tiles."
    case .nameTaken(let name, _): "There is a region named \"\(name)\" already."
    case .sourceTaken(let name):
      "There is a source named \"\(name)\" already, at another address."
    case .sourceInUse(let name, let regions):
      "Source \"\(name)\" is used by \(regions.count == 1 ? "region" : "regions") "
        + regions.map { "\"\($0)\"" }.joined(separator: ", ") + "."
    case .noSuchRegion(let name): "There is no region \"\(name)\"."
    case .noServer(let name):
      "Region \"\(name)\" has no server to download from: it was imported from a file, or its source is "
        + "no longer known."
    case .regionInUse(let name): "Region \"\(name)\" is being worked on."
    case .newerCache(let file, let version):
      "\(file) was written by a newer Portolan (version \(version) of the cache)."
    case .storage(let file, let reason): "\(file) cannot be used: \(reason)."
    case .busy(let file): "\(file) is being written by another process."
    case .diskFull(let file): "There is no space left to write \(file)."
    case .tiles(let error): error.errorDescription
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .cancelled: nil
    case .badZoom, .badLatitude, .badLongitude, .badTile, .outsideSource:
      "Ask for another tile, level or place."
    case .badTemplate:
      "Give an address with {z}, {x} and {y}, such as https://host/{z}/{x}/{y}.png."
    case .badSource: "Check the address; it must lead to the description of a tile source."
    case .notCached: "Connect to the network and ask again without restricting it to the cache."
    case .signInNeeded(_, 403):
      "If the key of the source has expired, give its address with the new one; object stores refuse what "
        + "they do not have as well."
    case .signInNeeded(_, 407): "Check the user name and the password of the proxy."
    case .signInNeeded:
      "If the key of the source has expired, give its address with the new one; what was loaded is kept."
    case .tooManyRequests(_, let pause?):
      "Go on in \(pause.inWords); what was loaded is kept."
    case .tooManyRequests: "Go on later, or with a lower rate; what was loaded is kept."
    case .refused(_, let status) where status >= 500: "Try again later."
    case .refused(_, 412): "Try again."
    case .refused: "Check the address of the source."
    case .nothingThere:
      "If the source no longer has the tile, allow empty tiles of the source, and update the region."
    case .notATile:
      "Check the address; a sign-in page of the network or a proxy may be in the way."
    case .noParts: "Download the file and import it."
    case .transport(let error): error.recoverySuggestion
    case .levelsForbidden(_, let levels):
      levels.count == 1
        ? "Ask for level \(levels.lowerBound)."
        : "Ask for levels from \(levels.lowerBound) to \(levels.upperBound)."
    case .forbidden: "Use a source whose operator allows it, or ask for permission."
    case .tooManyTiles: "Choose fewer levels or a smaller extent."
    case .emptyRegion: "Ask for another place or other levels."
    case .nameTaken(_, let suggestion): "Choose another name, such as \"\(suggestion)\"."
    case .sourceTaken: "Give it another name."
    case .sourceInUse: "Delete what uses it first."
    case .noSuchRegion: "List the regions to see their names."
    case .noServer: "Import a file that has the tiles, or create another region of a source."
    case .regionInUse: "Wait for its end, or pause it where it was started."
    case .newerCache: "Use the newer Portolan, or another cache."
    case .storage: "Check that the file is where it should be and that you may write there."
    case .busy: "Go on later; what was loaded is kept."
    case .diskFull: "Free some space and resume; what was loaded is kept."
    case .tiles(let error): error.recoverySuggestion
    }
  }
}

extension Duration {
  /// The duration in the largest unit that suits it: `90 seconds`, `5 minutes`, `1 day`.
  var inWords: String {
    let seconds = components.seconds
    let units: [(name: String, length: Int64)] = [
      ("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1),
    ]
    // 90 minutes are not rounded down to one hour.
    let unit = units.first { seconds >= 2 * $0.length || seconds == $0.length } ?? ("second", 1)
    // What is rounded down would be too early.
    let count = (seconds + unit.length - 1) / unit.length
    return count == 1 ? "1 \(unit.name)" : "\(count) \(unit.name)s"
  }
}
