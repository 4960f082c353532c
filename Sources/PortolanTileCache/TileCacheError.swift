internal import Foundation
internal import PortolanFiles
internal import PortolanSQLite
public import PortolanTiles
public import PortolanTransport

/// Why a tile, a cache or a region is not as asked for.
///
/// Addresses are without query, user and password, so that no error holds a secret.
public enum TileCacheError: Error, Hashable, Sendable {
  /// The task was cancelled.
  case cancelled
  /// There are no levels below 0 or beyond 30.
  case badZoom(Int)
  /// The Web Mercator's square world ends at 85.0511 degrees.
  case badLatitude(Double)
  /// Longitudes go from -180 to less than 180.
  case badLongitude(Double)
  /// The level has no such tile.
  case badTile(TileID)
  /// The address of a source cannot be used.
  case badTemplate(String, reason: String)
  /// What describes the source, such as a TileJSON document, is not understood.
  case badSource(String, reason: String)
  /// The source has no such level.
  case outsideSource(TileID, levels: ClosedRange<Int>)
  /// The tile is not in the cache, and the server may not be asked.
  case notCached(TileID)
  /// The server requires a sign-in, or refuses this user.
  case signInNeeded(String, status: Int)
  /// The server has had enough for now.
  case tooManyRequests(String, retryAfter: Duration?)
  /// The server answered that it failed, or that it does not understand.
  case refused(String, status: Int)
  /// The server says, with success, that nothing lies there: with 204, with no bytes for a vector tile, or
  /// since an archive has no tile at the place.
  case nothingThere(String)
  /// The server answered with something that is no such tile.
  case notATile(String, reason: String)
  /// The server does not send parts of files, without which a file of tiles cannot be read there.
  case noParts(String)
  /// No whole answer arrived.
  case transport(TransportError)
  /// The source's policy forbids it.
  case forbidden(source: String, reason: String)
  /// The source's policy allows regions of other levels only.
  case levelsForbidden(source: String, allowed: ClosedRange<Int>)
  /// The region has more tiles than may be taken at once.
  case tooManyTiles(count: Int, limit: Int)
  /// The shape holds no tile of the levels asked for.
  case emptyRegion
  /// There is a region of that name.
  case nameTaken(String, suggestion: String)
  /// Another source has that name, at another address.
  case sourceTaken(String)
  /// Regions have tiles of the source, so that it cannot be removed.
  case sourceInUse(String, regions: [String])
  /// There is no region of that name or id.
  case noSuchRegion(String)
  /// The tiles of the region came from a file, or its source is no longer known, so that no server can be
  /// asked for more.
  case noServer(region: String)
  /// Another process or task is working on the region.
  case regionInUse(String)
  /// The file is of a newer Portolan.
  case newerCache(file: String, version: Int)
  /// The file cannot be opened, read or written.
  case storage(file: String, reason: String)
  /// Another process has been writing the file for long.
  case busy(file: String)
  /// There is no room on the disk.
  case diskFull(file: String)
  /// A file of tiles cannot be read or written.
  case tiles(TileError)
}

extension TileCacheError {
  /// Whether retrying later may succeed.
  public var isTransient: Bool {
    switch self {
    case .tooManyRequests, .busy: true
    case .refused(_, let status): status >= 500 || status == 408 || status == 425
    case .transport(let error): error.isTransient
    case .notATile: true
    default: false
    }
  }

  /// Whether the server cannot be reached at all.
  var isWithoutNetwork: Bool {
    guard case .transport(let error) = self else { return false }
    return switch error {
    case .offline, .unknownHost, .unreachable: true
    default: false
    }
  }

  /// Whether another server that has the same tiles may deliver them.
  var isOfOneServer: Bool {
    switch self {
    case .refused(_, let status): status >= 500
    case .transport(let error):
      switch error {
      case .unknownHost, .unreachable, .untrusted, .timedOut, .interrupted, .malformed,
        .tooManyRedirects:
        true
      case .cancelled, .offline, .badAddress, .tooLarge, .unreadable, .storage, .diskFull: false
      }
    default: false
    }
  }

  /// Whether no answer came in time.
  var isSilence: Bool {
    if case .transport(.timedOut) = self { true } else { false }
  }

  /// Whether the server may just not have it: object stores whose contents may not be listed refuse what they
  /// do not have as they refuse strangers.
  var mayMeanAbsence: Bool {
    if case .signInNeeded(_, status: 403) = self { true } else { false }
  }

  /// Whether a server says with success that there is no tile.
  var isEmptiness: Bool {
    if case .nothingThere = self { true } else { false }
  }

  /// Whether every other request to the same server would end the same way now.
  public var endsDownload: Bool {
    switch self {
    case .cancelled, .diskFull, .storage, .busy, .newerCache, .forbidden, .levelsForbidden,
      .noServer:
      true
    case .signInNeeded: !mayMeanAbsence
    case .tooManyRequests: true
    case .transport(let error):
      switch error {
      case .offline, .unknownHost, .unreachable, .untrusted, .badAddress, .cancelled, .diskFull,
        .storage:
        true
      default: false
      }
    default: false
    }
  }

  /// What it means that a server has answered with a status, or with the code of a document, that is no
  /// success.
  init(status: Int, at address: String, retryAfter: Duration? = nil) {
    self =
      switch status {
      case 401, 403, 407, 498, 499: .signInNeeded(address, status: status)
      case 429: .tooManyRequests(address, retryAfter: retryAfter)
      default: .refused(address, status: status)
      }
  }

  /// What a failure of the file at `url` means.
  init(_ error: any Error, file url: URL) {
    let path = url.path(percentEncoded: false)
    self =
      switch error {
      case let error as TileCacheError: error
      case is CancellationError: .cancelled
      case let error as TileError: error == .cancelled ? .cancelled : .tiles(error)
      case let error as DatabaseError where error.code == .full: .diskFull(file: path)
      case let error as DatabaseError where error.code == .busy || error.code == .locked:
        .busy(file: path)
      case let error as DatabaseError: .storage(file: path, reason: error.message)
      case FileError.diskFull: .diskFull(file: path)
      default: .storage(file: path, reason: error.plainReason)
      }
  }
}
