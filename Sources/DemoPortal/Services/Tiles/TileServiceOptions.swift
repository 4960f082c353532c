/// The name and the capabilities of a tile service.
struct TileServiceOptions: Sendable {
  /// The name in its address.
  var name: String
  /// The summary, for people.
  var summary = ""
  /// Whether tiles may be exported.
  var allowsExport = true
  /// Whether exports answer as ArcGIS Online's do, with addresses of files, and not as those of
  /// ArcGIS Server, with a folder.
  var answersAsOnline = false
  /// The most tiles that one export may have.
  var maxExportTilesCount = 100_000
}
