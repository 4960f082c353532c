internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanSample

extension DemoContent {
  /// One package for each county and for the larger towns: what the sample has around there.
  var regionalMapbooks: [DemoItem] {
    places("Counties", reach: 0.45, count: .max) + places("Towns", reach: 0.2, count: 24)
  }

  private func places(_ table: String, reach: Double, count: Int) -> [DemoItem] {
    let rows = contents.tables.first { $0.schema.name == table }?.rows ?? []
    return rows.prefix(count).compactMap { row in
      guard case .text(let name) = row.feature.attributes["NAME"],
        let place = row.feature.geometry?.extent, let box = box(around: place, reach: reach)
      else { return nil }
      return regionalMapbook(name, box)
    }
  }

  /// A box in degrees around a place in metres; `nil` where that is unknown.
  private func box(around place: Envelope, reach: Double) -> Envelope? {
    let place = Coordinate(x: place.xMin, y: place.yMin)
    // A place off the projection is left out; the sample has none.
    guard let middle = try? Projection(from: .webMercator, to: .wgs84).project(place) else {
      return nil
    }
    return Envelope(
      xMin: middle.x - reach, yMin: middle.y - reach * 0.7, xMax: middle.x + reach,
      yMax: middle.y + reach * 0.7)
  }

  private func regionalMapbook(_ place: String, _ box: Envelope) -> DemoItem {
    let name = place.lowercased().map { $0.isLetter ? String($0) : "-" }.joined()
    let title = "\(place) Mapbook"
    var item = item("mapbook/\(name)", title, "Mobile Map Package", box: box)
    item.name = "\(name)-mapbook.mmpk"
    item.typeKeywords = ["ArcGIS Pro", "Map", "Mobile Map Package", "mmpk"]
    item.tags = ["Maine", "Offline Mapbook", place]
    item.snippet = "What there is around \(place), for use offline."
    let package = RegionalPackage(
      contents: contents, name: "\(name)-mapbook", title: title, summary: item.snippet ?? "",
      box: box, id: identifiers)
    item.content = .file(
      DemoFile(name: "\(name)-mapbook.mmpk") { url, _ in
        try await package.writeArchive(to: url)
      })
    return item
  }
}
