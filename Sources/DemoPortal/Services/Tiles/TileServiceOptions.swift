/// What a service of tiles is called, and what it allows.
struct TileServiceOptions: Sendable {
  /// The name in its address.
  var name: String
  /// What it is about, for people.
  var summary = ""
  /// Whether tiles may be exported.
  var allowsExport = true
  /// The most tiles that one export may have.
  var maxExportTilesCount = 100_000
}
