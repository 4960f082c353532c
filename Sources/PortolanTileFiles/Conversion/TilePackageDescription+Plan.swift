internal import Foundation
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanTiles

extension TilePackageDescription {
  /// The metadata of the new file of a conversion: what its source says.
  init(_ plan: TileConversionPlan) async throws(TileError) {
    let source = plan.conversion.source
    let info = source.info
    let world = Envelope(
      xMin: -20_037_508.342787, yMin: -20_037_508.342787, xMax: 20_037_508.342787,
      yMax: 20_037_508.342787)
    let extent = info.fullExtent ?? plan.extent ?? world
    self.init(
      name: info.name, summary: info.summary ?? "", accessInformation: info.attribution ?? "",
      scheme: info.scheme, fullExtent: extent,
      geographicExtent: extent.projected(from: info.scheme.spatialReference, to: .wgs84),
      format: Self.format(info.declaredFormat))
    geographicCenter = info.center
    // Documents beside the tiles may be damaged; the tiles are what is wanted.
    if let metadata = try? await source.metadata(), metadata["vector_layers"] != nil {
      vectorMetadata = Self.layers(of: metadata)
    }
    // As above.
    if let item = try? (source as? any TileItemSource)?.itemInformation() { add(item) }
    // As above.
    let dates = try? await (source as? any DatedTileSource)?.tileDates()
    // They belong to addresses, which may be others in the new file.
    if let dates, dates.starts.allSatisfy({ plan.target(of: $0) == $0 }) { tileDates = dates }
    // As above.
    thumbnail = try? (source as? any TileItemSource)?.thumbnail()
  }

  private mutating func add(_ item: ItemInformation) {
    if !item.title.isEmpty { title = item.title }
    if summary.isEmpty { summary = item.summary ?? "" }
    if accessInformation.isEmpty { accessInformation = item.accessInformation ?? "" }
    licenseInfo = item.licenseInfo ?? ""
    tags = item.tags
  }

  /// The members of a document that describe layers; what describes the file is rewritten.
  private static func layers(of metadata: JSONValue) -> JSONValue {
    let names: Set<String> = ["vector_layers", "tilestats"]
    let members = metadata.object?.members.filter { names.contains($0.name) }
    return .object(JSONObject(members ?? []))
  }

  /// The format as tile packages declare it.
  private static func format(_ declared: String) -> String {
    switch declared.lowercased() {
    case "png", "image/png": "PNG"
    case "jpg", "jpeg", "image/jpeg": "JPEG"
    case let name where ["png8", "png24", "png32", "mixed", "lerc"].contains(name):
      name.uppercased()
    default: "MIXED"
    }
  }
}

/// A source of tiles that says what it is as an item.
protocol TileItemSource {
  func itemInformation() throws(TileError) -> ItemInformation?
  func thumbnail() throws(TileError) -> Data?
}

extension TilePackage: TileItemSource {}

extension VectorTilePackage: TileItemSource {}
