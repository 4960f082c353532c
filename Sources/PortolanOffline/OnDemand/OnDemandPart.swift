internal import Foundation

/// A file of an offline map, and the request to the service that it comes from.
struct OnDemandPart: Sendable, Identifiable {
  /// How the file is made.
  enum Work: Hashable, Sendable, Codable {
    /// The service makes a geodatabase.
    case replica(GenerateGeodatabaseParameters)
    /// The features are requested, and the geodatabase is made here.
    case query(GenerateGeodatabaseParameters)
    case tiles(ExportTileCacheParameters)
    case vectorTiles(ExportVectorTilesParameters)
  }

  /// The name of the service, and what is made of it; the same in each run.
  let id: String
  /// Where it is requested.
  let url: URL
  let work: Work
  /// The titles of the layers and tables that are in it.
  let affects: [String]

  /// The title.
  var title: String { affects.first ?? url.lastPathComponent }

  /// What people call all of it: its layer, or the service of several.
  var wholeTitle: String {
    guard affects.count > 1 else { return title }
    let service = url.deletingLastPathComponent().lastPathComponent
    return "\(service) (\(affects.count) layers)"
  }

  /// The name of its file, which no server has a say in.
  var fileName: String {
    switch work {
    case .replica: "replica_\(digest).geodatabase"
    case .query: "features_\(digest).geodatabase"
    case .tiles: "tiles_\(digest).tpkx"
    case .vectorTiles: "vectortiles_\(digest).vtpk"
    }
  }

  /// The path of its file in the folder of the map.
  var path: String { "\(AreaDocuments.dataFolder)/\(fileName)" }

  /// The layers of the service that are in it.
  var layerIDs: [Int] {
    switch work {
    case .replica(let options), .query(let options): options.layerOptions.map(\.layerID)
    case .tiles, .vectorTiles: []
    }
  }

  /// Where it is requested, which is all that giving it up needs.
  var address: Address {
    if case .vectorTiles = work { return Address(id: id, url: url, isVector: true) }
    return Address(id: id, url: url, isVector: false)
  }

  private var digest: String { address.digest }

  /// Where a part is requested.
  struct Address: Hashable, Sendable, Codable {
    let id: String
    let url: URL
    let isVector: Bool

    /// Sixteen digits that stand for the name.
    var digest: String { OnDemandPart.digest(of: id.utf8) }

    /// Sixteen digits that stand for the name in one home.
    func digest(in home: String) -> String { OnDemandPart.digest(of: "\(home)/\(id)".utf8) }
  }

  /// Sixteen digits that stand for bytes (FNV-1a, 64 bits).
  static func digest(of bytes: some Sequence<UInt8>) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let text = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }
}

extension OnDemandPart.Work {
  /// Sixteen digits that stand for all that is asked of the service, the same in each run.
  func digest() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return OnDemandPart.digest(of: try encoder.encode(self))
  }
}
