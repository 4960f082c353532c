import PortolanJSON
import PortolanLocks
import PortolanTiles

/// Tiles of a service that can go away.
struct SwitchedTiles: TileSource {
  static let data = TileServerStub.picture("browsed")

  let info = TileSourceInfo(
    name: "service", scheme: .webMercator(tileSide: 256, levels: 0...8), declaredFormat: "png")
  let isThere = Locked(true)
  /// Whether no more than the beginning of a tile comes.
  let isCut = Locked(false)
  private let known: TileID

  init(_ known: TileID) { self.known = known }

  func tile(at id: TileID) async throws(TileError) -> Tile? {
    guard isThere.withLock({ $0 }) else { throw .unreadable(file: "service", reason: "it is gone") }
    let data = isCut.withLock { $0 } ? Self.data.dropLast(4) : Self.data
    return id == known ? Tile(data: data, format: .png) : nil
  }

  func tileCounts() async throws(TileError) -> [Int: Int] { [:] }
  var tileIDs: TileIDs { TileIDs(in: [known]) { [$0] } }
  func metadata() async throws(TileError) -> JSONValue? { nil }
}
